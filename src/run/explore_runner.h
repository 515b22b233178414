// Runs of a program that follow schedules (session.h), several at once.
//
// Each run has a process of its own around its agent and its job, so one that goes wrong harms no
// other. What it has shown comes back in memory files.

#pragma once

#include <chrono>
#include <cstdint>
#include <list>
#include <optional>
#include <string>

#include "explore/campaign.h"
#include "run/in_band.h"
#include "run/session.h"

namespace vouch {

class ReplayRunner : public explore::Runner {
 public:
  explicit ReplayRunner(Session session) : session_(std::move(session)) {}
  ~ReplayRunner() override;
  ReplayRunner(const ReplayRunner&) = delete;
  ReplayRunner& operator=(const ReplayRunner&) = delete;

  void start(const explore::Job&) override;
  std::optional<explore::Ran> wait() override;
  explore::Alone alone(const explore::Ran&, const explore::AlonePlan&) override;
  std::optional<Summary> repeat(const std::string& schedule) override;

  // What the first run follows, so that it is not left to chance.
  void first(policy::Schedule schedule) { first_ = std::move(schedule); }

  // Runs that are under way then are ended.
  void until(std::chrono::steady_clock::time_point when) { until_ = when; }

  // The messages of all runs carry clocks, which are looked at there.
  void carry_clocks(InBand* in_band) { in_band_ = in_band; }

  // The user wants it to end; from a signal handler.
  static void interrupt();
  static bool interrupted();
  // One sentence: no run can be made at all.
  const std::string& refused() const { return refused_; }
  // What the first run printed.
  const std::string& first_output() const { return first_output_; }

 private:
  struct Child {
    explore::Job job;
    int pid = -1;
    int report = -1, trace = -1, output = -1, clocks = -1;
    std::string told{};                          // where its ranks write their clocks
    std::optional<policy::Schedule> schedule{};  // not that of the job
  };
  void start(Child&);
  [[noreturn]] void run(const Child&) const;
  int wait_for_child(int& status) const;
  explore::Ran finish(Child&, int status);
  // What a run left behind: its report, and its trace. Where one cannot be used, `unusable` says
  // it.
  bool take_report(const Child&, int status, explore::Ran&);
  void take_events(const Child&, explore::Ran&);
  static void close_files(Child&);

  const Session session_;
  policy::Schedule first_{};
  InBand* in_band_ = nullptr;
  std::optional<std::chrono::steady_clock::time_point> until_{};
  std::list<Child> children_;
  std::string refused_, first_output_;
  bool seen_output_ = false;
};

}  // namespace vouch
