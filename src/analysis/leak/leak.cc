#include "analysis/leak/leak.h"

#include <utility>

#include <fmt/format.h>

namespace vouch {
namespace {

constexpr std::size_t kSlots = 4096;
constexpr std::size_t kMaxOverwritten = 4096;
// Live objects of a site pass 1000 and double twice, none freed: it grows with the run.
constexpr std::uint64_t kGrowth = 4000;

struct ClassInfo {
  Kind kind;
  Rule rule;
  const char* gone;  // what ends its life
};

// In the order of Leak::Class.
constexpr ClassInfo kClassInfo[] = {
    {Kind::request, Rule::leak_request, "completed"},
    {Kind::message, Rule::leak_message, "received"},
    {Kind::file, Rule::leak_file, "closed"},
    {Kind::session, Rule::leak_session, "finalized"},
    {Kind::comm, Rule::leak_communicator, "freed"},
    {Kind::datatype, Rule::leak_datatype, "freed"},
    {Kind::group, Rule::leak_group, "freed"},
    {Kind::op, Rule::leak_op, "freed"},
    {Kind::win, Rule::leak_window, "freed"},
    {Kind::info, Rule::leak_info, "freed"},
    {Kind::errhandler, Rule::leak_errhandler, "freed"},
    {Kind::keyval, Rule::leak_keyval, "freed"},
};

// What the standard forbids or need not be freed [U28].
// A connection to another world has a rule of its own, dynamic/disconnect.
bool permanent(const Communicator& c) {
  return c.made_by == Proc::comm_get_parent || c.connects() || !c.ready;
}
bool permanent(const Datatype& t) {
  return t.made_by == Proc::type_create_f90_integer || t.made_by == Proc::type_create_f90_real ||
         t.made_by == Proc::type_create_f90_complex;
}
bool permanent(const Message& m) { return m.no_proc; }
bool permanent(const Object&) { return false; }

bool ends_a_life(Proc proc) {
  return info(proc).has(kDestructor) || info(proc).family == Family::completion;
}

}  // namespace

struct Leak::Lost {
  const Object* first = nullptr;
  std::uint64_t alive = 0;
  Overwriter by{};
};

Leak::Leak(World& world, Sink& sink) : Analysis(world, sink) {
  outputs_.resize(static_cast<std::size_t>(Proc::count_));
  for (std::size_t i = 1; i < outputs_.size(); ++i) {
    std::size_t n = 0;
    const ProcInfo& about = info(static_cast<Proc>(i));
    for (std::size_t p = 0; p < about.params.size() && n < outputs_[i].size(); ++p) {
      const Param& param = about.params[p];
      const Class what = class_of(param.kind);
      if (what != kClasses && param.dir == Dir::out && param.leave_word >= 0)
        outputs_[i][n++] = {what, param.kind, param.leave_word, param.enter_word, param.is_array()};
    }
  }
}

Leak::~Leak() = default;

Leak::Class Leak::class_of(Kind kind) {
  for (std::uint8_t i = 0; i < kClasses; ++i)
    if (kClassInfo[i].kind == kind) return static_cast<Class>(i);
  return kClasses;
}

Wants Leak::wants(Proc proc) const {
  return {.enter = ends_a_life(proc),
          .leave = proc == Proc::finalize || proc == Proc::session_finalize ||
                   outputs_[static_cast<std::size_t>(proc)][0].what != kClasses};
}

void Leak::count(Tally& tally, Class what, Site site, std::uint32_t times) {
  std::vector<std::uint32_t>& made = tally.made[what];
  if (site.value >= made.size()) made.resize(site.value + 1);
  made[site.value] += times;
}

void Leak::repeated(const Process& process, Site site, Proc proc, std::uint64_t times) {
  for (const Output& output : outputs_[static_cast<std::size_t>(proc)]) {
    if (output.what != kClasses)
      count(tallies_[process], output.what, site, static_cast<std::uint32_t>(times));
  }
}

// Freed after MPI_Finalize: that is too late, and the finding is lifecycle/after-finalize.
void Leak::on_enter(Process& process, Call& call) {
  if (process.phase != Phase::finalized || process.live_sessions != 0) return;
  Tally& mine = tallies_[process];
  const auto skip = [&](Class what, std::uint64_t raw, const auto& table) {
    if (const auto* object = table.find(raw))
      mine.told.insert({what, object->raw, object->generation});
  };
  const Event enter = call.enter();
  for (int i = 0; i < static_cast<int>(call.info().params.size()); ++i) {
    const Param& p = call.info().params[static_cast<std::size_t>(i)];
    if (p.dir != Dir::inout) continue;
    const std::uint64_t n = p.is_array() ? enter.array(i).size() : 1;
    for (std::uint64_t k = 0; k < n; ++k) {
      const std::uint64_t raw =
          p.is_array() ? static_cast<std::uint64_t>(enter.array(i)[k]) : enter.handle(i);
      switch (p.kind) {
        case Kind::request:
          skip(request, raw, process.requests);
          break;
        case Kind::file:
          skip(file, raw, process.files);
          break;
        case Kind::comm:
          skip(communicator, raw, process.comms);
          break;
        case Kind::win:
          skip(window, raw, process.windows);
          break;
        case Kind::datatype:
          skip(datatype, raw, process.datatypes);
          break;
        case Kind::group:
          skip(group, raw, process.groups);
          break;
        case Kind::op:
          skip(op, raw, process.ops);
          break;
        case Kind::info:
          skip(info_object, raw, process.infos);
          break;
        case Kind::errhandler:
          skip(errhandler, raw, process.errhandlers);
          break;
        case Kind::keyval:
          skip(keyval, raw, process.keyvals);
          break;
        default:
          break;
      }
    }
  }
}

void Leak::on_leave(Process& process, Call& call, const Event& leave) {
  if (call.proc() == Proc::finalize) {
    // With a session open MPI is not down: its objects are judged when it ends.
    if (!call.poisoned && leave.error_class() == 0 && process.live_sessions == 0)
      tallies_[process].finalized = true;
    return;
  }
  if (call.proc() == Proc::session_finalize) {
    // Objects do not tell which session they belong to: with several, the last one to end answers
    // for all.
    const bool world_up = process.phase == Phase::running || process.phase == Phase::finalizing;
    if (!call.poisoned && leave.error_class() == 0 && process.live_sessions == 1 && !world_up)
      judge(process, true);
    return;
  }
  if (leave.error_class() != 0) return;
  // MPI_Improbe that has found nothing has made nothing, whatever its message is.
  const std::int8_t flag = call.info().at.flag;
  if (flag >= 0 && leave.has_words() && leave.result(flag) == 0) return;
  Tally& mine = tallies_[process];
  for (const Output& output : outputs_[static_cast<std::size_t>(call.proc())]) {
    if (output.what == kClasses) break;
    if (output.what == session) mine.used_sessions = true;
    if (output.array) continue;  // MPI_Type_get_contents
    const std::uint64_t raw = leave.word(output.word);
    if (output.what == request) {
      watch_variable(process, mine, call, call.enter().word(output.variable), raw);
    } else if (process.constant_of(output.kind, raw) != Constant::none) {
      continue;  // null, or predefined
    }
    count(mine, output.what, call.site());
  }
}

void Leak::watch_variable(const Process& process, Tally& tally, const Call& call,
                          std::uint64_t variable, std::uint64_t raw) {
  if (call.fortran()) return;  // the address is one of the binding's own
  if (tally.slots.empty()) tally.slots.resize(kSlots);
  Slot& slot = tally.slots[(variable >> 2) % kSlots];
  if (slot.variable == variable) {
    if (const Request* newest = process.requests.find(slot.raw)) {
      const Request* kept = newest->kept_exactly(variable);
      const bool lost = kept != nullptr && kept->call == slot.call && !kept->persistent;
      if (lost && tally.overwritten.size() < kMaxOverwritten)
        tally.overwritten.emplace(slot.call, Overwriter{call.site(), call.proc()});
    }
  }
  slot = {variable, raw, call.seq()};
}

void Leak::finish() {
  for (std::size_t i = 0; i < world_.processes(); ++i) {
    Process& process = world_.process(i);
    if (std::exchange(tallies_[process].finalized, false)) judge(process, false);
  }
}

void Leak::on_end(Process& process) {
  if (std::exchange(tallies_[process].finalized, false)) judge(process, false);
  if (process.end != End::exited || process.aborted || process.killed_from_outside) return;
  const bool sessions_only = process.phase == Phase::before_init && tallies_[process].used_sessions;
  // Ending with a session open and a status of its own is the program giving up (crash/exit).
  if (process.live_sessions > 0 && process.exit_status != 0) return;
  if (process.phase == Phase::finalized || sessions_only) judge(process, false);
}

void Leak::judge(Process& process, bool bound) {
  judge_requests(process);
  judge_table(process, message, process.messages);
  judge_table(process, file, process.files);
  judge_table(process, communicator, process.comms);
  judge_table(process, window, process.windows);
  if (bound) return;
  if (process.end != End::alive) judge_table(process, session, process.sessions);
  judge_table(process, datatype, process.datatypes);
  judge_table(process, group, process.groups);
  judge_table(process, op, process.ops);
  judge_table(process, info_object, process.infos);
  judge_table(process, errhandler, process.errhandlers);
  judge_table(process, keyval, process.keyvals);
}

template <typename T>
void Leak::judge_table(Process& process, Class what, const Table<T>& table) {
  std::map<Site, Lost> by_site;
  std::set<std::array<std::uint64_t, 3>>& told = tallies_[process].told;
  table.for_each([&](const T& object) {
    if (object.predefined() || object.poisoned || permanent(object)) return;
    if (!told.insert({what, object.raw, object.generation}).second) return;
    Lost& lost = by_site[object.made];
    if (lost.first == nullptr) lost.first = &object;
    ++lost.alive;
  });
  tell(process, what, by_site);
}

void Leak::judge_requests(Process& process) {
  std::map<Site, Lost> active, inactive;
  Tally& mine = tallies_[process];
  const auto look = [&](const Request& r) {
    if (r.poisoned || r.kind == RequestKind::generalized) return;
    Lost& lost = r.state == RequestState::inactive ? inactive[r.made] : active[r.made];
    if (lost.first == nullptr) lost.first = &r;
    ++lost.alive;
    const auto by = mine.overwritten.find(r.call);
    if (by != mine.overwritten.end() && lost.by.proc == Proc::none) lost.by = by->second;
  };
  process.requests.for_each([&](const Request& newest) {
    if (!mine.told.insert({request, newest.raw, newest.generation}).second) return;
    look(newest);
    for (const Request& twin : newest.twins) look(twin);
  });
  tell(process, request, active);
  for (const auto& [site, lost] : inactive)
    sink_.report({.rule = Rule::leak_request,
                  .severity = Severity::warning,
                  .message = lost.alive == 1
                                 ? "made here, never freed"
                                 : fmt::format("{} of those made here are never freed", lost.alive),
                  .cause = info(Cause::persistent_leak).key,
                  .places = {made_place(process, *lost.first)},
                  .why = Cause::persistent_leak});
}

void Leak::tell(Process& process, Class what, const std::map<Site, Lost>& by_site) {
  const ClassInfo& about = kClassInfo[what];
  const std::vector<std::uint32_t>& counts = tallies_[process].made[what];
  for (const auto& [site, lost] : by_site) {
    // Objects made in arrays are not counted one by one.
    const std::uint64_t counted = site.value < counts.size() ? counts[site.value] : 0;
    const std::uint64_t made = std::max(counted, lost.alive);
    const bool growing = info(about.rule).severity == Severity::warning && lost.alive >= kGrowth &&
                         made == lost.alive;
    std::string message =
        growing     ? fmt::format("{} made here and alive at the end, none {}", made, about.gone)
        : made == 1 ? fmt::format("made here, never {}", about.gone)
        : made == lost.alive ? fmt::format("none of {} made here is {}", made, about.gone)
                             : fmt::format("{} of {} made here {} never {}", lost.alive, made,
                                           lost.alive == 1 ? "is" : "are", about.gone);
    std::vector<Place> places{made_place(process, *lost.first)};
    if (lost.by.proc != Proc::none) {
      message += fmt::format("; its variable was overwritten by {} while it was active",
                             info(lost.by.proc).name);
      places.push_back(
          {process.rank, lost.by.site, info(lost.by.proc).name, "overwrote its handle"});
    }
    const Rule rule = growing ? Rule::leak_growth : about.rule;
    sink_.report({.rule = rule,
                  .severity = info(rule).severity,
                  .message = std::move(message),
                  .cause = {},
                  .places = std::move(places)});
  }
}

}  // namespace vouch
