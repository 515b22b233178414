// The members of a group as bytes.

#pragma once

#include "base/bytes.h"
#include "model/world.h"

namespace vouch {

void write(ByteWriter&, const Members&);
// nullptr: they are malformed.
const Members* read_members(ByteReader&, World&);

}  // namespace vouch
