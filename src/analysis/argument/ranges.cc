// Stage: ranges and constants. Ranks, tags, counts, roots, pointers, named constants, strings.

#include <fmt/format.h>

#include "analysis/argument/checks.h"
#include "base/count_words.h"

namespace vouch {
namespace {

// How many ranks there are in what a rank is counted in; -1: not known.
int scope_of(const Checker& c, int other) {
  if (other < 0) return -1;
  switch (c.param(other).kind) {
    case Kind::comm:
      if (const Communicator* comm = c.comm(other)) return comm->peer_size();
      break;
    case Kind::win:
      if (const Window* window = c.window(other); window && window->size > 0) return window->size;
      break;
    case Kind::group:
      if (const Group* group = c.group(other); group && group->members) return group->size;
      break;
    default:
      break;
  }
  return -1;
}

// The words for it, made only for a finding.
std::string scope_name(const Checker& c, int other) {
  if (c.param(other).kind == Kind::win) return "the window";
  if (c.param(other).kind == Kind::group) return "the group";
  const Communicator& comm = *c.comm(other);
  return comm.inter() ? "the remote group of " + c.name(comm) : c.name(comm);
}

const Object& scope_object(const Checker& c, int other) {
  switch (c.param(other).kind) {
    case Kind::comm:
      return *c.comm(other);
    case Kind::win:
      return *c.window(other);
    default:
      return *c.group(other);
  }
}

bool names_source(const Param& p) { return p.arg == Arg::source; }

// Receives and probes: those that name a source.
bool receives(const Checker& c, const Param& tag) {
  if (c.info.family != Family::p2p && c.info.family != Family::probe &&
      c.info.family != Family::partitioned)
    return false;
  return c.info.recv.peer >= 0 && tag.arg != Arg::sendtag;
}

bool null_process_is_fine(const Checker& c) {
  switch (c.info.family) {
    case Family::p2p:
    case Family::probe:
    case Family::partitioned:
    case Family::rma:
    case Family::window:
      return true;
    default:
      return false;
  }
}

// A negative int that is what is left of a larger number.
std::string wrapped(const Checker& c, std::int64_t v) {
  constexpr std::int64_t kRange = std::int64_t{1} << 32;
  if (c.info.has(kLargeCount) || v < INT32_MIN || v > -(1 << 16)) return {};
  return fmt::format("; perhaps {} that did not fit into 32 bits", v + kRange);
}

Rule count_rule(const Checker& c) {
  return c.info.family == Family::datatype && c.info.has(kConstructor) ? Rule::type_constructor
                                                                       : Rule::argument_count;
}

WrongValue wrong_constant(const Checker& c, const Step& step) {
  return {"constant", c.value(step.param), nullptr,
          static_cast<std::int64_t>(c.param(step.param).kind)};
}

// Bits of the constants of a kind, as this library numbers them; 0 if it did not tell.
std::int64_t bits_of(const Process& process, std::initializer_list<Constant> constants) {
  std::int64_t bits = 0;
  for (Constant constant : constants) bits |= static_cast<std::int64_t>(process.raw_of(constant));
  return bits;
}

}  // namespace

void check_rank(Checker& c, const Step& step) {
  const std::int64_t v = c.value(step.param);
  if (!c.significant(step.param)) return;
  const int size = scope_of(c, step.other);
  if (size < 0 || (v >= 0 && v < size)) return;
  const Param& p = c.param(step.param);
  if (v == wire::kProcNull && null_process_is_fine(c)) return;
  if (v == wire::kAnySource && names_source(p)) return;
  c.fire(
      null_process_is_fine(c) ? Charge(Rule::argument_rank) : Charge(Cause::rank_no_null),
      step.param,
      [&] {
        return fmt::format("{} is not in {}, which has {}", c.show(step.param),
                           scope_name(c, step.other), count_words(size, "rank"));
      },
      c.origin(scope_object(c, step.other)), WrongValue{"rank", v, &scope_object(c, step.other)});
}

void check_tag(Checker& c, const Step& step) {
  const std::int64_t v = c.value(step.param);
  if (v >= 0 && v <= 32767) return;
  if (!c.significant(step.param)) return;
  const std::int64_t upper = c.process.tag_ub;
  if (v == wire::kAnyTag && receives(c, c.param(step.param))) return;
  if (v >= 0 && v <= upper) {
    c.fire(Charge(Cause::tag_large, Severity::info), step.param, [&] {
      return fmt::format("{} is above 32767, which not every library allows (this one: up to {})",
                         c.show(step.param), upper);
    });
    return;
  }
  const bool any = v == wire::kAnyTag;
  c.fire(
      any ? Charge(Cause::tag_any) : Charge(Rule::argument_tag), step.param,
      [&] {
        return any ? fmt::format("{} in a call that names one tag", c.show(step.param))
                   : fmt::format("{} is not in 0..{}", c.show(step.param), upper);
      },
      {}, WrongValue{"tag", v});
}

void check_count(Checker& c, const Step& step) {
  const std::int64_t v = c.value(step.param);
  if (v >= 0 || !c.significant(step.param)) return;
  c.fire(
      count_rule(c), step.param,
      [&] { return fmt::format("{} is negative{}", c.show(step.param), wrapped(c, v)); }, {},
      WrongValue{"count", v, c.comm()});
}

void check_counts(Checker& c, const Step& step) {
  if (!c.significant(step.param)) return;
  const ArrayView counts = c.event.array(step.param);
  for (std::uint64_t i = 0; i < counts.size(); ++i) {
    if (counts[i] >= 0) continue;
    c.fire(
        count_rule(c), step.param,
        [&] {
          return fmt::format("{} is negative{}", c.show(step.param, i, counts[i]),
                             wrapped(c, counts[i]));
        },
        {}, WrongValue{"count", counts[i], c.comm(), static_cast<std::int64_t>(i)});
    return;
  }
}

void check_positive(Checker& c, const Step& step) {
  const std::int64_t v = c.value(step.param);
  if (v > 0 || !c.significant(step.param)) return;
  c.fire(
      Cause::count_zero, step.param,
      [&] { return fmt::format("{} is not positive", c.show(step.param)); }, {},
      WrongValue{"count", v, c.comm()});
}

void check_root(Checker& c, const Step& step) {
  const std::int64_t v = c.value(step.param);
  const Communicator* comm = c.comm();
  if (!comm || (v >= 0 && v < comm->peer_size())) return;
  if (comm->inter() && (v == wire::kRoot || v == wire::kProcNull)) return;
  const bool inter = comm->inter();
  c.fire(
      inter ? Charge(Cause::root_inter) : Charge(Rule::argument_root), step.param,
      [&] {
        return inter ? fmt::format(
                           "{} is neither MPI_ROOT, MPI_PROC_NULL nor in the remote group, "
                           "which has {}",
                           c.show(step.param), count_words(comm->peer_size(), "rank"))
                     : fmt::format("{} is not in {}, which has {}", c.show(step.param),
                                   c.name(*comm), count_words(comm->size, "rank"));
      },
      c.origin(*comm), WrongValue{"root", v, comm});
}

void check_pointer(Checker& c, const Step& step) {
  if (c.event.address(step.param) != 0 || !c.significant(step.param)) return;
  c.fire(Rule::argument_pointer, step.param,
         [&] { return fmt::format("{} is NULL", c.param(step.param).name); });
}

void check_array(Checker& c, const Step& step) {
  if (c.event.address(step.param) != 0 || !c.significant(step.param)) return;
  // Displacements beside a buffer that is MPI_IN_PLACE are not looked at either.
  if (step.other >= 0 && !c.significant(step.other)) return;
  const std::int64_t length = c.wanted_length(step.param);
  if (length <= 0) return;
  const bool string = c.param(step.param).length == Length::nul;
  c.fire(Rule::argument_pointer, step.param, [&] {
    return string ? fmt::format("{} is NULL", c.param(step.param).name)
                  : fmt::format("{} is NULL, but has {}", c.param(step.param).name,
                                count_words(length, "entry", "entries"));
  });
}

void check_constant(Checker& c, const Step& step) {
  const std::int64_t v = c.value(step.param);
  const Param& p = c.param(step.param);
  for (int i = 1; i < static_cast<int>(Constant::count_); ++i) {
    const ConstantInfo& constant = info(static_cast<Constant>(i));
    if (constant.kind != p.kind) continue;
    if (v == wire::kConstantBase + i) return;
  }
  if (!c.significant(step.param)) return;
  const auto text = [&] {
    std::string set;
    for (int i = 1; i < static_cast<int>(Constant::count_); ++i) {
      const ConstantInfo& constant = info(static_cast<Constant>(i));
      if (constant.kind == p.kind) set += (set.empty() ? "" : ", ") + std::string(constant.name);
    }
    return fmt::format("{} is not one of {}", c.show(step.param), set);
  };
  c.fire(Rule::argument_constant, step.param, text, {}, wrong_constant(c, step));
}

void check_assert(Checker& c, const Step& step) {
  const std::int64_t known =
      bits_of(c.process, {Constant::mode_nocheck, Constant::mode_nostore, Constant::mode_noput,
                          Constant::mode_noprecede, Constant::mode_nosucceed});
  const std::int64_t v = c.value(step.param);
  if (known == 0 || (v & ~known) == 0) return;
  const auto text = [&] {
    return fmt::format(
        "{} is not a combination of MPI_MODE_NOCHECK, MPI_MODE_NOSTORE, MPI_MODE_NOPUT, "
        "MPI_MODE_NOPRECEDE, MPI_MODE_NOSUCCEED",
        c.show(step.param));
  };
  c.fire(Rule::argument_constant, step.param, text, {}, wrong_constant(c, step));
}

void check_split_type(Checker& c, const Step& step) {
  const std::int64_t v = c.value(step.param);
  if (v == wire::kUndefined || wire::is_canonical(v)) return;
  // Libraries have types of their own here (a socket, a cache level): small numbers.
  if (v >= 0 && v < 64) return;
  const auto text = [&] {
    return fmt::format(
        "{} is not one of MPI_COMM_TYPE_SHARED, MPI_COMM_TYPE_HW_GUIDED, "
        "MPI_COMM_TYPE_HW_UNGUIDED, MPI_UNDEFINED",
        c.show(step.param));
  };
  c.fire(Rule::argument_constant, step.param, text, {}, wrong_constant(c, step));
}

void check_color(Checker& c, const Step& step) {
  const std::int64_t v = c.value(step.param);
  if (v >= 0 || v == wire::kUndefined) return;
  c.fire(
      Cause::constant_colour, step.param,
      [&] { return fmt::format("{} is negative and not MPI_UNDEFINED", c.show(step.param)); }, {},
      wrong_constant(c, step));
}

void check_amode(Checker& c, const Step& step) {
  const Process& p = c.process;
  const std::int64_t read = bits_of(p, {Constant::mode_rdonly});
  const std::int64_t write = bits_of(p, {Constant::mode_wronly});
  const std::int64_t both = bits_of(p, {Constant::mode_rdwr});
  const std::int64_t create = bits_of(p, {Constant::mode_create, Constant::mode_excl});
  const std::int64_t sequential = bits_of(p, {Constant::mode_sequential});
  const std::int64_t known = read | write | both | create | sequential |
                             bits_of(p, {Constant::mode_delete_on_close, Constant::mode_unique_open,
                                         Constant::mode_append});
  if (read == 0 || write == 0 || both == 0) return;
  const std::int64_t v = c.value(step.param);
  const int modes = ((v & read) != 0) + ((v & write) != 0) + ((v & both) != 0);
  const char* why = nullptr;
  Charge charge = Rule::io_mode;
  if ((v & ~known) != 0) {
    charge = Cause::mode_unknown;
    why = "has bits that are not access modes";
  } else if (modes == 0) {
    why = "has none of MPI_MODE_RDONLY, MPI_MODE_WRONLY, MPI_MODE_RDWR";
  } else if (modes > 1) {
    why = "has more than one of MPI_MODE_RDONLY, MPI_MODE_WRONLY, MPI_MODE_RDWR";
  } else if ((v & read) != 0 && (v & create) != 0) {
    charge = Cause::mode_create;
    why = "has MPI_MODE_CREATE or MPI_MODE_EXCL with MPI_MODE_RDONLY";
  } else if ((v & both) != 0 && (v & sequential) != 0) {
    charge = Cause::mode_sequential;
    why = "has MPI_MODE_SEQUENTIAL with MPI_MODE_RDWR";
  } else {
    return;
  }
  c.fire(charge, step.param, [&] { return fmt::format("{} {}", c.show(step.param), why); });
}

void check_offset(Checker& c, const Step& step) {
  const std::int64_t v = c.value(step.param);
  if (v >= 0 || wire::is_canonical(v)) return;
  c.fire(Cause::file_offset, step.param,
         [&] { return fmt::format("{} is negative", c.show(step.param)); });
}

void check_promises(Checker& c, const Step& step) {
  const std::int64_t v = c.value(step.param);
  if (v != wire::kAnySource && v != wire::kAnyTag) return;
  const Communicator* comm = c.comm(step.other);
  if (!comm) return;
  const bool source = v == wire::kAnySource;
  if (source ? !comm->no_any_source : !comm->no_any_tag) return;
  Trails promise;
  promise.add(comm->promised, Proc::none, "promised here");
  c.fire(
      Cause::info_promise, step.param,
      [&] {
        return fmt::format("{}, but {} promised {}", c.show(step.param), c.name(*comm),
                           source ? "mpi_assert_no_any_source" : "mpi_assert_no_any_tag");
      },
      promise);
}

void check_info_key(Checker& c, const Step& step) {
  if (c.event.address(step.param) == 0) return;
  const std::uint64_t length = c.event.length(step.param);
  const std::uint64_t most = c.process.raw_of(Constant::max_info_key);
  if (length == 0) {
    c.fire(Rule::argument_info, step.param,
           [&] { return fmt::format("{} is empty", c.param(step.param).name); });
  } else if (most > 0 && length >= most) {
    // In C the limit has room for the terminating NUL (MPI-4.1 2.6.3).
    c.fire(Rule::argument_info, step.param, [&] {
      return fmt::format("{} has {}; this library takes at most {}", c.param(step.param).name,
                         count_words(length, "character"), most - 1);
    });
  }
}

void check_info_value(Checker& c, const Step& step) {
  if (c.event.address(step.param) == 0) return;
  const std::uint64_t length = c.event.length(step.param);
  const std::uint64_t most = c.process.raw_of(Constant::max_info_val);
  if (most == 0 || length < most) return;
  c.fire(Rule::argument_info, step.param, [&] {
    return fmt::format("{} has {}; this library takes at most {}", c.param(step.param).name,
                       count_words(length, "character"), most - 1);
  });
}

}  // namespace vouch
