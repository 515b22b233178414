// Stage: handles. Null, freed, of the wrong kind.

#include <fmt/format.h>

#include "analysis/argument/checks.h"
#include "base/check.h"

namespace vouch {
namespace {

const char* null_name(Kind kind) {
  switch (kind) {
    case Kind::comm:
      return "MPI_COMM_NULL";
    case Kind::group:
      return "MPI_GROUP_NULL";
    case Kind::datatype:
      return "MPI_DATATYPE_NULL";
    case Kind::op:
      return "MPI_OP_NULL";
    case Kind::win:
      return "MPI_WIN_NULL";
    case Kind::file:
      return "MPI_FILE_NULL";
    case Kind::info:
      return "MPI_INFO_NULL";
    case Kind::errhandler:
      return "MPI_ERRHANDLER_NULL";
    case Kind::session:
      return "MPI_SESSION_NULL";
    case Kind::keyval:
      return "MPI_KEYVAL_INVALID";
    default:
      return "a null handle";
  }
}

const char* verb_of_death(Kind kind) {
  switch (kind) {
    case Kind::file:
      return "closed";
    case Kind::session:
      return "finalized";
    default:
      return "freed";
  }
}

// What can be wrong with a handle of a kind, as such.
struct HandleCauses {
  Kind kind;
  Cause null, freed, invalid;
};
constexpr HandleCauses kHandleCauses[] = {
    {Kind::comm, Cause::comm_null, Cause::comm_freed, Cause::comm_invalid},
    {Kind::group, Cause::group_null, Cause::group_freed, Cause::group_invalid},
    {Kind::datatype, Cause::type_null, Cause::type_freed, Cause::type_invalid},
    {Kind::op, Cause::op_null, Cause::op_freed, Cause::op_invalid},
    {Kind::win, Cause::window_null, Cause::window_freed, Cause::window_invalid},
    {Kind::file, Cause::file_null, Cause::file_closed, Cause::file_invalid},
    {Kind::info, Cause::info_null, Cause::info_freed, Cause::info_invalid},
    {Kind::session, Cause::session_null, Cause::session_over, Cause::session_invalid},
    {Kind::keyval, Cause::keyval_null, Cause::keyval_freed, Cause::keyval_invalid},
    {Kind::errhandler, Cause::errhandler_null, Cause::errhandler_freed, Cause::errhandler_invalid},
};

const HandleCauses& causes_of(Kind kind) {
  for (const HandleCauses& row : kHandleCauses) {
    if (row.kind == kind) return row;
  }
  VOUCH_CHECK(false);
  return kHandleCauses[0];
}

void fire_null(Checker& c, Cause cause, int param, Kind kind) {
  c.fire(
      cause, param, [&] { return fmt::format("{} is {}", c.param(param).name, null_name(kind)); },
      c.null_origin(kind), [&] { return c.common_null(kind); });
}

void fire_stale(Checker& c, int param, Kind kind, const Object& object) {
  c.fire(
      causes_of(kind).freed, param,
      [&] { return fmt::format("{} was already {}", c.param(param).name, verb_of_death(kind)); },
      c.death(object));
}

constexpr const char* kInvalid = "is not a valid handle: freed before, or never made";

// One variable that was never set may be used in several arguments and lines.
WrongValue invalid_value(Kind kind, std::uint64_t raw) {
  return {.what = "handle",
          .value = static_cast<std::int64_t>(raw),
          .more = static_cast<std::int64_t>(kind)};
}

void fire_invalid(Checker& c, const Charge& charge, int param, Kind kind) {
  c.fire(
      charge, param, [&] { return fmt::format("{} {}", c.param(param).name, kInvalid); }, {},
      invalid_value(kind, c.event.handle(param)));
}

void fire_invalid(Checker& c, int param, Kind kind) {
  fire_invalid(c, causes_of(kind).invalid, param, kind);
}

// In a callback: a handle that was freed while something was pending, which may still need the
// object, may be one that the library has passed to the user's function. So it is to the functions
// of reductions (MPI-4.1 6.9.5), attributes, error handlers and data representations. Misses: a
// copy of such a handle that the program has kept itself.
bool passed_by_library(const Checker& c, const Object& stale) {
  return stale.refs != 0 && (c.event.flags() & wire::kFlagCallback) != 0;
}

// Null and stale are findings, unseen is not checked. The object if it is live.
template <typename T>
const T* judge(Checker& c, const Step& step, const Table<T>& table, bool null_is_fine = false) {
  const Kind kind = c.param(step.param).kind;
  const Found<T> found = c.find(table, kind, c.event.handle(step.param));
  switch (found.standing) {
    case Standing::live:
      return found.object;
    case Standing::null:
      if (!null_is_fine) fire_null(c, causes_of(kind).null, step.param, kind);
      return nullptr;
    case Standing::invalid:
      fire_invalid(c, step.param, kind);
      return nullptr;
    case Standing::stale:
      if (!passed_by_library(c, *found.object)) fire_stale(c, step.param, kind, *found.object);
      return nullptr;
    case Standing::unknown:
      c.unseen(step.param);
      return nullptr;
    case Standing::quiet:
      return nullptr;
  }
  return nullptr;
}

// MPI-4.1 7.8: the null handles have names of their own.
bool asks_for_name(const Checker& c) {
  return std::string_view(c.info.name).ends_with("_get_name");
}

const Communicator* usable_comm(Checker& c, const Step& step) {
  if (!c.significant(step.param)) return nullptr;
  const Communicator* comm = judge(c, step, c.process.comms, asks_for_name(c));
  if (comm && !comm->ready) {
    c.fire(
        Cause::comm_not_ready, step.param,
        [&] {
          return fmt::format(
              "{} is not ready: the request of {} was not completed yet", c.param(step.param).name,
              comm->made_by == Proc::none ? "its constructor" : info(comm->made_by).name);
        },
        c.root(*comm));
    return nullptr;
  }
  return comm;
}

const char* kind_word(Kind kind) {
  switch (kind) {
    case Kind::comm:
      return "communicators";
    case Kind::datatype:
      return "datatypes";
    case Kind::win:
      return "windows";
    case Kind::file:
      return "files";
    case Kind::session:
      return "sessions";
    default:
      return "other objects";
  }
}

// The kind of object a keyval or error handler procedure is about: MPI_Win_set_attr,
// MPI_Type_free_keyval …
Kind subject(const ProcInfo& proc) {
  const std::string_view name = proc.name;
  if (name.starts_with("MPI_Win_")) return Kind::win;
  if (name.starts_with("MPI_Type_")) return Kind::datatype;
  if (name.starts_with("MPI_File_")) return Kind::file;
  if (name.starts_with("MPI_Session_")) return Kind::session;
  return Kind::comm;
}

template <typename T>
void free_handle(Checker& c, const Step& step, const Table<T>& table,
                 bool predefined_is_fine = false) {
  const Kind kind = c.param(step.param).kind;
  const Found<T> found = c.find(table, kind, c.event.handle(step.param));
  // The library's own key, freed in the delete function of an attribute (MPICH's file code does):
  // it was made out of sight, and may have the value of one that the program has freed. Misses: a
  // second free of the program's key, in a callback.
  if (kind == Kind::keyval && found.standing != Standing::live &&
      (c.event.flags() & wire::kFlagCallback) != 0)
    return;
  if (found.standing == Standing::null) {
    fire_null(c, Cause::free_null, step.param, kind);
  } else if (found.standing == Standing::invalid) {
    fire_invalid(c, step.param, kind);
  } else if (found.standing == Standing::stale) {
    // Whoever holds what is left of it: the handle is not the program's to free again.
    fire_stale(c, step.param, kind, *found.object);
  } else if (found.standing == Standing::unknown) {
    c.unseen(step.param);
  } else if (found.standing == Standing::live && found.object->predefined() &&
             !predefined_is_fine) {
    c.record_damage();
    c.fire(Rule::argument_free_predefined, step.param, [&] {
      return fmt::format("{} is predefined and cannot be freed", info(found.object->constant).name);
    });
  }
}

// Constant::keyval_invalid, a predefined attribute's keyval, or none.
Constant keyval_constant(const Checker& c, int param) {
  const std::int64_t value = c.value(param);
  if (value == wire::kConstantBase + static_cast<int>(Constant::keyval_invalid))
    return Constant::keyval_invalid;
  const auto raw = static_cast<std::uint64_t>(value);
  const Constant constant = c.process.constant_of(Kind::keyval, raw);
  // MPICH numbers predefined attributes by one more in Fortran, to know which language asks.
  if (constant != Constant::none || !c.call.fortran() || c.process.library != wire::Library::mpich)
    return constant;
  return c.process.constant_of(Kind::keyval, raw - 1);
}

void fire_other_kind(Checker& c, const Step& step, Kind made_for, const Object& object) {
  const bool keyval = c.param(step.param).kind == Kind::keyval;
  c.fire(
      keyval ? Cause::keyval_kind : Cause::errhandler_kind, step.param,
      [&] {
        return fmt::format("{} was created for {}, not for {}", c.param(step.param).name,
                           kind_word(made_for), kind_word(subject(c.info)));
      },
      c.root(object));
}

bool made_by_f90(const Object& object) {
  return object.made_by == Proc::type_create_f90_real ||
         object.made_by == Proc::type_create_f90_complex ||
         object.made_by == Proc::type_create_f90_integer;
}

void judge_type_element(Checker& c, const Step& step, std::uint64_t i, std::uint64_t raw,
                        Cause null_cause) {
  const Found<Datatype> found = c.find(c.process.datatypes, Kind::datatype, raw);
  const char* name = c.param(step.param).name;
  if (found.standing == Standing::null) {
    c.fire(
        null_cause, step.param, [&] { return fmt::format("{}[{}] is MPI_DATATYPE_NULL", name, i); },
        c.null_origin(Kind::datatype), [&] { return c.common_null(Kind::datatype); });
  } else if (found.standing == Standing::invalid) {
    c.fire(
        Cause::type_invalid, step.param,
        [&] { return fmt::format("{}[{}] {}", name, i, kInvalid); }, {},
        invalid_value(Kind::datatype, raw));
  } else if (found.standing == Standing::stale) {
    if (passed_by_library(c, *found.object)) return;
    c.fire(
        Cause::type_freed, step.param,
        [&] { return fmt::format("{}[{}] was already freed", name, i); }, c.death(*found.object));
  } else if (found.standing == Standing::unknown) {
    c.unseen(step.param);
  }
}

void judge_types(Checker& c, const Step& step, Cause null_cause) {
  if (!c.significant(step.param)) return;
  const ArrayView types = c.event.array(step.param);
  for (std::uint64_t i = 0; i < types.size(); ++i) {
    // Beside a zero count anything may stand [U18].
    if (c.count_at(step.other, i) <= 0) continue;
    judge_type_element(c, step, i, static_cast<std::uint64_t>(types[i]), null_cause);
    if (c.call.poisoned) return;
  }
}

const char* topology_word(Topology topology) {
  switch (topology) {
    case Topology::cart:
      return "Cartesian";
    case Topology::graph:
      return "graph";
    case Topology::dist_graph:
      return "distributed graph";
    case Topology::none:
      break;
  }
  return "process";
}

// none: any topology will do.
Topology wanted_topology(Proc proc) {
  const ProcInfo& about = info(proc);
  return about.is(Trait::cart)         ? Topology::cart
         : about.is(Trait::graph)      ? Topology::graph
         : about.is(Trait::dist_graph) ? Topology::dist_graph
                                       : Topology::none;
}

}  // namespace

Cause invalid_handle(Kind kind) { return causes_of(kind).invalid; }

void check_comm(Checker& c, const Step& step) { usable_comm(c, step); }

void check_intracomm(Checker& c, const Step& step) {
  const Communicator* comm = usable_comm(c, step);
  if (comm && comm->inter()) {
    c.fire(
        Cause::comm_inter, step.param,
        [&] {
          return fmt::format(
              "{} is an inter-communicator; {} is defined on intra-communicators only",
              c.param(step.param).name, c.info.name);
        },
        c.origin(*comm));
  }
}

void check_intercomm(Checker& c, const Step& step) {
  const Communicator* comm = usable_comm(c, step);
  if (comm && !comm->inter()) {
    c.fire(
        Cause::comm_intra, step.param,
        [&] {
          return fmt::format("{} is {}, not an inter-communicator, which {} needs",
                             c.param(step.param).name, c.name(*comm), c.info.name);
        },
        c.origin(*comm));
  }
}

void check_topology(Checker& c, const Step& step) {
  const Communicator* comm = c.comm(step.param);
  if (!comm) return;
  const Topology wanted = wanted_topology(c.info.base);
  const bool fits =
      wanted == Topology::none ? comm->topology != Topology::none : comm->topology == wanted;
  if (fits) return;
  c.fire(
      Rule::topology_kind, step.param,
      [&] { return fmt::format("{} has no {} topology", c.name(*comm), topology_word(wanted)); },
      c.origin(*comm));
}

void check_datatype(Checker& c, const Step& step) {
  if (!c.significant(step.param)) return;
  const std::uint64_t raw = c.event.handle(step.param);
  const Found<Datatype> found = c.find(c.process.datatypes, Kind::datatype, raw);
  if (found.standing == Standing::live || found.standing == Standing::quiet) return;
  if (found.standing == Standing::stale && passed_by_library(c, *found.object)) return;
  if (found.standing == Standing::unknown) return c.unseen(step.param);
  if (found.standing == Standing::null && asks_for_name(c)) return;
  // With arrays of counts a type that no block uses is as good as none.
  const bool counts_array = step.other >= 0 && c.param(step.other).is_array();
  const bool used = c.any_counted(step.other);
  if (!used && counts_array) return;
  const char* name = c.param(step.param).name;
  const Severity severity = used ? Severity::error : Severity::warning;
  if (found.standing == Standing::null) {
    c.fire(
        Charge(Cause::type_null, severity), step.param,
        [&] { return fmt::format("{} is MPI_DATATYPE_NULL", name); }, c.null_origin(Kind::datatype),
        [&] { return c.common_null(Kind::datatype); });
  } else if (found.standing == Standing::invalid) {
    fire_invalid(c, Charge(Cause::type_invalid, severity), step.param, Kind::datatype);
  } else {
    c.fire(
        Charge(Cause::type_freed, severity), step.param,
        [&] { return fmt::format("{} was already freed", name); }, c.death(*found.object));
  }
}

void check_datatypes(Checker& c, const Step& step) { judge_types(c, step, Cause::type_null); }

void check_old_datatype(Checker& c, const Step& step) {
  const Found<Datatype> found =
      c.find(c.process.datatypes, Kind::datatype, c.event.handle(step.param));
  const char* name = c.param(step.param).name;
  if (found.standing == Standing::null) {
    c.fire(Cause::type_of_null, step.param,
           [&] { return fmt::format("{} is MPI_DATATYPE_NULL", name); });
  } else if (found.standing == Standing::invalid) {
    fire_invalid(c, step.param, Kind::datatype);
  } else if (found.standing == Standing::stale) {
    if (passed_by_library(c, *found.object)) return;
    fire_stale(c, step.param, Kind::datatype, *found.object);
  } else if (found.standing == Standing::unknown) {
    c.unseen(step.param);
  }
}

void check_old_datatypes(Checker& c, const Step& step) {
  judge_types(c, step, Cause::type_of_null);
}

void check_op(Checker& c, const Step& step) {
  if (c.significant(step.param)) judge(c, step, c.process.ops);
}

void check_group(Checker& c, const Step& step) {
  if (c.significant(step.param)) judge(c, step, c.process.groups);
}

void check_window(Checker& c, const Step& step) {
  judge(c, step, c.process.windows, asks_for_name(c));
}

void check_file(Checker& c, const Step& step) {
  // MPI-4.1 14.7: on MPI_FILE_NULL the default error handler of files is meant.
  judge(c, step, c.process.files, c.info.family == Family::errhandler);
}

void check_info(Checker& c, const Step& step) {
  if (c.significant(step.param)) judge(c, step, c.process.infos, true);
}

void check_own_info(Checker& c, const Step& step) { judge(c, step, c.process.infos); }

void check_infos(Checker& c, const Step& step) {
  if (!c.significant(step.param)) return;
  const ArrayView infos = c.event.array(step.param);
  for (std::uint64_t i = 0; i < infos.size(); ++i) {
    const Found<Info> found =
        c.find(c.process.infos, Kind::info, static_cast<std::uint64_t>(infos[i]));
    if (found.standing != Standing::stale) continue;
    c.fire(
        Cause::info_freed, step.param,
        [&] { return fmt::format("{}[{}] was already freed", c.param(step.param).name, i); },
        c.death(*found.object));
    return;
  }
}

void check_errhandler(Checker& c, const Step& step) {
  const Errhandler* handler = judge(c, step, c.process.errhandlers);
  if (!handler || handler->predefined() || handler->from_get) return;
  if (handler->of != subject(c.info)) fire_other_kind(c, step, handler->of, *handler);
}

void check_keyval(Checker& c, const Step& step) {
  const Constant constant = keyval_constant(c, step.param);
  if (constant == Constant::keyval_invalid)
    return fire_null(c, Cause::keyval_null, step.param, Kind::keyval);
  if (constant != Constant::none) {
    const Proc base = c.info.base;
    const bool changes = base == Proc::comm_set_attr || base == Proc::comm_delete_attr ||
                         base == Proc::win_set_attr || base == Proc::win_delete_attr ||
                         base == Proc::attr_put || base == Proc::attr_delete;
    if (changes) {
      c.fire(Cause::attribute_predefined, step.param, [&] {
        return fmt::format("{} is a predefined attribute and cannot be changed",
                           info(constant).name);
      });
    }
    return;
  }
  // Freed, but attributes keep it alive (MPI-4.1 7.7.2).
  if (c.keyval_is_held(c.event.handle(step.param)) &&
      c.process.keyvals.stale(c.event.handle(step.param)) != nullptr)
    return;
  const Keyval* keyval = judge(c, step, c.process.keyvals);
  if (keyval && !keyval->predefined() && keyval->of != subject(c.info))
    fire_other_kind(c, step, keyval->of, *keyval);
}

void check_session(Checker& c, const Step& step) { judge(c, step, c.process.sessions); }

void check_free(Checker& c, const Step& step) {
  Process& p = c.process;
  switch (c.param(step.param).kind) {
    case Kind::comm:
      return free_handle(c, step, p.comms);
    case Kind::group:
      // A constructor may return MPI_GROUP_EMPTY itself, and what it returned may be freed.
      return free_handle(c, step, p.groups, true);
    case Kind::op:
      return free_handle(c, step, p.ops);
    case Kind::win:
      return free_handle(c, step, p.windows);
    case Kind::file:
      return free_handle(c, step, p.files);
    case Kind::info:
      return free_handle(c, step, p.infos);
    case Kind::session:
      return free_handle(c, step, p.sessions);
    case Kind::errhandler:
      // *_get_errhandler hands out predefined ones, and each may be freed.
      return free_handle(c, step, p.errhandlers, true);
    case Kind::datatype: {
      free_handle(c, step, p.datatypes);
      const Datatype* type = c.datatype(c.event.handle(step.param));
      if (type && made_by_f90(*type)) {
        c.record_damage();
        c.fire(
            Cause::free_f90, step.param,
            [&] {
              return fmt::format("{} cannot be freed: it counts as predefined", c.name(*type));
            },
            c.origin(*type));
      }
      return;
    }
    case Kind::keyval: {
      const Constant constant = keyval_constant(c, step.param);
      if (constant == Constant::keyval_invalid) {
        return fire_null(c, Cause::free_null, step.param, Kind::keyval);
      }
      if (constant != Constant::none) {
        c.fire(Rule::argument_free_predefined, step.param, [&] {
          return fmt::format("{} is predefined and cannot be freed", info(constant).name);
        });
        return;
      }
      free_handle(c, step, p.keyvals);
      const Found<Keyval> found = c.find(p.keyvals, Kind::keyval, c.event.handle(step.param));
      if (found.standing == Standing::live && found.object->of != subject(c.info)) {
        fire_other_kind(c, step, found.object->of, *found.object);
      }
      return;
    }
    default:
      return;
  }
}

}  // namespace vouch
