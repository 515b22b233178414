#include "explore/campaign.h"

#include <algorithm>

#include <fmt/format.h>

#include "explore/prefix.h"
#include "report/cannot_happen.h"

namespace vouch::explore {

std::string key_of(const Finding& f) {
  std::vector<std::string> places;
  for (const Location& l : f.locations)
    places.push_back(
        fmt::format("{}:{}+{}:{}", l.file, l.line, l.offset, l.call.substr(0, l.call.find('('))));
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  std::string key = fmt::format("{} {} {}", f.rule, name(f.severity), f.potential);
  for (const std::string& place : places) key += ' ' + place;
  return key;
}

Location location_of(const Observation& run, const std::vector<Finding>& findings, OpId op) {
  const std::string place = run.program.sites[run.program[op].site.value];
  Location at;
  for (const Finding& f : findings)
    for (const Location& l : f.locations)
      if (at.file.empty() && where(l) == place) at = l;
  const std::size_t colon = place.rfind(':');
  if (at.file.empty() && colon != std::string::npos) {
    at.file = place.substr(0, colon);
    at.line = std::atoi(place.c_str() + colon + 1);
  }
  at.rank = run.program[op].process;
  at.role.clear();
  at.others.clear();
  const Proc call = run.asked.empty() ? Proc::none : run.asked[op].call;
  if (call != Proc::none) at.call = info(call).name;
  return at;
}

bool ended_early(const Summary& summary) {
  const auto ends = [](const Finding& f) {
    return f.severity == Severity::error && !f.potential &&
           (f.rule.starts_with("deadlock/") || f.rule.starts_with("crash/"));
  };
  // A deadlock may be told as what came of another finding.
  const auto limit = [](const NotChecked& n) {
    return n.reason.starts_with("it was ended at the time limit") ||
           n.reason.starts_with("what comes after the deadlock");
  };
  return std::any_of(summary.findings.begin(), summary.findings.end(), ends) ||
         std::any_of(summary.not_checked.begin(), summary.not_checked.end(), limit);
}

void Campaign::add(Finding f) {
  const auto [at, added] = finding_at_.emplace(key_of(f), sum_.findings.size());
  if (added) return sum_.findings.push_back(std::move(f));
  Finding& known = sum_.findings[at->second];
  known.count += f.count;
  // In this schedule somebody hangs because of it: that one is to be looked at.
  if (known.consequences.empty() && !f.consequences.empty()) {
    known.consequences = std::move(f.consequences);
    known.again = std::move(f.again);
  }
}

void Campaign::collect(Ran& ran) {
  Summary& from = ran.summary;
  if (sum_.ranks == 0) sum_.ranks = from.ranks;
  for (Finding& f : from.findings) {
    if (again_ && !ran.schedule.empty()) f.again = again_(ran.schedule);
    if (ran.seen.cut && f.severity == Severity::error && !f.potential)
      to_confirm_.try_emplace(key_of(f), ran.schedule);
    add(std::move(f));
  }
  for (NotChecked& gap : from.not_checked) {
    const auto [at, added] =
        gap_at_.emplace(std::pair(gap.what, gap.reason), sum_.not_checked.size());
    if (added)
      sum_.not_checked.push_back(std::move(gap));
    else
      sum_.not_checked[at->second].count = std::max(sum_.not_checked[at->second].count, gap.count);
  }
  for (const std::string& note : from.notes)
    if (std::find(sum_.notes.begin(), sum_.notes.end(), note) == sum_.notes.end())
      sum_.notes.push_back(note);
  for (const auto& [what, count] : from.statistics) {
    const auto at = std::find_if(sum_.statistics.begin(), sum_.statistics.end(),
                                 [&, &name = what](const auto& s) { return s.first == name; });
    if (at == sum_.statistics.end())
      sum_.statistics.emplace_back(what, count);
    else
      at->second += count;
  }
}

// A run differs from the one that showed it by one decision and what follows from it.
std::vector<Finding> Campaign::compare(const Ran& ran) {
  Result& mine = results_[ran.job.number];
  mine = {ran.output,
          ran.status,
          ran.seen.cut || ended_early(ran.summary),
          ran.status != 0 ? ran.schedule : "",
          {}};
  for (const Finding& f : ran.summary.findings) {
    if (f.severity == Severity::info || f.potential) continue;
    mine.shown.push_back(key_of(f));
    // What comes of it is another matter.
    if (!f.consequences.empty()) mine.shown.push_back(key_of(f) + kAndSo);
  }
  std::sort(mine.shown.begin(), mine.shown.end());
  if (mine.says_for_itself()) ++outputs_[ran.output];
  const auto parent = results_.find(ran.job.parent);
  if (parent == results_.end() || ran.job.parent == ran.job.number) return {};
  const Event* e = search_.latest().find(ran.job.flipped);
  std::string place = "an unknown place";
  if (e != nullptr) place = ran.seen.program.sites[ran.seen.program[e->op].site.value];
  const std::string on =
      is_pick(ran.job.flipped)
          ? fmt::format("depends on which requests rank {} finds complete at {}",
                        ran.job.flipped.rank, place)
          : fmt::format("depends on which message rank {} gets at {}", ran.job.flipped.rank, place);
  if (const std::string what = what_is_sent(ran); !what.empty()) ++differs_[what + on];
  if (e != nullptr) find_decided(ran, parent->second, mine, *e);
  if (parent->second.output != ran.output && parent->second.says_for_itself() &&
      mine.says_for_itself())
    ++differs_["what the program prints " + on];
  if (parent->second.status == ran.status) return {};
  ++differs_["the program's exit status " + on];
  if (parent->second.early || mine.early) return {};
  return {other_status(ran, parent->second, e)};
}

Finding Campaign::other_status(const Ran& ran, const Result& parent, const Event* e) const {
  const RuleInfo& rule = info(Rule::race_message_harmful);
  Finding f;
  f.rule = rule.id;
  f.severity = rule.severity;
  f.title = rule.title;
  f.clause = rule.clause;
  f.ranks = {ran.job.flipped.rank};
  const bool mine = ran.status != 0;
  f.message =
      fmt::format("the program returns {} in this schedule and {} in one that parts from it here",
                  mine ? ran.status : parent.status, mine ? parent.status : ran.status);
  if (e != nullptr) f.locations.push_back(location_of(ran.seen, ran.summary.findings, e->op));
  if (again_) f.again = again_(mine ? ran.schedule : parent.schedule);
  return f;
}

// Messages of each rank, in whatever order and to whomever: another order alone is no other result.
std::string Campaign::what_is_sent(const Ran& ran) {
  if (ran.job.until.empty() || ran.seen.cut || ran.job.from->cut ||
      ran.seen.asked.size() != ran.seen.program.ops.size())
    return "";
  const Observation &before = *ran.job.from, &now = ran.seen;
  const auto place = [](const Observation& run, OpId id) {
    return run.program.sites[run.program[id].site.value];
  };
  const auto sends = [](const Observation& run, OpId id) {
    return run.program[id].kind == predict::OpKind::send && run.asked[id].data != 0;
  };
  // What was done again must have sent the same; a place that did not sends times or the like.
  for (std::size_t p = 0; p < ran.job.until.size(); ++p)
    for (OpId a = before.program.first[p], b = now.program.first[p];
         a < ran.job.until[p] && b < now.program.first[p + 1]; ++a, ++b)
      if (sends(before, a) && sends(now, b) && before.asked[a].data != now.asked[b].data)
        unsteady_.insert(place(before, a));
  const auto sum = [&](const Observation& run, std::size_t p) {
    std::uint64_t all = 0;
    for (OpId id = run.program.first[p]; id < run.program.first[p + 1]; ++id)
      if (sends(run, id) && !unsteady_.contains(place(run, id))) all += run.asked[id].data;
    return all;
  };
  std::string ranks;
  std::size_t count = 0;
  for (std::size_t p = 0; p < ran.job.until.size(); ++p) {
    if (sum(before, p) == sum(now, p)) continue;
    if (++count <= 4) ranks += (ranks.empty() ? "" : ", ") + std::to_string(p);
  }
  if (count == 0) return "";
  if (count > 4) ranks += ", ...";
  return count == 1 ? fmt::format("what rank {} sends ", ranks)
                    : fmt::format("what ranks {} send ", ranks);
}

void Campaign::diverged(Ran& ran, const std::string& why) {
  ++diverged_;
  constexpr std::size_t kMostTold = 5;
  ran.summary.not_checked.push_back(
      {"a schedule",
       diverged_ > kMostTold ? "more runs did not follow theirs"
       : why.empty()
           ? "the program did not follow it: it depends on more than the order of messages"
           : fmt::format("the program did not follow it: {}", why),
       1,
       {},
       {}});
}

// A run that was stuck shows no outcome of receives that were pending: their part of the schedule
// is what only they can have got (settle).
void Campaign::complete(Ran& ran) const {
  auto schedule = policy::parse_schedule(ran.schedule);
  if (!ran.seen.cut || !schedule.ok()) return;
  for (const Event& e : search_.latest().events) {
    if (is_pick(e.id) || e.source < 0) continue;
    policy::RankSchedule& mine = schedule->ranks[e.id.rank];
    const auto number = static_cast<std::size_t>(e.id.number);
    if (number >= mine.matches.size() || mine.matches[number].source == policy::kFree)
      mine.decide(number, {rank_in(ran.seen.members, e.comm, e.source), policy::kNoTag});
  }
  ran.schedule = to_text(*schedule);
}

void Campaign::learn(Ran ran) {
  std::vector<Finding> shown;
  const std::string other = ran.unusable.empty() && ran.job.from != nullptr
                                ? first_difference(*ran.job.from, ran.job.until, ran.seen)
                                : "";
  if (!ran.unusable.empty()) {
    ++unusable_[ran.unusable];
    search_.failed(ran.job);
  } else if (!other.empty()) {
    search_.failed(ran.job);
    diverged(ran, "it depends on more than the order of messages: " + other);
  } else if (ran.diverged.starts_with(kCannotHappen)) {
    // With other sends buffered it might: how much a library buffers is not explored.
    ++impossible_;
    search_.failed(ran.job);
    ran.summary.not_checked.clear();
  } else {
    const Search::Fit fit = search_.done(ran.job, ran.seen);
    complete(ran);
    repeated_ += fit == Search::Fit::repeated;
    if (fit == Search::Fit::diverged || !ran.diverged.empty()) {
      // Its own report says so, if it knows.
      if (ran.diverged.empty())
        diverged(ran, search_.latest().stuck);
      else
        ++diverged_;
    } else if (search_.runs() > 0) {
      shown = compare(ran);
      prove(ran);
    }
  }
  ++counted_;
  ran.started = started_;
  // One that cannot happen was ended by us.
  if (status_ == 0 && !ran.diverged.starts_with(kCannotHappen)) status_ = ran.status;
  if (on_run_) on_run_(ran);
  collect(ran);
  for (Finding& f : shown) add(std::move(f));
  tell();
}

std::optional<Job> Campaign::next() {
  const auto job = search_.next();
  started_ += job.has_value();
  return job;
}

void Campaign::take(Ran ran) {
  // Asking and learning in the same order as then gives the same schedules.
  while (started_ < ran.started) {
    const auto job = next();
    if (!job) return;
    asked_.emplace(job->number, *job);
  }
  const auto mine = asked_.extract(ran.job.number);
  if (mine.empty()) return;
  ran.job = mine.mapped();
  learn(std::move(ran));
}

void Campaign::tell() {
  if (!progress_) return;
  Progress p;
  p.done = counted_;
  p.open = search_.open() + search_.running();
  p.errors = static_cast<std::size_t>(
      std::count_if(sum_.findings.begin(), sum_.findings.end(),
                    [](const Finding& f) { return f.severity == Severity::error; }));
  p.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  const auto now = std::chrono::steady_clock::now();
  if (now - estimated_at_ > std::chrono::seconds(1)) {  // it goes through the whole tree
    estimated_at_ = now;
    const double covered = search_.covered();
    estimate_ = covered > 0 ? static_cast<double>(search_.runs()) / covered : 0;
  }
  p.estimate = std::max(estimate_, static_cast<double>(p.done + p.open));
  progress_(p);
}

void Campaign::run() {
  std::size_t under_way = 0;
  const auto may_start = [&] {
    if (stopped_) return false;
    if (limits_.until && std::chrono::steady_clock::now() >= *limits_.until) return false;
    return limits_.runs == 0 || counted_ + under_way < limits_.runs;
  };
  // Runs that were under way when an earlier exploration was left.
  for (auto& [number, job] : std::exchange(asked_, {})) {
    while (under_way >= limits_.jobs || (under_way > 0 && !may_start())) {
      auto ran = runner_.wait();
      --under_way;
      if (ran) learn(std::move(*ran));
      stopped_ |= !ran;
    }
    if (!may_start()) break;
    runner_.start(job);
    ++under_way;
  }
  for (;;) {
    while (under_way < limits_.jobs && may_start()) {
      const auto job = next();
      if (!job) break;
      runner_.start(*job);
      ++under_way;
    }
    if (under_way == 0) break;
    auto ran = runner_.wait();
    --under_way;
    if (!ran) {
      stopped_ = true;
      continue;
    }
    learn(std::move(*ran));
    stopped_ |= limits_.stop_at_error &&
                std::any_of(sum_.findings.begin(), sum_.findings.end(), [](const Finding& f) {
                  return f.severity == Severity::error && !f.potential;
                });
  }
  confirm();
}

void Campaign::confirm() {
  constexpr std::size_t kMostRuns = 8;
  const auto family = [](const Finding& f) { return f.rule.substr(0, f.rule.find('/')); };
  std::map<std::string, std::set<std::string>> shown;  // by schedule: families of its errors
  for (const auto& [key, schedule] : to_confirm_) {
    if (limits_.until && std::chrono::steady_clock::now() >= *limits_.until) return;
    const auto known = finding_at_.find(key);
    if (known == finding_at_.end() || !again_) continue;
    Finding& f = sum_.findings[known->second];
    if (f.again != again_(schedule)) continue;
    if (!shown.contains(schedule)) {
      if (shown.size() == kMostRuns) return;
      const auto repeated = runner_.repeat(schedule);
      if (!repeated) return;
      std::set<std::string>& families = shown[schedule];
      for (const Finding& again : repeated->findings)
        if (again.severity == Severity::error && !again.potential) families.insert(family(again));
    }
    if (!shown[schedule].contains(family(f))) f.again = otherwise_;
  }
}

std::vector<NotChecked> Campaign::coverage() const {
  std::vector<NotChecked> gaps;
  const auto gap = [&](std::size_t count, std::string reason) {
    if (count > 0) gaps.push_back({"schedules", std::move(reason), count, {}, {}});
  };
  gap(search_.open() + search_.running(), "they are known and were not run");
  gap(search_.bounded(), "alternatives beyond the mixing bound were not run");
  gap(search_.abstracted(), "alternatives in marked loops were not run");
  for (const auto& [why, count] : unusable_)
    gap(count, "nothing was learnt from their runs: " + why);
  if (search_.picks_left() > 0)
    gaps.push_back({"MPI_Waitany and its kind",
                    "they could have found other requests complete; --outcomes waits tries them",
                    search_.picks_left(),
                    {},
                    {}});
  if (search_.unclear() > 0)
    gaps.push_back({"MPI_Waitany and its kind",
                    "what else they could have found complete is not known",
                    search_.unclear(),
                    {},
                    {}});
  return gaps;
}

Summary Campaign::summary() const {
  Summary all = sum_;
  all.exploration.schedules = counted_;
  all.exploration.pruned = search_.bounded() + search_.abstracted();
  const std::vector<NotChecked> gaps = coverage();
  const bool spawned = std::any_of(sum_.not_checked.begin(), sum_.not_checked.end(),
                                   [](const NotChecked& gap) { return gap.what == kSpawned; });
  all.exploration.exhausted = search_.exhausted() && gaps.empty() && diverged_ == 0 && !spawned;
  all.statistics.emplace_back("schedules left", search_.open() + search_.running());
  all.statistics.emplace_back("different outputs", outputs_.size());
  if (limits_.prove) {
    all.statistics.emplace_back("schedules proved", proved_);
    if (!unproved_.empty()) all.notes.push_back("not proved: " + unproved_);
  }
  name_races(all.findings);
  all.not_checked.insert(all.not_checked.end(), gaps.begin(), gaps.end());
  if (impossible_ > 0)
    all.notes.push_back(
        fmt::format("{} {} cannot happen with this library: sends or collectives wait that would "
                    "have to go on",
                    impossible_, impossible_ == 1 ? "schedule" : "schedules"));
  std::size_t kept = 0;
  for (const auto& [what, times] : differs_)
    if (++kept <= 20) all.notes.push_back(what);
  for (const std::string& place : unsteady_)
    all.notes.push_back("what is sent at " + place + " differs whatever the order of messages");
  return all;
}

}  // namespace vouch::explore
