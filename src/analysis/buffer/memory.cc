// Memory whose bounds are known: calls that leave their block, blocks that end too early, buffers
// that change while they are sent.

#include <algorithm>

#include <fmt/format.h>

#include "analysis/buffer/buffer.h"
#include "analysis/buffer/words.h"
#include "model/saturate.h"

namespace vouch {
namespace {

std::string block_words(const Block& block) {
  const std::string bytes = bytes_words(block.hi - block.lo);
  switch (block.kind) {
    case Block::Kind::global:
      return fmt::format("the {} of {}", bytes, block.name);
    case Block::Kind::alloc_mem:
      return fmt::format("the {} that MPI_Alloc_mem gave at {}", bytes, mention(block.made));
    default:
      return block.made.value == 0
                 ? fmt::format("the heap block of {}", bytes)
                 : fmt::format("the heap block of {} made at {}", bytes, mention(block.made));
  }
}

// Data of the first elements that lie below `end`.
std::int64_t room_below(const Region& r, std::int64_t end) {
  if (r.dense()) return std::max<std::int64_t>(end - r.lo, 0);
  const std::int64_t extent = r.type->extent();
  const std::int64_t top = r.at + r.type->true_ub;  // of the first element
  if (top > end) return 0;
  if (extent <= 0) return r.n * r.type->size;
  return std::min(r.n, (end - top) / extent + 1) * r.type->size;
}

std::uint64_t call_key(std::uint64_t process, std::uint32_t seq) { return process << 32 | seq; }

}  // namespace

void BufferUse::check_bounds(Process& process, Call& call, const Plan& plan) {
  const Event enter = call.enter();
  const Block* block = nullptr;
  std::int8_t of = -1;
  bool inside = false;  // some bytes of this buffer lie in its block
  for (std::size_t i = 0; i < regions_.size(); ++i) {
    const Region& r = regions_[i];
    if (r.empty()) continue;
    if (r.param != of) {
      of = r.param;
      // MPI_BOTTOM: the type names memory of many objects.
      const auto start = static_cast<std::int64_t>(enter.address(r.param));
      block = start == 0 ? nullptr : process.memory.find(start);
      inside = false;
      for (std::size_t k = i; block != nullptr && k < regions_.size() && regions_[k].param == of;
           ++k)
        inside = inside || (regions_[k].lo < block->hi && regions_[k].hi > block->lo);
    }
    // A start from which nothing lies in its block is only a number to count from.
    if (block == nullptr || block->kind == Block::Kind::copy || !inside) continue;
    if (r.lo >= block->lo && r.hi <= block->hi) continue;
    return check_bounds(process, call, plan, r, *block);
  }
}

void BufferUse::check_bounds(Process& process, Call& call, const Plan& plan, const Region& r,
                             const Block& block) {
  const std::int64_t after = r.hi - block.hi, before = block.lo - r.lo;
  const bool partly = plan.receives && before <= 0;
  const bool now = !partly || plan.does == Does::init;
  const Severity severity = plan.does == Does::init && partly ? Severity::warning : Severity::error;
  if (now &&
      (block.made.value != 0 ? again(process, call, Rule::buffer_bounds, severity, {}, {block.made})
                             : again(process, call, Rule::buffer_bounds, severity))) {
    if (r.writes && call.broken) damage().record(process, call.site());
    return;
  }
  const std::string message = fmt::format(
      "{} reaches {} {} {}", region_words(r, call.proc()), bytes_words(std::max(after, before)),
      after >= before ? "past the end of" : "before the start of", block_words(block));
  std::vector<Place> more;
  if (block.made.value != 0)
    more.push_back({process.rank, block.made,
                    block.kind == Block::Kind::alloc_mem ? "MPI_Alloc_mem" : "",
                    "memory made here"});
  if (now) {
    report(process, call, Rule::buffer_bounds, severity, message, {}, std::move(more));
    if (r.writes && call.broken) damage().record(process, call.site());
    return;
  }
  // What a short message does not fill is never touched [U68]: its sender tells.
  Report late{.rule = Rule::buffer_bounds,
              .severity = Severity::error,
              .message = message,
              .places = {place_of(process, call)}};
  for (Place& place : more) late.places.push_back(std::move(place));
  beyond_[call_key(process.index, call.seq())] = {std::move(late), room_below(r, block.hi)};
  hear_if_needed();
}

// Of a window (MPI-4.1 12.2.1) or a buffer for buffered sends all bytes must be there, whether or
// not anybody accesses them.
void BufferUse::check_given(Process& process, Call& call, const Region& r) {
  const Block* block = process.memory.find(r.lo);
  if (block == nullptr || block->kind == Block::Kind::copy || r.hi <= block->hi) return;
  std::vector<Place> more;
  if (block->made.value != 0)
    more.push_back({process.rank, block->made,
                    block->kind == Block::Kind::alloc_mem ? "MPI_Alloc_mem" : "",
                    "memory made here"});
  report(process, call, Rule::buffer_bounds,
         fmt::format("{} of {} from {} reaches {} past the end of {}",
                     call.info().family == Family::window ? "the window" : "the buffer",
                     bytes_words(r.hi - r.lo),
                     call.info().params[static_cast<std::size_t>(r.param)].name,
                     bytes_words(r.hi - block->hi), block_words(*block)),
         {}, std::move(more));
}

void BufferUse::check_window(Process& process, Call& call) {
  const Event enter = call.enter();
  const int base = call.info().param(Arg::base);
  const std::int64_t bytes = enter.value(call.info().param(Arg::size));
  const std::uint64_t address = enter.address(base);
  if (process.memory.empty() || address == 0 || address >= wire::kBufferAutomatic || bytes <= 0)
    return;
  Region r;
  r.lo = static_cast<std::int64_t>(address);
  r.hi = r.lo + bytes;
  r.param = static_cast<std::int8_t>(base);
  check_given(process, call, r);
}

void BufferUse::on_match(const Match& match) {
  if (!early_.empty()) settle_early(match);
  if (!beyond_.empty()) settle_beyond(match);
  hear_if_needed();
}

void BufferUse::settle_beyond(const Match& match) {
  const auto found = beyond_.find(call_key(match.recv.process, match.recv.seq));
  if (found == beyond_.end()) return;
  const Beyond beyond = std::move(found->second);
  beyond_.erase(found);
  const std::int64_t bytes =
      match.send.type == nullptr ? 0 : match.send.count * match.send.type->size;
  if (bytes > beyond.room) damage().record(world_.process(match.recv.process), match.recv.site);
  tell_beyond(beyond.report, bytes > beyond.room ? Severity::error : Severity::warning);
}

void BufferUse::tell_beyond(const Report& report, Severity severity) {
  Report told = report;
  told.severity = severity;
  if (severity == Severity::warning) told.message += "; the message that arrived was short enough";
  sink_.report(std::move(told));
}

void BufferUse::finish() {
  finish_early();
  std::vector<std::uint64_t> keys;  // in an order that does not depend on the table
  for (const auto& [key, beyond] : beyond_) keys.push_back(key);
  std::sort(keys.begin(), keys.end());
  for (const std::uint64_t key : keys) tell_beyond(beyond_[key].report, Severity::warning);
  beyond_.clear();
}

void BufferUse::on_memory(Process& process, int thread, const Event& meta) {
  State& s = states_[process];
  const auto word = [&](int i) { return static_cast<std::int64_t>(meta.word(i)); };
  switch (static_cast<wire::Meta>(meta.header().proc)) {
    case wire::Meta::block:
      // What was freed is somebody's again, and what was named before may mean it.
      if (static_cast<wire::BlockKind>(meta.word(2)) != wire::BlockKind::global)
        s.held.for_each_in(word(0), vouch::add(word(0), word(1)),
                           [](PendingOperation& o, const Region&) { o.freed = {}; });
      return;
    case wire::Meta::freed: {
      moved_before(process, thread, s);
      const Place by{
          process.rank, process.site(static_cast<std::uint32_t>(meta.word(2))), "free", {}};
      return check_freed(process, s, word(0), vouch::add(word(0), word(1)), by);
    }
    case wire::Meta::modified: {
      const Site since = process.site(static_cast<std::uint32_t>(meta.word(1)));
      const auto proc = static_cast<Proc>(meta.word(0));
      if (proc >= Proc::count_ || meta.word(2) >= info(proc).params.size()) return;
      if (overlapped_.contains(std::uint64_t{process.index} << 32 | since.value)) return;
      std::vector<Place> places{{process.rank, since, info(proc).name, {}}};
      const auto t = static_cast<std::size_t>(thread);
      if (t < process.threads.size() && !process.threads[t].calls.empty()) {
        const Thread& its = process.threads[t];
        const auto top = static_cast<std::size_t>(std::max(its.depth - 1, 0));
        places.push_back(place_of(process, its.calls[top], "complete here"));
      }
      const Param& param = info(proc).params[meta.word(2)];
      Report r{.rule = Rule::buffer_modified,
               .severity = info(Rule::buffer_modified).severity,
               .message = fmt::format("{} is not the same at completion as it was at the start",
                                      param.name),
               .places = std::move(places)};
      if (param.is_array()) {
        r.cause = info(Cause::array_modified).key;
        r.why = Cause::array_modified;
      }
      sink_.report(std::move(r));
      return;
    }
    default:
      return;
  }
}

// [lo, hi) is given back by a call.
void BufferUse::check_freed(Process& process, State& s, std::int64_t lo, std::int64_t hi,
                            const Place& by) {
  bool told = false;
  const auto tell = [&](const PendingOperation& o, const Region& r, const char* what,
                        const char* role) {
    if (told) return;
    told = true;
    const Block* block = process.memory.find(lo);
    const bool copy = block != nullptr && block->kind == Block::Kind::copy;
    std::string message =
        fmt::format("{} of {} is freed {}", region_words(r, o.proc), info(o.proc).name, what);
    if (copy)
      message += "; it is the compiler's copy of an array section, which lives for one call";
    sink_.report(
        {.rule = Rule::buffer_freed,
         .severity = info(Rule::buffer_freed).severity,
         .message = std::move(message),
         .places = copy ? std::vector<Place>{{process.rank, o.since, info(o.proc).name, {}}}
                        : std::vector<Place>{by, {process.rank, o.since, info(o.proc).name, role}},
         .advice =
             copy ? "Pass a contiguous array, or the whole array with a datatype for the section."
                  : ""});
    damage().record(process, copy ? o.since : by.site);
  };
  std::vector<std::pair<std::uint32_t, std::size_t>> gone;
  s.pending.for_each_in(lo, hi, [&](PendingOperation& o, const Region& r) {
    gone.emplace_back(static_cast<std::uint32_t>(&o - &s.pending.operation(0)),
                      static_cast<std::size_t>(&r - o.regions.data()));
    const bool attached = info(o.proc).base == Proc::buffer_attach;
    tell(o, r, attached ? "while it is attached" : "while the operation is pending",
         attached ? "attached here" : "pending since here");
  });
  // Whoever gets this memory next does nothing wrong with it.
  for (const auto& [operation, region] : gone) s.pending.leave(operation, region);
  s.held.for_each_in(lo, hi, [&](PendingOperation& o, const Region& r) {
    if (info(o.proc).has(kPersistent)) {
      o.freed = by.site;  // an error only if it is started again
    } else if (info(o.proc).family == Family::rma) {
      tell(o, r, "before the operation is complete at its origin", "started here");
    } else if (info(o.proc).family == Family::window) {
      tell(o, r, "while the window is alive", "window made here");
    } else {
      tell(o, r, "although nothing shows that the message was delivered; its request was freed",
           "sent here");
    }
  });
}

void BufferUse::check_freed_start(Process& process, Call& call, State& s, std::uint64_t raw) {
  const std::uint32_t o = s.held.newest(raw);
  if (o == 0 || s.held.operation(o).freed.value == 0) return;
  const PendingOperation& init = s.held.operation(o);
  report(process, call, Rule::buffer_freed,
         fmt::format("{} of {} was freed at {}",
                     init.regions.empty() ? "memory" : region_words(init.regions[0], init.proc),
                     info(init.proc).name, mention(init.freed)),
         {},
         {{process.rank, init.freed, "free", "freed here"},
          {process.rank, init.since, info(init.proc).name, "made here"}});
}

// MPI-4.1 2.3: two outputs that are one variable.
void BufferUse::check_outs(Process& process, Call& call, const Plan& plan) {
  const Event enter = call.enter();
  for (std::size_t i = 0; i < plan.outs.size(); ++i) {
    const std::uint64_t a = enter.address(plan.outs[i]);
    if (a == 0 || a >= wire::kBufferAutomatic) continue;
    for (std::size_t k = i + 1; k < plan.outs.size(); ++k) {
      if (enter.address(plan.outs[k]) != a) continue;
      const auto name = [&](std::size_t n) {
        return call.info().params[static_cast<std::size_t>(plan.outs[n])].name;
      };
      return report(
          process, call, Rule::buffer_call_overlap,
          fmt::format("{} and {} are the same variable, which gets two results", name(i), name(k)),
          "outputs");
    }
  }
}

// MPI-4.1 6.12: arrays of counts, displacements and types are read until the operation is complete.
void BufferUse::add_arrays(const Process& process, const Call& call) {
  if (call.fortran()) return;
  const Event enter = call.enter();
  const std::span<const Param> params = call.info().params;
  for (std::size_t i = 0; i < params.size(); ++i) {
    const Param& p = params[i];
    if (!p.is_array() || p.dir != Dir::in || p.enter_word < 0) continue;
    const auto index = static_cast<int>(i);
    const std::uint64_t at = enter.address(index), length = enter.length(index);
    if (at == 0 || at >= wire::kBufferAutomatic || length == 0) continue;
    // Open MPI's handles are pointers, MPICH's are integers.
    const bool narrow = p.kind == Kind::datatype && process.library == wire::Library::mpich;
    Region r;
    r.lo = static_cast<std::int64_t>(at);
    r.hi = r.lo + static_cast<std::int64_t>(length) * (narrow ? 4 : p.elem_size);
    r.param = static_cast<std::int8_t>(i);
    regions_.push_back(std::move(r));
  }
}

}  // namespace vouch
