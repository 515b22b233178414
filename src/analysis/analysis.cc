#include "analysis/analysis.h"

#include <utility>

#include "event/text.h"

namespace vouch {
namespace {

// What tells one call from the next in a report. Buffers and outputs do not.
bool is_telling(const Param& p) {
  if (p.is_array() || p.dir != Dir::in || p.enter_word < 0) return false;
  switch (p.kind) {
    case Kind::rank:
    case Kind::tag:
    case Kind::root:
    case Kind::count:
    case Kind::color:
    case Kind::direction:
    case Kind::lock_type:
    case Kind::partition:
      return true;
    default:
      return false;
  }
}

// Some arguments matter only at the leader of a group.
bool leads(const Process& process, const Call& call) {
  const ProcInfo& about = call.info();
  const Event enter = call.enter();
  const std::int64_t leader = enter.value(about.param(Arg::local_leader));
  if (const int comm = about.param(Arg::local_comm); comm >= 0) {
    const Communicator* c = process.comms.find(enter.handle(comm));
    return c == nullptr || c->rank == leader;
  }
  const int group = about.param(Arg::local_group);
  const Group* g = group < 0 ? nullptr : process.groups.find(enter.handle(group));
  return g == nullptr || g->members == nullptr || g->members->rank_of(process.rank).value == leader;
}

Place object_place(const Process& process, Site site, Proc by, std::string role) {
  return {process.rank, site, by == Proc::none ? std::string() : info(by).name, std::move(role)};
}

}  // namespace

void Analysis::report(Process& process, Call& call, Rule rule, std::string message,
                      std::string cause, std::vector<Place> more) {
  report(process, call, rule, info(rule).severity, std::move(message), std::move(cause),
         std::move(more));
}

void Analysis::report(Process& process, Call& call, Rule rule, Severity severity,
                      std::string message, std::string cause, std::vector<Place> more) {
  Report report;
  report.rule = rule;
  report.severity = severity;
  report.message = std::move(message);
  report.cause = std::move(cause);
  report.places.reserve(1 + more.size());
  report.places.push_back(place_of(process, call));
  for (Place& place : more) report.places.push_back(std::move(place));
  sink_.report(std::move(report));
  spoil(call, rule, severity);
}

void Analysis::report(Process& process, Call& call, Cause cause, Severity severity,
                      std::string message, std::vector<Place> more, std::string common) {
  Report report;
  report.rule = info(cause).rule;
  report.severity = severity;
  report.message = std::move(message);
  report.cause = info(cause).key;
  report.why = cause;
  report.common = std::move(common);
  report.places = std::move(more);
  report.places.insert(report.places.begin(), place_of(process, call));
  const Rule rule = report.rule;
  sink_.report(std::move(report));
  spoil(call, rule, severity);
}

bool Analysis::again(const Process& process, Call& call, Rule rule, Severity severity,
                     std::string_view cause, std::initializer_list<Site> more) {
  constexpr std::size_t kPlaces = 4;
  Involved places[kPlaces] = {{process.rank, call.site()}};
  std::size_t n = 1;
  for (const Site site : more) {
    if (n == kPlaces) return false;
    places[n++] = {process.rank, site};
  }
  if (!sink_.again({rule, severity, {places, n}, cause})) return false;
  spoil(call, rule, severity);
  return true;
}

void spoil(Call& call, Rule rule, Severity severity) {
  call.spoil(harms_of(rule, severity), severity == Severity::error);
}

Place place_of(const Process& process, const Call& call, std::string role) {
  const ProcInfo& proc = call.info();
  const Event enter = call.enter();
  TextContext context;
  context.rank = process.rank.value;
  context.constant_of = [&process](Kind kind, std::uint64_t raw) {
    return process.constant_of(kind, raw);
  };
  std::string text = proc.name;
  const char* separator = "(";
  for (int i = 0; i < static_cast<int>(proc.params.size()); ++i) {
    const Param& p = proc.params[static_cast<std::size_t>(i)];
    if (!is_telling(p)) continue;
    if (p.significant == Significant::leader && !leads(process, call)) continue;
    text += separator;
    text += p.name;
    text += '=';
    if (wire::is_canonical(enter.value(i))) text += "MPI_";  // a named constant
    text += print_value(enter, i, context);
    separator = ", ";
  }
  if (*separator == ',') text += ')';
  return {process.rank, call.site(), std::move(text), std::move(role)};
}

Place made_place(const Process& process, const Object& object, std::string role) {
  return object_place(process, object.made, object.made_by, std::move(role));
}

Place freed_place(const Process& process, const Object& object, std::string role) {
  return object_place(process, object.freed, object.freed_by, std::move(role));
}

}  // namespace vouch
