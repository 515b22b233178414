// The way from a buffer to one of its basic items: "element 3, field 2 of the struct made at
// t.c:14".

#pragma once

#include <cstdint>
#include <string>

#include "model/datatype.h"

namespace vouch {

// Of item `item` of `count` elements of a type; counted from 0. Empty if there is nothing to say
// but the item's number.
std::string path_to(const Type&, std::uint64_t item);

}  // namespace vouch
