// What is wrong with the memory of a call, and how to say it.

#include <algorithm>

#include <fmt/format.h>

#include "analysis/buffer/buffer.h"
#include "analysis/buffer/words.h"

namespace vouch {
// [U20]: what costs more than the budget is a gap, named once per pair of sites.
void BufferUse::over_budget(const Call& call, Site other) {
  if (!told_.insert(std::uint64_t{call.site().value} << 32 | other.value).second) return;
  sink_.not_checked({.what = "overlap of buffers",
                     .reason = "datatypes of more pieces than are compared",
                     .count = 1,
                     .site = call.site()});
}

// False: there is a finding.
bool BufferUse::check_pending(Process& process, Call& call, State& s, const Region& r, Proc of) {
  bool fine = true;
  s.pending.for_each_conflict(r, [&](const PendingOperation& o, const Region& other) {
    const Overlap answer = test_.meet(r, other);
    if (answer == Overlap::no) return true;
    if (answer == Overlap::over_budget) {
      over_budget(call, o.since);
      return true;
    }
    fine = false;
    const bool may_be_early = clocks_ != nullptr && can_be_early(call, r, of, o);
    if (!may_be_early && again(process, call, Rule::buffer_pending_overlap, {}, {o.since}))
      return false;
    overlapped_.insert(std::uint64_t{process.index} << 32 | o.since.value);
    const std::string mine = of == call.proc()
                                 ? region_words(r, of)
                                 : fmt::format("{} of {}", region_words(r, of), info(of).name);
    const std::string shared = bytes_words(shared_bytes(r, other));
    const bool attached = info(o.proc).base == Proc::buffer_attach || o.proc == Proc::buffer_attach;
    std::string message =
        attached
            ? fmt::format("{} shares {} with the buffer attached at {}", mine, shared,
                          mention(o.since))
            : fmt::format("{} {}; it shares {} with {} of {}, which {} it since {}", mine,
                          r.writes ? "is written" : "is read", shared, region_words(other, o.proc),
                          info(o.proc).name, other.writes ? "writes" : "reads", mention(o.since));
    const char* started = o.by_start && !o.partitioned ? "MPI_Start" : info(o.proc).name;
    Place pending{process.rank, o.since, started,
                  attached ? "attached here" : "pending since here"};
    if (may_be_early) {
      const auto index = static_cast<std::uint32_t>(process.index);
      early_[std::uint64_t{index} << 32 | o.call].push_back(
          {{.rule = Rule::buffer_pending_overlap,
            .severity = info(Rule::buffer_pending_overlap).severity,
            .message = std::move(message),
            .places = {place_of(process, call), std::move(pending)}},
           index,
           clocks_->note(index),
           {}});
      hear_if_needed();
      fine = true;
      return false;
    }
    report(process, call, Rule::buffer_pending_overlap, std::move(message), {},
           {std::move(pending)});
    return false;
  });
  return fine;
}

// MPI-4.1 5.1.11: what is received into must not name a byte twice; nor must what a root scatters
// (6.6), which does no harm in any library.
void BufferUse::check_twice(Process& process, Call& call) {
  for (std::size_t i = 0; i < regions_.size();) {
    const Region& r = regions_[i];
    std::size_t end = i + 1;
    while (end < regions_.size() && regions_[end].param == r.param &&
           regions_[end].writes == r.writes)
      ++end;
    if (!r.writes && !plans_[static_cast<std::size_t>(call.proc())].access.reads_once) {
      i = end;
      continue;
    }
    const std::string_view cause = r.writes ? "" : info(Cause::overlap_read).key;
    const Severity severity = r.writes ? Severity::error : Severity::warning;
    for (std::size_t k = i; k < end; ++k) {
      const Region& one = regions_[k];
      if (one.dense()) continue;
      const Overlap answer = test_.twice(one.type, one.n);
      if (answer == Overlap::over_budget) over_budget(call, call.site());
      if (answer != Overlap::yes) continue;
      if (one.type->named == Constant::none
              ? again(process, call, Rule::type_overlap, severity, cause, {one.type->made})
              : again(process, call, Rule::type_overlap, severity, cause))
        return;
      const std::int64_t n = repeated_bytes(one.type, one.n);
      std::vector<Place> more;
      if (one.type->named == Constant::none)
        more.push_back({process.rank, one.type->made, "", "datatype made here"});
      std::string message = fmt::format(
          "{} {} {} more than once: {} of extent {} with bytes from {} to {}",
          region_words(one, call.proc()), one.writes ? "writes" : "reads", bytes_words(n),
          count_words(one.n, "element"), one.type->extent(), one.type->true_lb, one.type->true_ub);
      if (!one.writes)
        return report(process, call, Cause::overlap_read, severity, std::move(message),
                      std::move(more));
      return report(process, call, Rule::type_overlap, std::move(message), {}, std::move(more));
    }
    if (end - i > 1) check_blocks(process, call, i, end);
    if (call.harms.has(Harm::memory)) return;
    i = end;
  }
}

// Blocks [first, last) of one receive buffer against each other.
void BufferUse::check_blocks(Process& process, Call& call, std::size_t first, std::size_t last) {
  bool rising = true;
  for (std::size_t i = first + 1; i < last && rising; ++i)
    rising = regions_[i - 1].hi <= regions_[i].lo;
  if (rising) return;
  std::uint64_t digest = 0;
  const auto mix = [&](std::uint64_t x) { digest = scatter(digest ^ x) + 0x632be59bd9b4e019u; };
  for (std::size_t i = first; i < last; ++i) {
    const Region& r = regions_[i];
    mix(static_cast<std::uint64_t>(r.lo - regions_[first].lo));
    mix(static_cast<std::uint64_t>(r.hi - r.lo));
    mix(static_cast<std::uint64_t>(r.n));
    mix(reinterpret_cast<std::uintptr_t>(r.type.get()));
    if (!r.dense()) mix(static_cast<std::uint64_t>(r.type->extent()));
  }
  if (fine_.find(digest) != nullptr) return;
  order_.clear();
  for (std::size_t i = first; i < last; ++i) order_.push_back(static_cast<std::uint32_t>(i));
  std::sort(order_.begin(), order_.end(),
            [&](std::uint32_t a, std::uint32_t b) { return regions_[a].lo < regions_[b].lo; });
  Overlap all = Overlap::no;
  std::uint64_t pairs = 0;
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const Region& a = regions_[order_[i]];
    for (std::size_t j = i + 1; j < order_.size() && regions_[order_[j]].lo < a.hi; ++j) {
      const Region& b = regions_[order_[j]];
      const Overlap one =
          ++pairs > 10 * RegionTest::kMostPairs ? Overlap::over_budget : test_.meet(a, b);
      if (one == Overlap::over_budget) all = one;
      if (pairs > 10 * RegionTest::kMostPairs) break;
      if (one != Overlap::yes) continue;
      const char* name = call.info().params[static_cast<std::size_t>(a.param)].name;
      const auto message = [&] {
        return fmt::format("blocks {} and {} of {} share {}", std::min(a.block, b.block),
                           std::max(a.block, b.block), name, bytes_words(shared_bytes(a, b)));
      };
      if (!a.writes) {
        constexpr Cause kRead = Cause::overlap_read;
        if (again(process, call, Rule::type_overlap, Severity::warning, info(kRead).key)) return;
        return report(process, call, kRead, Severity::warning, message());
      }
      if (again(process, call, Rule::type_overlap)) return;
      return report(process, call, Rule::type_overlap, message());
    }
  }
  if (all == Overlap::over_budget) over_budget(call, call.site());
  constexpr std::size_t kKept = 4096;
  if (fine_.size() >= kKept) fine_ = {};
  fine_[digest] = all;
}

// MPI-4.1 2.3 and ch. 6: no argument that is written may overlap another one.
void BufferUse::check_call(Process& process, Call& call) {
  std::int64_t read_lo = INT64_MAX, read_hi = INT64_MIN, lo = INT64_MAX, hi = INT64_MIN;
  for (const Region& r : regions_) {
    std::int64_t& low = r.writes ? lo : read_lo;
    std::int64_t& high = r.writes ? hi : read_hi;
    low = std::min(low, r.lo);
    high = std::max(high, r.hi);
  }
  if (read_hi <= lo || hi <= read_lo) return;
  std::uint64_t pairs = 0;
  for (const Region& r : regions_) {
    if (r.writes || r.hi <= lo || hi <= r.lo) continue;
    for (const Region& w : regions_) {
      if (!w.writes || w.param == r.param) continue;
      const Overlap answer =
          ++pairs > RegionTest::kMostPairs ? Overlap::over_budget : test_.meet(r, w);
      if (answer == Overlap::over_budget) over_budget(call, call.site());
      if (pairs > RegionTest::kMostPairs) return;
      if (answer != Overlap::yes) continue;
      if (again(process, call, Rule::buffer_call_overlap)) return;
      return report(process, call, Rule::buffer_call_overlap,
                    fmt::format("{} and {} share {}", region_words(r, call.proc()),
                                region_words(w, call.proc()), bytes_words(shared_bytes(r, w))));
    }
  }
}

// MPI-4.1 3.6: a message needs its packed size, which is at least its data, and the overhead.
void BufferUse::check_bsend(Process& process, Call& call, State& s, std::int64_t bytes) {
  if (bytes <= 0 || s.automatic || s.other_buffers) return;
  if (!s.attached) {
    if (again(process, call, Cause::bsend_none)) return;
    return report(process, call, Cause::bsend_none,
                  fmt::format("no buffer is attached for a message of {}", bytes_words(bytes)));
  }
  const std::int64_t overhead =
      process.has(Constant::bsend_overhead)
          ? static_cast<std::int64_t>(process.raw_of(Constant::bsend_overhead))
          : 0;
  if (bytes + overhead <= s.attached_bytes)
    return check_together(process, call, s, bytes + overhead);
  if (again(process, call, Rule::buffer_bsend, "size", {s.attached_at})) return;
  report(process, call, Rule::buffer_bsend,
         fmt::format("needs {}, {} of data and MPI_BSEND_OVERHEAD={}; the attached buffer has {}",
                     count_words(bytes + overhead, "byte"), bytes, overhead, s.attached_bytes),
         "size", {{process.rank, s.attached_at, "MPI_Buffer_attach", "attached here"}});
}

// All messages sent since anything was heard of others may still be in the buffer.
void BufferUse::check_together(Process& process, Call& call, State& s, std::int64_t bytes) {
  s.buffered += bytes;
  if (s.buffered <= s.attached_bytes || s.told_buffered) return;
  s.told_buffered = true;  // once per attached buffer: a loop would tell it again and again
  sink_.report(
      {.rule = Rule::buffer_bsend,
       .severity = Severity::warning,
       .message = fmt::format("{} of messages, MPI_BSEND_OVERHEAD each included, may wait in the "
                              "attached buffer of {}: nothing shows that any of them was received",
                              count_words(s.buffered, "byte"), s.attached_bytes),
       .cause = "together",
       .places = {place_of(process, call),
                  {process.rank, s.attached_at, "MPI_Buffer_attach", "attached here"}},
       .potential = true});
}

void BufferUse::attach(Process& process, Call& call, State& s) {
  if (s.attached)
    return report(process, call, Cause::bsend_twice, "a buffer is already attached",
                  {{process.rank, s.attached_at, "MPI_Buffer_attach", "attached here"}});
  const Event enter = call.enter();
  const std::uint64_t address = enter.address(0);
  const std::int64_t bytes = enter.value(1);
  if (address == 0 || address == wire::kBufferAutomatic || bytes <= 0) return;
  Region r;
  r.lo = static_cast<std::int64_t>(address);
  r.hi = r.lo + bytes;
  r.writes = true;
  r.param = 0;
  if (check_pending(process, call, s, r, call.proc())) check_given(process, call, r);
}

void BufferUse::check_pack(Process& process, Call& call, const Plan& plan) {
  const Event enter = call.enter();
  const ProcInfo& about = call.info();
  const int size = std::max(about.param(Arg::outsize), about.param(Arg::insize));
  const std::int64_t bytes = packed_bytes(plan.access, process, enter);
  const std::int64_t room = enter.value(size), position = enter.value(plan.access.position);
  if (bytes <= 0) return;
  const char* name = about.params[static_cast<std::size_t>(size)].name;
  if (position < 0 || position > room) {
    if (!again(process, call, Cause::pack_position))
      report(process, call, Cause::pack_position,
             fmt::format("position={} lies outside the {} of {}", position,
                         count_words(room, "byte"), name));
  } else if (bytes > room - position && !again(process, call, Rule::buffer_pack, "room"))
    report(process, call, Rule::buffer_pack,
           fmt::format("{} at position {}, where {} of {} are left", bytes_words(bytes), position,
                       room - position, room),
           "room");
}

}  // namespace vouch
