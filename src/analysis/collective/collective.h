// What the members of a wave must agree on [U62].
//
// Judged when all have come, or at the end with those that came; so what is said does not depend on
// who was first. Members are grouped by what they say, the smallest part comes first: it is most
// likely the one that is wrong. A wave whose members call different things puts the communicator
// out of step: whatever follows on it is a consequence.

#pragma once

#include <functional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "analysis/analysis.h"
#include "analysis/damage.h"
#include "event/plan_table.h"
#include "match/wave.h"
#include "model/per_process.h"

namespace vouch {

class Collective : public Analysis, public MatchObserver, public DamageUser {
 public:
  Collective(World& world, Sink& sink) : Analysis(world, sink) {}
  Wants wants(Proc proc) const override {
    return {.enter = info(proc).has(kCollective),
            .leave = info(proc).has(kCollective),
            .not_fine = true};
  }
  void on_enter(Process&, Call&) override;
  void on_leave(Process&, Call&, const Event&) override;
  void on_wave(const Wave&) override;
  void on_not_compared(Site, const char* why) override;

 private:
  // Members that say the same.
  struct Part {
    std::string says;
    Place place;  // of its first member
    std::vector<int> ranks;
    const Said* said = nullptr;
    std::uint64_t key = 0;  // of its assembly, where they differ
  };
  struct Seat {
    const Attendee* who = nullptr;
    const Said* said = nullptr;
  };
  // What one gives and another expects, where they differ.
  struct Pair {
    Seat giver, taker;
    const Payload* given = nullptr;
    const Payload* expected = nullptr;
    bool equivalent = false;
  };

  std::vector<Part> parts_of(const Wave&,
                             const std::function<std::string(const Said&)>& says) const;
  // What a finding says beside its parts.
  struct Words {
    std::string more{};
    std::vector<Place> places{};
    std::string title{}, advice{};
    Cause why = Cause::none;
    std::string cause{};
  };
  void tell(const Wave&, Rule, Severity, const std::vector<Part>&, const char* verb) const;
  void tell(const Wave&, Rule, Severity, const std::vector<Part>&, const char* verb,
            const Words&) const;
  void tell(const Wave&, Rule, Severity, std::string message, std::vector<Place>) const;
  void tell(const Wave&, Report) const;
  // The same members have disagreed in this way before, at these lines: it is counted, and there is
  // nothing left to say. What they say may be another number each time.
  bool again(const Wave&, Rule, Severity) const;
  void blame(const Wave&, Rule) const;
  Place place_of(const Attendee&, const Said&) const;
  static std::string name_of(Constant, Site made);  // of a communicator
  static std::uint64_t free_key(std::size_t process, std::uint32_t seq) {
    return std::uint64_t{process} << 32 | seq;
  }

  void judge(const Wave&);
  bool excused(const Wave&) const;
  bool same_call(const Wave&);
  // Members that never come (absent.cc).
  bool all_join(const Wave&);
  bool freed_before(const Wave&, const std::vector<int>& there);
  const Wave* instead(const Wave&, Proc base, WorldRank, bool at_end) const;
  bool other_communicator(const Wave&, Proc base, const std::vector<int>& others, bool at_end);
  bool missed_elsewhere(const Wave&, Proc base);
  bool other_communicator(const Wave&);
  static void tell_apart(std::vector<Part>&);
  void tell_communicators(const Wave&, std::vector<Part>) const;
  bool never_all(const Wave&) const;
  // The last collective of a process that frees nothing.
  struct Earlier {
    Proc proc = Proc::none;
    Site site{};
    std::uint64_t comm = 0;  // equal in all members
    Constant constant = Constant::none;
    Site made{};
  };
  const Earlier* earlier(WorldRank, const Wave&) const;
  bool line_on_another(const Wave&, Proc base, const std::vector<int>& others) const;
  bool same_root(const Wave&);
  bool inter_root(const Wave&);
  void same_op(const Wave&);
  bool same_place(const Wave&);
  void constructor(const Wave&);
  void adjacency(const Wave&);
  void file(const Wave&);
  void groups(const Wave&);

  // Data
  void data(const Wave&);
  void uniform(const Wave&, bool by_root);
  void same_counts(const Wave&);
  void rooted(const Wave&, bool gathers);
  void exchange(const Wave&);
  void sums(const Wave&);
  void neighbours(const Wave&);
  void grid(const Wave&);
  void edges(const Wave&);
  static std::vector<Seat> seats(const Wave&, int side);
  enum class Fit : std::uint8_t { yes, equivalent, no };
  Fit fit(const Payload& given, const Payload& expected, Site) const;
  void look(const Seat& giver, const Payload&, const Seat& taker, const Payload&,
            std::vector<Pair>&) const;
  void tell(const Wave&, const std::vector<Pair>&);

  // Places of the finding that a disagreement made, by what tells it from others (again()).
  std::uint64_t disagreement(const Wave&, Rule, Severity) const;
  static constexpr std::size_t kRemembered = 4096;
  mutable std::unordered_map<std::uint64_t, std::vector<Involved>> before_;

  std::unordered_set<std::uint64_t> out_of_step_;  // assemblies, by key
  static std::int8_t comm_of(Proc proc) {
    return static_cast<std::int8_t>(info(proc).first(Kind::comm, Dir::in));
  }
  const std::vector<std::int8_t>& comms_ = plan_table<comm_of>();  // parameters
  PerProcess<Earlier> latest_;
  // Until a communicator was freed, by process and by the call that frees it.
  std::unordered_map<std::uint64_t, Earlier> before_free_;
  std::unordered_set<std::size_t>
      excused_;  // processes with a broken collective: they may be missing elsewhere for it
};

}  // namespace vouch
