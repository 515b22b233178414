// Whether a record that comes from memory or a file we do not own can be read: its words and arrays
// lie within it, its numbers name something. Whoever takes records from outside asks this first.

#pragma once

#include <cstdint>

#include "event/wire.h"

namespace vouch {

// `blob_bytes`: of the tails that came before it, for a record with kFlagBlob.
bool sound(const wire::RecordHeader&, const std::uint64_t* words, std::uint64_t blob_bytes);

}  // namespace vouch
