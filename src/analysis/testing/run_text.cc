#include "analysis/testing/run_text.h"

#include <array>
#include <map>
#include <set>
#include <utility>

#include "event/text.h"
#include "match/facts.h"
#include "model/replay.h"
#include "report/collector.h"
#include "report/harm.h"

namespace vouch {
namespace {

class Collected : public Sink {
 public:
  void report(Report r) override { reports.push_back(std::move(r)); }
  bool consequence(WorldRank rank, Site site, Harms harms, std::string) override {
    for (auto r = reports.rbegin(); r != reports.rend(); ++r) {
      if (r->severity != Severity::error || !harms_of(r->rule, r->severity).any(harms)) continue;
      if (!r->places.empty() && r->places[0].rank == rank && r->places[0].site == site) return true;
      for (const Involved& call : r->involved) {
        if (call.rank == rank && call.site == site) return true;
      }
    }
    return false;
  }
  void not_checked(NotChecked n) override { unchecked.insert(n.what); }

  std::vector<Report> reports;
  std::set<std::string> unchecked;
};

const char* name_of(Severity s) {
  return s == Severity::error ? "error" : s == Severity::warning ? "warning" : "info";
}

class Driver : public Replay::Listener {
 public:
  Driver(World& world, Sink& sink, const MakeAnalyses& make)
      : analyses_(make(world, sink)), facts_(world) {
    for (MatchObserver* observer : analyses_.observers) facts_.observe(observer);
    for (ActListener* listener : analyses_.act_listeners) facts_.listen(listener);
  }

  void on_enter(Process& p, Call& c) override {
    for (const auto& a : analyses_.in_order) {
      if (a->wants(c.proc()).enter_of(c)) a->on_enter(p, c);
    }
    if (std::exchange(*analyses_.wants_changed, false)) facts_.ask_listeners();
    if (facts_.sees_enter(c.proc())) facts_.enter(p, c);
  }
  void on_leave(Process& p, Call& c, const Event& leave) override {
    for (const auto& a : analyses_.in_order) {
      if (a->wants(c.proc()).leave_of(c.fine(leave.error_class()))) a->on_leave(p, c, leave);
    }
    if (facts_.sees_leave(c.proc())) facts_.leave(p, c, leave);
  }
  void on_memory(Process& p, int thread, const Event& meta) override {
    for (MetaListener* a : analyses_.listeners) a->on_memory(p, thread, meta);
  }
  void on_access(Process& p, const Event& meta) override {
    for (MetaListener* a : analyses_.listeners) a->on_access(p, meta);
    if (std::exchange(*analyses_.wants_changed, false)) facts_.ask_listeners();
  }
  void on_claim(Process& p, const Event& meta) override {
    for (MetaListener* a : analyses_.listeners) a->on_claim(p, meta);
  }
  void on_inside(Process& p, Call& call, Call& other) override {
    for (MetaListener* a : analyses_.listeners) a->on_inside(p, call, other);
  }
  void on_end(Process& p) override {
    for (const auto& a : analyses_.in_order) a->on_end(p);
  }
  void finish() {
    facts_.finish();
    for (const auto& a : analyses_.in_order) a->finish();
  }

 private:
  Analyses analyses_;
  Facts facts_;
};

TextReports run_trace(const TextTrace& trace, const MakeAnalyses& make) {
  World world;
  Collected sink;
  Driver driver(world, sink, make);
  Replay replay(world);
  replay.run(trace, &driver);
  driver.finish();
  return {std::move(sink.reports), std::move(sink.unchecked), trace.sites};
}

std::string run_and_tell(std::string_view text, const MakeAnalyses& make, bool messages) {
  const Result<TextTrace> trace = read_text(text);
  if (!trace) return "text " + trace.error() + "\n";
  const TextReports sink = run_trace(trace.value(), make);

  if (messages) {
    std::set<std::string> lines;
    for (const Report& r : sink.reports)
      lines.insert(std::string(info(r.rule).id) + ": " + r.message + "\n");
    std::string result;
    for (const std::string& line : lines) result += line;
    return result;
  }
  // (rule, place, severity) -> ranks that take part by themselves, not as the place where something
  // was made.
  std::map<std::array<std::string, 3>, std::set<int>> found;
  for (const Report& r : sink.reports) {
    std::string place;
    if (!r.places.empty()) place = trace.value().sites.at(r.places[0].site.value);
    const bool usual = r.severity == info(r.rule).severity;
    std::set<int>& ranks = found[{info(r.rule).id, place.empty() ? "" : " @" + place,
                                  usual ? "" : name_of(r.severity)}];
    for (std::size_t i = 0; i < r.places.size(); ++i) {
      if (i == 0 || r.places[i].role.empty()) ranks.insert(r.places[i].rank.value);
    }
  }
  std::string result;
  for (const auto& [key, ranks] : found) {
    std::string list;
    for (const int rank : ranks) list += (list.empty() ? "" : ",") + std::to_string(rank);
    result += key[0] + (list.empty() ? "" : " ranks=" + list) + key[1] +
              (key[2].empty() ? "" : " (" + key[2] + ")") + "\n";
  }
  for (const std::string& what : sink.unchecked) result += "not-checked " + what + "\n";
  return result;
}

}  // namespace

Summary run_text_summary(std::string_view text, const MakeAnalyses& make) {
  const Result<TextTrace> trace = read_text(text);
  VOUCH_CHECK(trace.ok());
  World world;
  SiteTable sites;
  for (std::size_t i = 1; i < trace.value().sites.size(); ++i)
    VOUCH_CHECK(sites.intern_text(trace.value().sites[i]) == Site{static_cast<std::uint32_t>(i)});
  Collector collector(sites);
  Driver driver(world, collector, make);
  Replay replay(world);
  replay.run(trace.value(), &driver);
  driver.finish();
  Summary summary = collector.summary();
  summary.ranks = world.size();
  return summary;
}

TextReports run_text_reports(std::string_view text, const MakeAnalyses& make) {
  const Result<TextTrace> trace = read_text(text);
  VOUCH_CHECK(trace.ok());
  return run_trace(trace.value(), make);
}

std::string run_text(std::string_view text, const MakeAnalyses& make) {
  return run_and_tell(text, make, false);
}
std::string run_text_messages(std::string_view text, const MakeAnalyses& make) {
  return run_and_tell(text, make, true);
}

}  // namespace vouch
