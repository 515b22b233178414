// Type signatures: the sequence of basic types, positions forgotten.
//
// A tree of runs `n times an atom` and `n times these in order`, in normal form: lists spliced,
// equal neighbours merged, n = 0 dropped, repeats of one unwrapped. What two signatures are
// compared by is the digest of their expansion, which does not depend on the tree: (atoms, bytes,
// h) with h polynomial modulo 2^61-1 under two bases, h(ab) = h(a)·B^|b| + h(b). A count is an
// outer repeat and costs O(log count), a prefix one descent.

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "event/proc.h"

namespace vouch {

// A basic type after synonyms. Complex is one atom; Fortran's parametrised types are (combiner, p,
// r).
struct Atom {
  std::uint32_t id = 0;
  std::uint32_t bytes = 0;
  bool operator==(const Atom&) const = default;
  Constant constant() const;  // Constant::none for a parametrised type
};
Atom atom_of(Constant named, std::int64_t size);
Atom f90_atom(Constant combiner, std::int64_t p, std::int64_t r);
std::string name_of(Atom);  // "MPI_INT", "REAL(p=15, r=307)"

struct Digest {
  std::uint64_t atoms = 0;
  std::uint64_t bytes = 0;
  std::uint64_t h[2] = {0, 0};
  bool operator==(const Digest&) const = default;
};

struct Signature;
using SignatureRef = std::shared_ptr<const Signature>;

struct Signature {
  Atom atom;            // a run of it, if children is empty
  std::uint64_t n = 0;  // repeats of the atom or of the children
  std::vector<SignatureRef> children;
  Digest digest;                    // of the whole
  std::uint64_t power[2] = {1, 1};  // base^atoms
  Digest body;                      // of the children once
  std::uint64_t body_power[2] = {1, 1};
};

const SignatureRef& empty_signature();
SignatureRef run_of(Atom, std::uint64_t n);
SignatureRef sequence(const std::vector<SignatureRef>&);
SignatureRef repeat(std::uint64_t n, const SignatureRef&);

// Digest of n times the signature, without building it.
Digest digest_of(const SignatureRef&, std::uint64_t n);
// Digest of the first k atoms (all of them if there are fewer).
Digest prefix(const SignatureRef&, std::uint64_t k);
Atom atom_at(const SignatureRef&, std::uint64_t k);  // k < digest.atoms
// Index of the first atom in which they differ; the shorter length if one is a prefix of the other.
std::uint64_t first_difference(const SignatureRef&, const SignatureRef&);

}  // namespace vouch
