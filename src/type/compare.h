// What was sent against what the receiver made room for [U57].
//
// Legal iff the sender's sequence of basic types is a prefix of the receiver's. One kind of basic
// type on both sides is decided by two numbers, anything else by digests; only a difference costs
// more: where it is, and whether it matters on this machine. It does where an element of the
// receiver gets some of its bytes only, from MPI_BYTE.

#pragma once

#include <cstdint>

#include "model/signature.h"

namespace vouch {

struct Comparison {
  enum class What : std::uint8_t {
    fits,
    equivalent,  // other names for what is alike on this machine
    mismatch,
    truncation,   // more bytes than there is room
    over_budget,  // too long to be looked through
  };
  What what = What::fits;
  std::uint64_t item = 0;  // equivalent, mismatch: the first atom of the message in question,
  std::uint64_t into = 0;  // and the one of the receiver that it meets
  Atom sent, received;
};

// n × what was sent against m × what is received. `whole`: nothing may be left of the receiver's
// either (collectives).
Comparison compare(const SignatureRef& sent, std::uint64_t n, const SignatureRef& received,
                   std::uint64_t m, bool whole = false);

// Classes of basic types that are the same thing under several names: INT, INTEGER and INT32_T are
// integers.
enum class AtomClass : std::uint8_t {
  other,
  integer,
  floating,
  complex,
  logical,
  text,
  byte,
  packed
};
AtomClass class_of(Atom);

}  // namespace vouch
