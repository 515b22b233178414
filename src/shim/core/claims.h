// What the program says of its own values (api/vouch.h), as a record.

#pragma once

#include "shim/front/front_back.h"

namespace vouch::shim {

void claimed(unsigned kind, int holds, unsigned frames, const char* condition, const char* names,
             unsigned count, const vouch_term* terms, const void* caller);

}  // namespace vouch::shim
