// A datatype: what it is made of, how long it is, where its bytes lie.
//
// The facts of a type never change, so they are shared: a type built from another holds it alive
// after the user freed it (MPI-4.1 5.1.9), and a dup is the same facts under another handle.

#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "model/layout.h"
#include "model/object.h"
#include "model/signature.h"

namespace vouch {

struct Type;
using TypeRef = std::shared_ptr<const Type>;

struct Type {
  std::int64_t size = 0;  // bytes of data
  std::int64_t lb = 0, ub = 0;
  std::int64_t true_lb = 0, true_ub = 0;  // equal: no bytes
  std::int64_t alignment = 1;
  bool lb_marked = false,
       ub_marked = false;  // set by MPI_LB, MPI_UB or resizing: they outweigh other entries
  SignatureRef signature;
  LayoutRef layout;                 // nullptr: no bytes
  Constant named = Constant::none;  // of a predefined type
  // Envelope and contents (MPI-4.1 5.1.13).
  Constant combiner = Constant::none;
  std::vector<std::int64_t> integers, addresses;
  std::vector<TypeRef> types;
  mutable Site
      made;  // of the call that made it, once that has returned; unknown for predefined ones

  std::int64_t extent() const { return ub - lb; }
  std::int64_t true_extent() const { return true_ub - true_lb; }
};

struct Datatype : Object {
  TypeRef type;  // nullptr: not known, its constructor was not understood or failed checks
  bool committed = false;
  bool known() const { return type != nullptr; }
  std::int64_t size() const { return type ? type->size : 0; }
  std::int64_t extent() const { return type ? type->extent() : 0; }
};

// Constructors. Counts and blocklengths must not be negative and types not null: nullptr then.
// Displacements and strides are in bytes except where a name says elements.
TypeRef make_named(Constant, std::int64_t size, std::int64_t extent);
TypeRef make_contiguous(std::int64_t count, const TypeRef&);
TypeRef make_vector(std::int64_t count, std::int64_t blocklength, std::int64_t stride_elements,
                    const TypeRef&);
TypeRef make_hvector(std::int64_t count, std::int64_t blocklength, std::int64_t stride,
                     const TypeRef&);
TypeRef make_indexed(const std::vector<std::int64_t>& blocklengths,
                     const std::vector<std::int64_t>& elements, const TypeRef&);
TypeRef make_hindexed(const std::vector<std::int64_t>& blocklengths,
                      const std::vector<std::int64_t>& displacements, const TypeRef&);
TypeRef make_indexed_block(std::int64_t blocklength, const std::vector<std::int64_t>& elements,
                           const TypeRef&);
TypeRef make_hindexed_block(std::int64_t blocklength,
                            const std::vector<std::int64_t>& displacements, const TypeRef&);
TypeRef make_struct(const std::vector<std::int64_t>& blocklengths,
                    const std::vector<std::int64_t>& displacements, const std::vector<TypeRef>&);
TypeRef make_resized(std::int64_t lb, std::int64_t extent, const TypeRef&);
TypeRef make_subarray(const std::vector<std::int64_t>& sizes,
                      const std::vector<std::int64_t>& subsizes,
                      const std::vector<std::int64_t>& starts, bool fortran_order, const TypeRef&);
enum class Distribution : std::uint8_t { none, block, cyclic };
struct DarrayDim {
  std::int64_t gsize;
  Distribution distribution;
  std::int64_t argument;  // -1: MPI_DISTRIBUTE_DFLT_DARG
  std::int64_t processes;
};
TypeRef make_darray(std::int64_t size, std::int64_t rank, const std::vector<DarrayDim>&,
                    bool fortran_order, const TypeRef&);
TypeRef make_dup(const TypeRef&);
// combiner says which of the three; p or r -1: MPI_UNDEFINED.
TypeRef make_f90(Constant combiner, std::int64_t p, std::int64_t r);

}  // namespace vouch
