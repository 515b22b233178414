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

// The operation that is this event.
OpId find_event(const Observation& run, EventId event) {
  const auto p = static_cast<std::size_t>(event.rank);
  if (is_pick(event) || p + 1 >= run.program.first.size()) return kNoOp;
  int number = 0;
  for (OpId id = run.program.first[p]; id < run.program.first[p + 1]; ++id)
    if (is_event(run.program[id]) && number++ == event.number) return id;
  return kNoOp;
}

const RuleInfo& harmful() { return info(Rule::race_message_harmful); }

}  // namespace

void Campaign::find_decided(const Ran& ran, const Result& parent, const Result& mine,
                            const Event& e) {
  // What the call got in the other of the two runs.
  const auto other = [&](const Observation& run, OpId event) -> std::optional<Location> {
    const OpId send = event == kNoOp ? kNoOp : run.met[event];
    if (is_pick(e.id) || send == kNoOp) return {};
    Location at = location_of(run, ran.summary.findings, send);
    at.role = "could also be taken";
    return at;
  };
  const auto decide = [&](const Result& shows, const Result& shows_not, bool by_mine) {
    std::vector<std::string> only;
    std::set_difference(shows.shown.begin(), shows.shown.end(), shows_not.shown.begin(),
                        shows_not.shown.end(), std::back_inserter(only));
    for (const std::string& key : only) {
      if ((shows_not.early && !ends_a_run(key)) || decided_by_.contains(key)) continue;
      Decider& by = decided_by_[key];
      by.at = location_of(ran.seen, ran.summary.findings, e.op);
      by.pick = is_pick(e.id);
      if (!by_mine)
        by.other = other(ran.seen, e.op);
      else if (ran.job.from != nullptr)
        by.other = other(*ran.job.from, find_event(*ran.job.from, e.id));
    }
  };
  decide(mine, parent, true);
  decide(parent, mine, false);
}

void Campaign::name_races(std::vector<Finding>& findings) const {
  const std::vector<Finding> all = findings;
  const auto decided_by = [&](const Finding& f) -> const Decider* {
    if (f.severity == Severity::info || f.potential) return nullptr;
    auto at = decided_by_.find(key_of(f));
    if (at == decided_by_.end() && !f.consequences.empty())
      at = decided_by_.find(key_of(f) + kAndSo);
    return at == decided_by_.end() ? nullptr : &at->second;
  };
  // The call, and the message with which it does not happen, as the analysis of some run has it.
  const auto add_race = [&](Finding& f, const Decider& by) {
    Location at = by.at;
    at.role = by.pick ? "decides: with other requests complete it does not happen"
                      : "decides: with another message it does not happen";
    const auto same = [&](const Location& l) {
      return l.rank == at.rank && where(l) == where(at) && l.role.empty();
    };
    const auto known = std::find_if(f.locations.begin(), f.locations.end(), same);
    if (known == f.locations.end())
      f.locations.push_back(std::move(at));
    else
      known->role = std::move(at.role);
    if (!by.other) return;
    Location other = *by.other;
    for (const Finding& race : all)
      for (const Location& l : race.locations)
        if (race.rule.starts_with("race/message") && l.rank == other.rank &&
            where(l) == where(other) && l.call.starts_with(other.call))
          other.call = l.call;
    f.locations.push_back(std::move(other));
  };
  // By what they are, and the place of the receive: where the first of them stands.
  std::map<std::pair<std::string, std::string>, std::size_t> at;
  std::set<std::string> came_true;
  std::vector<Finding> kept;
  for (Finding& f : findings) {
    const Decider* decides = decided_by(f);
    if (decides == nullptr) {
      kept.push_back(std::move(f));
      continue;
    }
    came_true.insert(where(decides->at));
    // A probe may have decided what then happens in the receive that the prediction is about.
    if (!f.locations.empty()) came_true.insert(where(f.locations[0]));
    // Without a place every one is its own.
    const std::string race = decides->at.file.empty() ? key_of(f) : where(decides->at);
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
