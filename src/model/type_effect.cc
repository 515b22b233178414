// Datatypes from the calls that make them.

#include "model/effect.h"

namespace vouch {
namespace {

// Also one that is freed, if the library may have passed it to the callback that makes the call.
const Datatype* find_kept(const Returned& r, std::uint64_t raw) {
  if (const Datatype* live = r.process.datatypes.find(raw)) return live;
  const Datatype* stale = r.process.datatypes.stale(raw);
  const bool in_callback = (r.enter.flags() & wire::kFlagCallback) != 0;
  return stale != nullptr && stale->refs != 0 && in_callback ? stale : nullptr;
}

TypeRef type_of(const Returned& r, std::uint64_t raw) {
  const Datatype* d = find_kept(r, raw);
  return d != nullptr ? d->type : nullptr;
}

bool fortran_order(const Returned& r) {
  return r.process.constant_of(Kind::order, r.handle(Arg::order)) == Constant::order_fortran;
}

TypeRef darray(const Returned& r, const TypeRef& old) {
  const std::vector<std::int64_t> gsizes = r.list(Arg::array_of_gsizes),
                                  distribs = r.list(Arg::array_of_distribs),
                                  dargs = r.list(Arg::array_of_dargs),
                                  psizes = r.list(Arg::array_of_psizes);
  std::vector<DarrayDim> dims;
  for (std::size_t i = 0;
       i < gsizes.size() && i < distribs.size() && i < dargs.size() && i < psizes.size(); ++i) {
    const Constant how =
        r.process.constant_of(Kind::distrib, static_cast<std::uint64_t>(distribs[i]));
    const Constant argument =
        r.process.constant_of(Kind::darg, static_cast<std::uint64_t>(dargs[i]));
    dims.push_back({gsizes[i],
                    how == Constant::distribute_block    ? Distribution::block
                    : how == Constant::distribute_cyclic ? Distribution::cyclic
                                                         : Distribution::none,
                    argument == Constant::distribute_dflt_darg ? -1 : dargs[i], psizes[i]});
  }
  return make_darray(r.value(Arg::size), r.value(Arg::rank), dims, fortran_order(r), old);
}

TypeRef make(const Returned& r) {
  const auto old = [&] { return type_of(r, r.handle(Arg::oldtype)); };
  const Proc base = r.info().base;
  switch (base) {
    case Proc::type_contiguous:
      return make_contiguous(r.value(Arg::count), old());
    case Proc::type_vector:
      return make_vector(r.value(Arg::count), r.value(Arg::blocklength), r.value(Arg::stride),
                         old());
    case Proc::type_create_hvector:
      return make_hvector(r.value(Arg::count), r.value(Arg::blocklength), r.value(Arg::stride),
                          old());
    case Proc::type_indexed:
      return make_indexed(r.list(Arg::array_of_blocklengths), r.list(Arg::array_of_displacements),
                          old());
    case Proc::type_create_hindexed:
      return make_hindexed(r.list(Arg::array_of_blocklengths), r.list(Arg::array_of_displacements),
                           old());
    case Proc::type_create_indexed_block:
      return make_indexed_block(r.value(Arg::blocklength), r.list(Arg::array_of_displacements),
                                old());
    case Proc::type_create_hindexed_block:
      return make_hindexed_block(r.value(Arg::blocklength), r.list(Arg::array_of_displacements),
                                 old());
    case Proc::type_create_struct: {
      std::vector<TypeRef> types;
      for (const std::int64_t raw : r.list(Arg::array_of_types))
        types.push_back(type_of(r, static_cast<std::uint64_t>(raw)));
      return make_struct(r.list(Arg::array_of_blocklengths), r.list(Arg::array_of_displacements),
                         types);
    }
    case Proc::type_create_resized:
      return make_resized(r.value(Arg::lb), r.value(Arg::extent), old());
    case Proc::type_create_subarray:
      return make_subarray(r.list(Arg::array_of_sizes), r.list(Arg::array_of_subsizes),
                           r.list(Arg::array_of_starts), fortran_order(r), old());
    case Proc::type_create_darray:
      return darray(r, old());
    case Proc::type_dup:
      return make_dup(old());
    case Proc::type_create_f90_real:
      return make_f90(Constant::combiner_f90_real, r.value(Arg::p), r.value(Arg::r));
    case Proc::type_create_f90_complex:
      return make_f90(Constant::combiner_f90_complex, r.value(Arg::p), r.value(Arg::r));
    case Proc::type_create_f90_integer:
      return make_f90(Constant::combiner_f90_integer, -1, r.value(Arg::r));
    default:
      return nullptr;
  }
}

void make_type(const Returned& r) {
  if (!r.ok() || r.leave == nullptr) return;
  TypeRef type = make(r);
  if (type != nullptr) type->made = r.call.site();
  bool committed = false;
  switch (r.info().base) {
    case Proc::type_dup:
      if (const Datatype* old = find_kept(r, r.handle(Arg::oldtype))) committed = old->committed;
      break;
    case Proc::type_create_f90_real:
    case Proc::type_create_f90_complex:
    case Proc::type_create_f90_integer:
      committed = true;
      break;
    default:
      break;
  }
  const auto raw = static_cast<std::uint64_t>(r.output(Kind::datatype, 0));
  // Libraries keep one object for equal f90 types, and never free it.
  const Datatype* before = r.process.datatypes.find(raw);
  if (before != nullptr && before->made_by == r.call.proc() && committed &&
      r.info().base != Proc::type_dup)
    return;
  Datatype* d = born(r, r.process.datatypes, Kind::datatype, raw);
  if (d == nullptr) return;
  d->type = std::move(type);
  d->committed = committed;
}

// Handles to types that are there already (MPI-4.1 5.1.13): whether they are committed is not said,
// so they count as such.
void hand_out(const Returned& r, std::uint64_t raw, TypeRef type) {
  Datatype* d = born(r, r.process.datatypes, Kind::datatype, raw, true);
  if (d == nullptr) return;
  d->type = std::move(type);
  d->committed = true;
}

void type_get_contents(const Returned& r) {
  if (!r.ok() || r.leave == nullptr) return;
  const TypeRef whole = type_of(r, r.handle(Arg::datatype));
  if (whole == nullptr) return;
  const ArrayView given = r.leave->result_array(r.param(Arg::array_of_datatypes));
  for (std::uint64_t i = 0; i < given.size() && i < whole->types.size(); ++i) {
    hand_out(r, static_cast<std::uint64_t>(given[i]), whole->types[i]);
  }
}

void file_get_view(const Returned& r) {
  if (!r.ok() || r.leave == nullptr) return;
  for (const Arg name : {Arg::etype, Arg::filetype}) {
    hand_out(r, static_cast<std::uint64_t>(r.leave->result(r.param(name))), nullptr);
  }
}

void type_commit(const Returned& r) {
  Datatype* d = r.ok() ? r.process.datatypes.find(r.handle(Arg::datatype)) : nullptr;
  if (d != nullptr) d->committed = true;
}

}  // namespace

Effect type_effect(Proc proc) {
  const ProcInfo& about = info(proc);
  if (proc == Proc::type_commit) return type_commit;
  if (about.base == Proc::type_get_contents) return type_get_contents;
  if (proc == Proc::file_get_view) return file_get_view;
  return about.has(kConstructor) && about.first(Kind::datatype, Dir::out) >= 0 ? make_type
                                                                               : nullptr;
}

}  // namespace vouch
