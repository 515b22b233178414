// Pairs of places that race: one finding for each, however many bytes, rounds or ranks.
//
// A pair of accesses that is not surely ordered waits here as long as order through memory may
// still turn up between them. What is reported of a pair of places is the pair of the lowest ranks,
// so that equal runs report the same.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <tuple>
#include <vector>

#include "analysis/rma/race/memory_order.h"
#include "analysis/rma/race/table.h"
#include "model/world.h"
#include "report/sink.h"

namespace vouch::rma {

class Findings {
 public:
  Findings(World& world, Sink& sink, AccessTable& table, const MemoryOrder& memory)
      : world_(world), sink_(sink), table_(table), memory_(memory) {}

  // They conflict, share a byte, and neither is surely before the other.
  void add(AccessId, AccessId);
  // No more order through memory can turn up: all windows are gone.
  void conclude();
  void report();
  bool waiting() const { return waiting_ != 0; }
  void for_each_waiting(const std::function<void(AccessId)>&) const;

 private:
  // Pairs that wait, of one pair of places; twice as many until they are looked at again.
  static constexpr std::size_t kKept = 256;
  struct Pair {
    AccessId a = 0, b = 0;
  };
  using Key = std::tuple<Rule, std::uint32_t, std::uint32_t>;
  struct Places {
    std::vector<Pair> waiting;
    std::uint64_t dropped = 0;  // for which there was no room
    bool found = false;
    std::tuple<int, int, std::int64_t, std::int64_t> least;
    Pair shown;
  };
  Pair in_order(AccessId, AccessId) const;
  bool possible(const Pair&, bool all_read = false) const;
  static bool may_be_polling(const Access& load, const Access& other);
  bool certain(const Pair&) const;
  void found(Places&, const Pair&);
  void thin_out(Places&);
  void drop(const Pair&);

  World& world_;
  Sink& sink_;
  AccessTable& table_;
  const MemoryOrder& memory_;
  std::map<Key, Places> all_;
  std::size_t waiting_ = 0;
  std::uint64_t undecided_ = 0;
  bool told_undecided_ = false;
  mutable bool through_memory_ = false;  // a pair is in order so, if at all
};

// The words of a finding (words.cc).
Report report_of(const World&, const Access& first, const Access& second);
Rule rule_of(const Access&, const Access&);

}  // namespace vouch::rma
