// Rounds: what all processes do between two moments in which nothing is under way.
//
// Programs do the same thing again and again. From the same state the same calls, with the same
// arguments and results, have the same outcome. So where all processes have come to one collective
// call, and no message, request or wait is left over, what each does until the next such moment is
// kept. If that round was plain and nobody had a word to say about it, or only that known findings
// occurred once more, a later one that says the same, record by record, is counted and not analysed
// again. That makes reading it as cheap as
// comparing it.
//
// Plain are messages from named senders with named tags, waits for all of some requests, and
// blocking collectives. Anything else (other objects, wildcards, threads, callbacks, errors) ends
// what is known. What is left of state is compared: Process::changes, live requests, noted points
// of the clocks.
//
// Only with all processes in sight of one agent. A round is skipped only when all of it has come,
// from all processes, and what follows has begun: nothing is held back for it.

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "agent/pipeline.h"
#include "report/collector.h"

namespace vouch {

class Rounds {
 public:
  // `told`: changes whenever something was reported. `findings`: counts what is only one more
  // occurrence of something known; nullptr: there is no such thing.
  Rounds(Pipeline& pipeline, std::function<std::uint64_t()> told, Collector* findings = nullptr);

  // Who is there; before processes are read.
  void look();
  // As Pipeline::feed, but only up to the end of a round.
  std::size_t feed(std::size_t process, std::size_t lane, std::span<const std::byte> bytes,
                   std::size_t limit);
  // It has come to the end of a round: its further records are to wait until all have.
  bool waits(std::size_t process) const { return process < sides_.size() && sides_[process].waits; }
  bool all_wait() const { return on_ && waiting_ == sides_.size(); }
  bool any_waits() const { return waiting_ > 0; }
  // All wait. `bytes`: what each has to say next; whole rounds are taken from their fronts, and how
  // much that was of each stands in `taken`. Then all go on.
  void go_on(const std::vector<std::span<const std::byte>>& bytes, std::vector<std::size_t>& taken);
  // Those that wait go on without the others.
  void let_go();

  std::uint64_t skipped() const { return skipped_; }  // rounds

 private:
  struct Call {
    Site site;
    Proc proc;
    std::uint64_t times;
  };
  // What one process says in a round. Numbers of records count from its beginning.
  struct Part {
    std::vector<std::uint64_t> words;
    std::vector<Call> calls;
    std::uint64_t records = 0, communications = 0;
    std::size_t bytes() const { return words.size() * 8; }
  };
  struct Rest {  // of a process, when nothing is under way
    std::uint32_t changes = 0;
    std::size_t requests = 0, messages = 0;
    std::uint64_t noted = 0;
    bool operator==(const Rest&) const = default;
  };
  struct Round {
    std::vector<Part> parts;
    std::vector<Rest> rest;  // before it, and so after it
    Collector::Counted counted;
  };
  struct Side {
    bool waits = false;
    std::uint32_t gate = 0;   // number of the call that ended the round
    std::uint32_t first = 0;  // number of the first record of the round
    std::uint64_t read = 0;   // records of it up to now
    std::uint64_t communications = 0;
    std::vector<std::uint64_t> words;  // of the round that is being read
  };

  bool possible() const;
  void forget();
  void keep(Side&, const Process&, std::span<const std::byte> bytes);
  bool plain(const wire::RecordHeader&, const std::uint64_t* words) const;
  bool at_rest(std::vector<Rest>&) const;
  void store(std::vector<Rest>&&, Collector::Counted&&);
  Part part_of(const Process&, Side&) const;
  static bool says(const Part&, std::span<const std::byte> bytes, std::uint32_t first);
  static bool begins_call(std::span<const std::byte> bytes);
  void count(const Round&, std::uint64_t times);
  bool in_step();

  Pipeline& pipeline_;
  std::function<std::uint64_t()> told_;
  Collector* findings_;
  std::array<bool, static_cast<std::size_t>(Proc::count_)> plain_{};
  bool on_ = false;
  bool keeping_ = false;  // the round that is being read began at rest and was plain so far
  std::vector<Side> sides_;
  std::size_t waiting_ = 0;
  std::vector<Rest> rest_;  // in which it began
  std::uint64_t told_before_ = 0, left_alone_ = 0;
  std::vector<Round> rounds_;
  std::size_t next_ = 0;   // to be replaced
  std::size_t vain_ = 0;   // rounds kept since one was of use
  std::size_t pause_ = 0;  // bytes before it is tried again
  std::uint64_t skipped_ = 0;
};

}  // namespace vouch
