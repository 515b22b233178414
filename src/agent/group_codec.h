// The members of a group as bytes.

#pragma once

#include "model/world.h"
#include "net/bytes.h"

namespace vouch {

void write(net::Writer&, const Members&);
// nullptr: they make no sense.
const Members* read_members(net::Reader&, World&);

}  // namespace vouch
