// Which receive decides whether a run shows a finding, and one finding for one race.
//
// A run differs from the one it was made from by one decision and what follows from it. So what one
// of the two shows and the other does not is decided by the receive at which they part. A race may
// do its harm in many ways: in each iteration of a loop, at other places, with other ranks. All of
// that is one finding, the first that was shown; and what an analysis predicted of that receive has
// come true in it.

#include <algorithm>
#include <iterator>
#include <tuple>

#include "explore/campaign.h"

namespace vouch::explore {
namespace {

// Without it the other run may only have ended before.
bool ends_a_run(const std::string& key) {
  return key.starts_with("deadlock/") || key.starts_with("crash/") || key.ends_with(kAndSo);
}

std::string family_of(const Finding& f) { return f.rule.substr(0, f.rule.find('/')); }

const RuleInfo& harmful() { return info(Rule::race_message_harmful); }

}  // namespace

void Campaign::find_decided(const Ran& ran, const Result& parent, const Result& mine,
                            const Event& e) {
  const auto decide = [&](const Result& shows, const Result& shows_not) {
    std::vector<std::string> only;
    std::set_difference(shows.shown.begin(), shows.shown.end(), shows_not.shown.begin(),
                        shows_not.shown.end(), std::back_inserter(only));
    for (const std::string& key : only)
      if (!shows_not.early || ends_a_run(key)) decided_by_.try_emplace(key, location_of(ran, e));
  };
  decide(mine, parent);
  decide(parent, mine);
}

void Campaign::name_races(std::vector<Finding>& findings) const {
  const std::vector<Finding> all = findings;
  const auto decided_by = [&](const Finding& f) -> const Location* {
    if (f.severity == Severity::info || f.potential) return nullptr;
    auto at = decided_by_.find(key_of(f));
    if (at == decided_by_.end() && !f.consequences.empty())
      at = decided_by_.find(key_of(f) + kAndSo);
    return at == decided_by_.end() ? nullptr : &at->second;
  };
  // The receive, and another message that it can take, as the analysis of some run has it.
  const auto add_race = [&](Finding& f, Location at) {
    const std::string place = where(at);
    at.role = "decides: with another message it does not happen";
    f.locations.push_back(std::move(at));
    for (const Finding& race : all) {
      if (!race.rule.starts_with("race/message") || race.locations.size() < 2 ||
          where(race.locations[0]) != place)
        continue;
      f.locations.push_back(race.locations[1]);
      return;
    }
  };
  // By what they are, and the place of the receive: where the first of them stands.
  std::map<std::pair<std::string, std::string>, std::size_t> at;
  std::set<std::string> came_true;
  std::vector<Finding> kept;
  for (Finding& f : findings) {
    const Location* decides = decided_by(f);
    if (decides == nullptr) {
      kept.push_back(std::move(f));
      continue;
    }
    came_true.insert(where(*decides));
    // Without a place every one is its own.
    const std::string race = decides->file.empty() ? key_of(f) : where(*decides);
    const auto [known, is_new] =
        at.emplace(std::pair(name(f.severity) + family_of(f), race), kept.size());
    if (!is_new) {
      kept[known->second].count += f.count;
      continue;
    }
    add_race(f, *decides);
    kept.push_back(std::move(f));
  }
  // What was predicted, or shown by the exit status alone.
  std::map<std::string, std::size_t> race_at;
  findings.clear();
  for (Finding& f : kept) {
    const bool is_harmful = f.rule == harmful().id && !f.locations.empty();
    if (is_harmful && f.potential && came_true.contains(where(f.locations[0]))) continue;
    if (is_harmful) {
      const auto [known, is_new] = race_at.emplace(where(f.locations[0]), findings.size());
      if (!is_new) {
        Finding& first = findings[known->second];
        const std::uint64_t count = first.count + f.count;
        if (first.potential && !f.potential) first = std::move(f);
        first.count = count;
        continue;
      }
    }
    findings.push_back(std::move(f));
  }
}

}  // namespace vouch::explore
