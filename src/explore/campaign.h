// A whole exploration: schedules out to somebody who runs them, findings of all runs in.
//
// It keeps several runs under way, stays within its limits, and puts together what all runs have
// shown: each finding once, with the schedule of the first run that showed it; whether what the
// program sent, printed or returned depends on a decision; and how much is covered. How a run is
// made is the runner's business, so that this is tested without any.

#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "explore/alone.h"
#include "explore/search.h"
#include "report/finding.h"

namespace vouch::explore {

struct Ran {
  Job job{};
  std::string unusable{};  // why nothing can be learnt from it, if so
  std::string diverged{};  // why it left its schedule, if it did
  Observation seen{};
  Summary summary{};
  int status = 0;
  std::uint64_t output = 0;      // of what was printed: equal for equal lines in whatever order
  std::string schedule{};        // all of its decisions, as text
  std::size_t started = 0;       // runs that had been asked for when the search learnt of it
  std::optional<Alone> alone{};  // what a rank of it, tried alone, has shown
};

// After the key of a finding: what came of it.
inline constexpr const char* kAndSo = " and so";

// It was ended by a deadlock, a crash or a limit: its status is none of the program's own.
bool ended_early(const Summary&);

// Equal for what is one finding, whichever run shows it. Messages may name what differs from run to
// run, so places tell.
std::string key_of(const Finding&);

// Where an operation stands, as some finding of these has it, or as its place tells.
Location location_of(const Observation&, const std::vector<Finding>&, OpId);

class Runner {
 public:
  virtual ~Runner() = default;
  virtual void start(const Job&) = 0;
  virtual std::optional<Ran> wait() = 0;  // for any of them; none: stop
  // Tries a rank of this run alone.
  virtual Alone alone(const Ran&, const AlonePlan&) { return {}; }
  // What a run with this schedule shows, for somebody who types it in; none: it was not run.
  virtual std::optional<Summary> repeat(const std::string& /*schedule*/) { return {}; }
};

// What stands in NotChecked::what where a run had processes whose races are not explored.
inline constexpr std::string_view kSpawned = "spawned processes";

struct Limits {
  std::size_t runs = 0;  // 0: no limit
  std::optional<std::chrono::steady_clock::time_point> until{};
  std::size_t jobs = 1;
  bool stop_at_error = false;
  bool prove = false;        // try ranks alone
  bool no_buffering = true;  // what is proved must hold for sends that are not buffered
};

struct Progress {
  std::size_t done = 0, open = 0, errors = 0;
  double seconds = 0, estimate = 0;  // of all schedules; 0: none
};

class Campaign {
 public:
  Campaign(Search& search, Runner& runner, Limits limits)
      : search_(search), runner_(runner), limits_(limits) {}

  void on_progress(std::function<void(const Progress&)> hook) { progress_ = std::move(hook); }
  // Told of each run that counted, in the order in which the search learnt of them.
  void on_run(std::function<void(const Ran&)> hook) { on_run_ = std::move(hook); }
  // "vouch replay ..." for a schedule.
  void again(std::function<std::string(const std::string& schedule)> f) { again_ = std::move(f); }

  // Instead, where following it does not show the finding again.
  void otherwise(std::string command) { otherwise_ = std::move(command); }

  // A run of an earlier exploration that is gone on with.
  void take(Ran);
  // Until all is covered or a limit is met.
  void run();

  // Of everything; not judged yet.
  Summary summary() const;
  std::uint64_t proved() const { return proved_; }  // schedules that need not be run
  int status() const { return status_; }            // of the first run that did not return 0, or 0

 private:
  struct Result {
    std::uint64_t output = 0;
    int status = 0;
    bool early = false;                // ended_early
    std::string schedule{};            // if it did not return 0
    std::vector<std::string> shown{};  // keys of what it has shown for sure, sorted
    // Launchers have their own words for every other end: only then is what was printed the
    // program's.
    bool says_for_itself() const { return status == 0 && !early; }
  };
  std::optional<Job> next();
  void learn(Ran);
  void collect(Ran&);
  void add(Finding);  // once, however often it is found
  // What a run has shown together with the one it was made from.
  std::vector<Finding> compare(const Ran&);
  Finding other_status(const Ran&, const Result& parent, const Event*) const;
  // Runs that were ended leave open what pending receives got: whether their schedules show their
  // errors again is tried.
  void confirm();
  // Which receive decides whether a finding shows (campaign_races.cc).
  void find_decided(const Ran&, const Result& parent, const Result& mine, const Event&);
  void name_races(std::vector<Finding>&) const;
  void prove(Ran&);
  void complete(Ran&) const;
  std::string what_is_sent(const Ran&);
  void diverged(Ran&, const std::string& why);
  void tell();
  std::vector<NotChecked> coverage() const;

  Search& search_;
  Runner& runner_;
  const Limits limits_;
  std::function<void(const Progress&)> progress_;
  std::function<void(const Ran&)> on_run_;
  std::function<std::string(const std::string&)> again_;
  std::string otherwise_{};
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();

  Summary sum_{};
  std::map<std::string, std::size_t> finding_at_{};  // by key
  std::map<std::pair<std::string, std::string>, std::size_t> gap_at_{};
  std::map<std::size_t, Result> results_{};  // by job
  std::map<std::uint64_t, std::size_t> outputs_{};
  std::map<std::string, std::size_t> differs_{};  // what decisions change
  std::set<std::string>
      unsteady_{};  // places that send other data in runs that are the same so far
  struct Decider {
    Location at{};                    // the call
    bool pick = false;                // which requests it finds complete decides
    std::optional<Location> other{};  // the message with which it does not happen
  };
  std::map<std::string, Decider> decided_by_{};      // by key of the finding
  std::map<std::string, std::string> to_confirm_{};  // key of the finding: its schedule
  std::size_t counted_ = 0, diverged_ = 0, repeated_ = 0;
  std::size_t impossible_ = 0;  // schedules that this library does not let happen
  std::map<std::string, std::size_t> unusable_{};  // by reason
  std::map<std::size_t, Job> asked_{};             // by an earlier exploration, and not run there
  std::uint64_t proved_ = 0;
  int fruitless_ = 0;       // trials that proved little, in a row
  std::string unproved_{};  // why the latest one proved nothing
  std::size_t started_ = 0;
  std::chrono::steady_clock::time_point estimated_at_{};
  double estimate_ = 0;
  int status_ = 0;
  bool stopped_ = false;
};

}  // namespace vouch::explore
