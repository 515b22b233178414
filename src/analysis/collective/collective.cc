#include "analysis/collective/collective.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "event/wire.h"
#include "model/effect.h"

namespace vouch {
namespace {

constexpr std::size_t kParts = 8;   // told with their ranks
constexpr std::size_t kPlaces = 4;  // told with their lines

const char* form_of(Proc proc) {
  const ProcInfo& about = info(proc);
  return about.has(kNonblocking)  ? "nonblocking"
         : about.has(kPersistent) ? "persistent"
                                  : "blocking";
}

std::string value_words(std::int64_t v) {
  if (v == wire::kRoot) return "MPI_ROOT";
  if (v == wire::kProcNull) return "MPI_PROC_NULL";
  if (v == wire::kUndefined) return "MPI_UNDEFINED";
  if (wire::is_canonical(v) && v > wire::kConstantBase &&
      v < wire::kConstantBase + static_cast<int>(Constant::count_))
    return info(static_cast<Constant>(v - wire::kConstantBase)).name;
  return std::to_string(v);
}

constexpr int kShown = 16;  // elements of a list
std::string list_words(const std::vector<std::int64_t>& values) {
  std::string text;
  for (std::size_t i = 0; i < values.size() && i < kShown; ++i)
    text += (i > 0 ? "," : "") + value_words(values[i]);
  if (values.size() > kShown) text += ",…";
  return text;
}

// Must all be in place if one is: the row of its send buffer says so.
bool in_place_by_all(const ProcInfo& about) {
  const int buffer = about.param(Arg::sendbuf);
  return buffer >= 0 && about.params[static_cast<std::size_t>(buffer)].in_place == InPlace::all;
}

}  // namespace

Place Collective::place_of(const Attendee& who, const Said& said) const {
  std::string call = info(said.proc).name;
  if (said.rooted) call += fmt::format("(root={})", value_words(said.root));
  return {who.rank, who.site, std::move(call), {}};
}

// Classes with equal words joined; those without words take no part.
std::vector<Collective::Part> Collective::parts_of(
    const Wave& wave, const std::function<std::string(const Said&)>& says) const {
  std::map<std::string, Part> by_words;
  for (const Wave::Class& c : wave.classes) {
    std::string words = says(c.said);
    if (words.empty()) continue;
    Part& part = by_words[words];
    const Attendee& first = c.members[0];
    if (part.ranks.empty() || first.rank < part.place.rank) {
      part.place = place_of(first, c.said);
      part.said = &c.said;
    }
    part.says = std::move(words);
    for (const Attendee& a : c.members) part.ranks.push_back(a.rank.value);
  }
  std::vector<Part> parts;
  for (auto& [words, part] : by_words) {
    std::sort(part.ranks.begin(), part.ranks.end());
    parts.push_back(std::move(part));
  }
  // Who did the same at the same line is named beside the first.
  for (const Wave::Class& c : wave.classes) {
    const std::string words = says(c.said);
    const auto part =
        std::find_if(parts.begin(), parts.end(), [&](const Part& p) { return p.says == words; });
    if (part == parts.end()) continue;
    for (const Attendee& a : c.members) {
      if (a.site == part->place.site && a.rank != part->place.rank)
        part->place.others.push_back(a.rank.value);
    }
  }
  std::sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) {
    return a.ranks.size() != b.ranks.size() ? a.ranks.size() < b.ranks.size()
                                            : a.ranks[0] < b.ranks[0];
  });
  return parts;
}

// Who calls, from where, and who says the same as whom. The order in which they came is none of it.
std::uint64_t Collective::disagreement(const Wave& wave, Rule rule, Severity severity) const {
  std::uint64_t all = static_cast<std::uint64_t>(rule) << 8 | static_cast<std::uint64_t>(severity);
  for (const Wave::Class& c : wave.classes) {
    std::uint64_t members = static_cast<std::uint64_t>(c.said.proc);
    for (const Attendee& a : c.members)
      members += mix(static_cast<std::uint64_t>(a.rank.value), a.site.value);
    all += mix(members, c.members.size());
  }
  return all;
}

bool Collective::again(const Wave& wave, Rule rule, Severity severity) const {
  const auto known = before_.find(disagreement(wave, rule, severity));
  if (known == before_.end() || !sink_.again({rule, severity, known->second})) return false;
  if (severity == Severity::error) blame(wave, rule);
  return true;
}

void Collective::tell(const Wave& wave, Rule rule, Severity severity,
                      const std::vector<Part>& parts, const char* verb) const {
  tell(wave, rule, severity, parts, verb, {});
}

void Collective::tell(const Wave& wave, Rule rule, Severity severity,
                      const std::vector<Part>& parts, const char* verb, const Words& words) const {
  std::string message;
  std::vector<Place> places;
  for (std::size_t i = 0; i < parts.size() && i < kParts; ++i) {
    const Part& p = parts[i];
    if (i > 0) message += "; ";
    message += *verb == '\0' ? fmt::format("{} on {}", p.says, rank_words(p.ranks))
                             : fmt::format("{} {}{} {}", rank_words(p.ranks), verb,
                                           p.ranks.size() == 1 ? "s" : "", p.says);
    if (i < kPlaces) places.push_back(p.place);
  }
  if (parts.size() > kParts) message += fmt::format("; and {} more", parts.size() - kParts);
  places.insert(places.end(), words.places.begin(), words.places.end());
  tell(wave, {.rule = rule,
              .severity = severity,
              .message = message + words.more,
              .cause = words.cause,
              .places = std::move(places),
              .why = words.why,
              .title = words.title,
              .advice = words.advice});
}

void Collective::tell(const Wave& wave, Rule rule, Severity severity, std::string message,
                      std::vector<Place> places) const {
  tell(wave, {.rule = rule,
              .severity = severity,
              .message = std::move(message),
              .places = std::move(places)});
}

void Collective::tell(const Wave& wave, Report report) const {
  const Rule rule = report.rule;
  // Who has called and who has not is said of one communicator.
  if (report.cause.empty() &&
      (rule == Rule::collective_mismatch || rule == Rule::unmatched_collective))
    report.cause = name_of(wave.assembly->constant, wave.assembly->made);
  const Severity severity = report.severity;
  if (before_.size() >= kRemembered) before_.clear();
  std::vector<Involved>& known = before_[disagreement(wave, rule, severity)];
  known.clear();
  for (const Place& p : report.places) known.push_back({p.rank, p.site});
  for (const Wave::Class& c : wave.classes) {
    for (const Attendee& a : c.members) report.involved.push_back({a.rank, a.site});
  }
  sink_.report(std::move(report));
  if (severity == Severity::error) blame(wave, rule);
}

// What the library does in these calls, or with their requests, follows from the finding.
void Collective::blame(const Wave& wave, Rule rule) const {
  const Harms harms = harms_of(rule, Severity::error);
  for (const Wave::Class& c : wave.classes) {
    for (const Attendee& a : c.members) {
      Process& process = world_.process(a.process);
      if (harms.has(Harm::damage)) damage().record_first(process, a.site);
      for (Thread& thread : process.threads) {
        for (int i = 0; i < thread.depth; ++i) {
          Call& call = thread.calls[static_cast<std::size_t>(i)];
          if (call.seq() == a.seq) spoil(call, rule, Severity::error);
        }
      }
      if (info(c.said.proc).has(kBlocking)) continue;
      process.requests.for_each([&](Request& request) {
        if (request.call != a.seq) return;
        request.poisoned = request.poisoned || harms.has(Harm::requests);
        request.blamed = a.site;
      });
    }
  }
}

void Collective::on_not_compared(Site site, const char* why) {
  sink_.not_checked(
      {.what = "collectives of a communicator", .reason = why, .count = 1, .site = site});
}

std::string Collective::name_of(Constant constant, Site made) {
  if (constant != Constant::none) return info(constant).name;
  return "the communicator made at " + mention(made);
}

void Collective::on_enter(Process& process, Call& call) {
  if (call.harms.has(Harm::hang)) excused_.insert(process.index);
  const ProcInfo& about = call.info();
  const int comm = comms_[static_cast<std::size_t>(call.proc())];
  Earlier& latest = latest_[process];
  if (about.has(kDestructor)) {
    if (latest.proc != Proc::none) before_free_[free_key(process.index, call.seq())] = latest;
  } else if (comm >= 0) {
    const Communicator* c = process.comms.find(call.enter().handle(comm));
    if (c != nullptr) latest = {call.proc(), call.site(), c->id, c->constant, c->made};
  }
}

// The library refused it: the process is behind the others from here on.
void Collective::on_leave(Process& process, Call& call, const Event& leave) {
  if (call.broken && leave.error_class() != 0) excused_.insert(process.index);
}

// Whether what its members call may follow from an earlier finding.
bool Collective::excused(const Wave& wave) const {
  if (excused_.empty()) return false;
  return std::any_of(wave.classes.begin(), wave.classes.end(), [&](const Wave::Class& c) {
    return std::any_of(c.members.begin(), c.members.end(),
                       [&](const Attendee& a) { return excused_.count(a.process) != 0; });
  });
}

void Collective::on_wave(const Wave& wave) {
  judge(wave);
  for (const Wave::Class& c : wave.classes) {
    if (!info(c.said.proc).has(kDestructor)) continue;
    for (const Attendee& a : c.members) before_free_.erase(free_key(a.process, a.seq));
  }
}

void Collective::judge(const Wave& wave) {
  if (wave.poisoned || wave.classes.empty()) return;
  if (wave.doubtful) {
    const Proc base = info(wave.classes[0].said.proc).base;
    const bool same =
        std::all_of(wave.classes.begin(), wave.classes.end(),
                    [&](const Wave::Class& c) { return info(c.said.proc).base == base; });
    if (!same) {
      sink_.not_checked({.what = "collectives of a communicator",
                         .reason = "an earlier call on it failed or was not recorded",
                         .count = 1,
                         .site = wave.classes[0].members[0].site});
    }
    return;
  }
  if (!out_of_step_.empty() && out_of_step_.count(wave.assembly->key) != 0) return;
  if (!same_call(wave) || !all_join(wave)) {
    out_of_step_.insert(wave.assembly->key);
    return;
  }
  const Said& first = wave.classes[0].said;
  const ProcInfo& about = info(first.proc);
  if (first.rooted && !same_root(wave)) return;
  if (about.family == Family::io) return file(wave);
  if (about.has(kConstructor)) return constructor(wave);
  if (about.family != Family::collective && about.family != Family::neighbour) return;
  same_op(wave);
  if (same_place(wave)) data(wave);
}

bool Collective::same_call(const Wave& wave) {
  const Proc proc = wave.classes[0].said.proc;
  if (std::all_of(wave.classes.begin(), wave.classes.end(),
                  [&](const Wave::Class& c) { return c.said.proc == proc; }))
    return true;
  std::vector<Part> parts =
      parts_of(wave, [](const Said& s) { return std::string(info(info(s.proc).base).name); });
  if (parts.size() > 1 && excused(wave)) return false;
  if (parts.size() > 1 && other_communicator(wave)) return false;
  if (parts.size() > 1) {
    // By the names that the program has used.
    parts = parts_of(wave, [](const Said& s) { return std::string(info(s.proc).name); });
    tell(wave, Rule::collective_mismatch, Severity::error, parts, "call");
    return false;
  }
  parts = parts_of(wave, [](const Said& s) { return std::string(form_of(s.proc)); });
  if (parts.size() <= 1) return true;
  parts = parts_of(wave, [](const Said& s) { return std::string(info(s.proc).name); });
  tell(wave, Rule::collective_blocking, Severity::error, parts, "call",
       {.more = "; these do not match each other"});
  return false;
}

bool Collective::same_root(const Wave& wave) {
  if (wave.assembly->inter) return inter_root(wave);
  const std::int64_t root = wave.classes[0].said.root;
  if (std::all_of(wave.classes.begin(), wave.classes.end(),
                  [&](const Wave::Class& c) { return c.said.root == root; }))
    return true;
  if (again(wave, Rule::collective_root, Severity::error)) return false;
  tell(wave, Rule::collective_root, Severity::error,
       parts_of(wave, [](const Said& s) { return fmt::format("root={}", value_words(s.root)); }),
       "");
  return false;
}

// MPI-4.1 6.2.3: the root passes MPI_ROOT, its mates MPI_PROC_NULL, the other group the root's
// rank.
bool Collective::inter_root(const Wave& wave) {
  std::size_t roots = 0;
  bool nobody = true, sound = true;
  Seat root;
  for (const Wave::Class& c : wave.classes) {
    nobody = nobody && c.said.root == wire::kProcNull;
    if (!c.said.at_root) continue;
    roots += c.members.size();
    root = {&c.members[0], &c.said};
  }
  if (nobody || (roots == 0 && !wave.complete)) return false;
  sound = roots == 1;
  for (const Wave::Class& c : wave.classes) {
    if (!sound || c.said.at_root) continue;
    sound = c.said.side == root.said->side ? c.said.root == wire::kProcNull
                                           : c.said.root == root.who->me;
  }
  if (sound) return true;
  if (again(wave, Rule::collective_root, Severity::error)) return false;
  const std::string advice =
      "In the root's group pass MPI_ROOT at the root and MPI_PROC_NULL elsewhere, in the other "
      "group "
      "the root's rank.";
  if (roots != 1) {
    tell(wave, Rule::collective_root, Severity::error,
         parts_of(wave, [](const Said& s) { return fmt::format("root={}", value_words(s.root)); }),
         "",
         {.more = roots == 0 ? "; no process passes MPI_ROOT"
                             : fmt::format("; {} processes pass MPI_ROOT", roots),
          .advice = advice});
    return false;
  }
  // Who is wrong stands first, with what it must pass.
  constexpr const char* kMust = ", where it must be ";
  const int me = root.who->me;
  std::vector<Part> parts = parts_of(wave, [&](const Said& s) {
    if (s.at_root) return fmt::format("root={}", value_words(s.root));
    const bool mates = s.side == root.said->side;
    const std::int64_t right = mates ? wire::kProcNull : me;
    std::string says =
        fmt::format("root={} in the {} group", value_words(s.root), mates ? "root's" : "other");
    if (s.root != right) says += kMust + value_words(right);
    return says;
  });
  std::stable_partition(parts.begin(), parts.end(),
                        [&](const Part& p) { return p.says.find(kMust) != std::string::npos; });
  tell(wave, Rule::collective_root, Severity::error, parts, "", {.advice = advice});
  return false;
}

void Collective::same_op(const Wave& wave) {
  const auto words = [](const Said& s) {
    if (!s.reduces) return std::string();
    return std::string(s.op == Constant::none ? "an operation of the program" : info(s.op).name);
  };
  const Wave::Class* first = nullptr;
  bool same = true;
  for (const Wave::Class& c : wave.classes) {
    if (!c.said.reduces) continue;
    if (first == nullptr) first = &c;
    same = same && c.said.op == first->said.op;
  }
  if (!same && !again(wave, Rule::collective_op, Severity::error))
    tell(wave, Rule::collective_op, Severity::error, parts_of(wave, words), "");
}

bool Collective::same_place(const Wave& wave) {
  const Said& first = wave.classes[0].said;
  if (wave.assembly->inter || !in_place_by_all(info(first.proc))) return true;
  if (std::all_of(wave.classes.begin(), wave.classes.end(),
                  [&](const Wave::Class& c) { return c.said.in_place == first.in_place; }))
    return true;
  bool exchanges = false;
  switch (info(first.proc).base) {
    case Proc::alltoall:
    case Proc::alltoallv:
    case Proc::alltoallw:
      exchanges = true;
      break;
    default:
      break;
  }
  const Severity severity = exchanges ? Severity::error : Severity::warning;
  if (again(wave, Rule::collective_in_place, severity)) return false;
  std::vector<Part> parts = parts_of(wave, [](const Said& s) {
    return std::string(s.in_place ? "MPI_IN_PLACE" : "a send buffer");
  });
  tell(wave, Rule::collective_in_place, severity, parts, "");
  return false;
}

// Constructors ------------------------------------------------
void Collective::constructor(const Wave& wave) {
  const Said& first = wave.classes[0].said;
  const ProcInfo& about = info(first.proc);
  if (about.base == Proc::comm_create && !wave.assembly->inter) return groups(wave);
  const std::span<const std::int8_t> params = info(first.proc).agree;
  const bool by_group = about.base == Proc::intercomm_merge;
  const bool adjacent = about.base == Proc::dist_graph_create_adjacent;
  // What follows the first is each member's own.
  for (std::size_t i = 0; i < (adjacent ? 1 : params.size()); ++i) {
    const char* name = about.params[static_cast<std::size_t>(params[i])].name;
    const bool list = about.params[static_cast<std::size_t>(params[i])].is_array();
    for (int side = 0; side < (by_group ? 2 : 1); ++side) {
      const std::vector<Part> parts = parts_of(wave, [&](const Said& s) {
        if (by_group && s.side != side) return std::string();
        if (!list && s.args[i][0] == wire::kUndefined) return std::string();
        return list ? fmt::format("{}=[{}]", name, list_words(s.args[i]))
                    : fmt::format("{}={}", name, value_words(s.args[i][0]));
      });
      if (parts.size() < 2) continue;
      return tell(wave, Rule::collective_constructor, Severity::error, parts, "");
    }
  }
  if (adjacent) adjacency(wave);
}

// MPI-4.1 7.4.2: each group is the same, order included, for all its members; the groups of others
// do not matter to them.
void Collective::groups(const Wave& wave) {
  const auto words = [](const Said& s) {
    if (s.group == nullptr) return std::string();
    std::vector<std::int64_t> ranks;
    for (const int r : first_of(*s.group, kShown + 1).list()) ranks.push_back(r);
    return fmt::format("group={{{}}}", list_words(ranks));
  };
  for (const Wave::Class& c : wave.classes) {
    if (c.said.group == nullptr) continue;
    const bool member = std::any_of(c.members.begin(), c.members.end(), [&](const Attendee& a) {
      return c.said.group->rank_of(a.rank).value >= 0;
    });
    if (!member) continue;
    for (const Wave::Class& other : wave.classes) {
      if (other.said.group == nullptr || other.said.group == c.said.group) continue;
      const bool concerned =
          std::any_of(other.members.begin(), other.members.end(),
                      [&](const Attendee& a) { return c.said.group->rank_of(a.rank).value >= 0; });
      if (concerned)
        return tell(wave, Rule::collective_constructor, Severity::error, parts_of(wave, words), "");
    }
  }
}

}  // namespace vouch
