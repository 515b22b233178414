#include "report/merge.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "report/collector.h"
#include "report/identity.h"
#include "report/ways.h"

namespace vouch {
namespace {

int offender(const Finding& f) { return f.locations.empty() ? -1 : f.locations[0].rank; }

void unite(std::vector<int>& into, const std::vector<int>& from) {
  into.insert(into.end(), from.begin(), from.end());
  std::sort(into.begin(), into.end());
  into.erase(std::unique(into.begin(), into.end()), into.end());
}

// Other ways to the offender's line (--stacks), which another agent has seen.
void join_ways(Finding& into, const Finding& from) {
  if (into.locations.empty() || into.locations[0].stack.empty()) return;
  const auto frames = [](const Location& l) {
    std::vector<std::pair<std::string, int>> all;
    for (const Caller& c : l.stack) all.emplace_back(c.file, c.line);
    return all;
  };
  for (std::size_t i = 0; i < from.locations.size(); ++i) {
    const Location& way = from.locations[i];
    if (way.stack.size() < 2 || (i > 0 && !way.role.starts_with(kAlsoCalledFrom))) continue;
    std::size_t ways = 0;
    bool known = false;
    for (std::size_t k = 0; k < into.locations.size(); ++k) {
      const Location& l = into.locations[k];
      if (k > 0 && !l.role.starts_with(kAlsoCalledFrom)) continue;
      ++ways;
      known = known || frames(l) == frames(way);
    }
    if (known || ways >= Collector::kMaxWays) continue;
    into.locations.push_back(way);
    into.locations.back().role = also_called_from(way);
  }
}

// Lines that are wrong for one reason, and of which each agent has seen some.
void add_places(Finding& into, std::vector<Location> more) {
  for (Location& l : more) {
    const auto same = [&](const Location& known) { return where(known) == where(l); };
    if (std::any_of(into.locations.begin(), into.locations.end(), same)) continue;
    if (into.locations.size() > Collector::kMaxAlso) return;
    if (l.role.empty()) l.role = Collector::kAlso;
    into.locations.push_back(std::move(l));
  }
}

void join(Finding& into, Finding from) {
  const bool better =
      into.potential != from.potential ? into.potential : offender(from) < offender(into);
  if (better) std::swap(into, from);
  into.count += from.count;
  unite(into.ranks, from.ranks);
  join_ways(into, from);
  if (!into.common.empty()) add_places(into, std::move(from.locations));
  into.lines = std::max(into.lines, from.lines);
  for (std::string& text : from.consequences) {
    auto& list = into.consequences;
    if (list.size() < Collector::kMaxConsequences &&
        std::find(list.begin(), list.end(), text) == list.end())
      list.push_back(std::move(text));
  }
}

}  // namespace

void merge(Summary& into, Summary from) {
  // Lines may have several things in common (a rank's wrong value, that of another rank), and each
  // agent has seen another one first: then the lines decide.
  std::map<std::string, std::size_t> known, by_places;
  for (std::size_t i = 0; i < into.findings.size(); ++i) {
    known.emplace(identity(into.findings[i]), i);
    by_places.emplace(identity_by_places(into.findings[i]), i);
  }
  for (Finding& f : from.findings) {
    auto [at, is_new] = known.emplace(identity(f), into.findings.size());
    if (is_new) {
      const auto same = by_places.find(identity_by_places(f));
      is_new = same == by_places.end();
      if (!is_new) at->second = same->second;
    }
    if (is_new) {
      into.findings.push_back(std::move(f));
    } else {
      join(into.findings[at->second], std::move(f));
    }
  }
  std::stable_sort(into.findings.begin(), into.findings.end(),
                   [](const Finding& a, const Finding& b) {
                     const auto key = [](const Finding& f) {
                       return std::tuple(f.severity, stage_of(f.rule), offender(f));
                     };
                     return key(a) < key(b);
                   });
  for (NotChecked& gap : from.not_checked) {
    const auto same = [&](const NotChecked& n) {
      return n.what == gap.what && n.reason == gap.reason;
    };
    const auto at = std::find_if(into.not_checked.begin(), into.not_checked.end(), same);
    if (at != into.not_checked.end()) {
      at->count += gap.count;
    } else {
      into.not_checked.push_back(std::move(gap));
    }
  }
  for (auto& [name, value] : from.statistics) {
    const auto at = std::find_if(into.statistics.begin(), into.statistics.end(),
                                 [&](const auto& s) { return s.first == name; });
    if (at != into.statistics.end()) {
      at->second += value;
    } else {
      into.statistics.emplace_back(std::move(name), value);
    }
  }
  for (Omitted& rest : from.omitted) {
    const auto at = std::find_if(into.omitted.begin(), into.omitted.end(),
                                 [&](const Omitted& o) { return o.rule == rest.rule; });
    if (at != into.omitted.end()) {
      at->count += rest.count;
    } else {
      into.omitted.push_back(std::move(rest));
    }
  }
  for (std::string& note : from.notes) {
    if (std::find(into.notes.begin(), into.notes.end(), note) == into.notes.end())
      into.notes.push_back(std::move(note));
  }
  into.ranks = std::max(into.ranks, from.ranks);
  into.verdict = judge(into);
}

}  // namespace vouch
