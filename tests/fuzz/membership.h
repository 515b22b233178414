// Part of the target `mesh`: how agents join, learn of each other, lose each other and part.

#pragma once

#include "fuzz.h"

namespace vouch::fuzz {

// One agent, root or not, gets frames of the mesh's own packets (net/mesh.h): well-formed ones in
// an order that mostly makes sense, some of them damaged. Nothing goes over a network.
void damage_membership(Random&);

// Numbers have as many bytes as they need: one may become another, or more may come in.
std::string damage_bytes(Random&, const std::string& bytes);

}  // namespace vouch::fuzz
