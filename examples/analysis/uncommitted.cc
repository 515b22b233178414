#include "uncommitted.h"

#include <fmt/format.h>

namespace vouch {
namespace {

// MPI-4.1 5.1.9: predefined types are committed; so are those of MPI_Type_create_f90_* (19.1.5) and
// of MPI_Type_get_value_index (6.9.4), which the library owns.
bool needs_commit(const Datatype& type) {
  if (type.predefined() || type.poisoned || !type.known()) return false;
  switch (type.type->combiner) {
    case Constant::combiner_f90_integer:
    case Constant::combiner_f90_real:
    case Constant::combiner_f90_complex:
    case Constant::combiner_value_index:
      return false;
    default:
      return true;
  }
}

}  // namespace

// No list of procedures: the table says which parameters are buffers, and which one gives the
// datatype of each.
Uncommitted::Uncommitted(World& world, Sink& sink)
    : Analysis(world, sink), buffers_(static_cast<std::size_t>(Proc::count_)) {
  for (std::size_t p = 1; p < buffers_.size(); ++p) {
    const std::span<const Param> params = info(static_cast<Proc>(p)).params;
    for (std::size_t i = 0; i < params.size(); ++i) {
      const bool described = params[i].kind == Kind::buffer && params[i].type_param >= 0;
      if (!described || params[i].significant != Significant::everywhere) continue;
      const Param& type = params[static_cast<std::size_t>(params[i].type_param)];
      if (!type.is_array()) buffers_[p].push_back(static_cast<int>(i));
    }
  }
}

void Uncommitted::on_enter(Process& process, Call& call) {
  if (call.poisoned) return;  // an earlier analysis has said what is wrong with it
  const std::span<const Param> params = call.info().params;
  for (const int buffer : buffers(call.proc())) {
    // MPI-4.1 6.2: with MPI_IN_PLACE the type beside it may mean nothing.
    if (call.enter().address(buffer) == wire::kInPlace) continue;
    const int param = params[static_cast<std::size_t>(buffer)].type_param;
    const Datatype* type = process.datatypes.find(call.enter().handle(param));
    if (type == nullptr || type->committed || !needs_commit(*type)) continue;
    if (again(process, call, Rule::type_uncommitted, {}, {type->made})) return;
    report(process, call, Rule::type_uncommitted,
           fmt::format("{} was never committed", params[static_cast<std::size_t>(param)].name), {},
           {made_place(process, *type)});
    return;
  }
}

}  // namespace vouch
