#include "shim/access/lane.h"

#include <cstring>

namespace vouch::shim {

namespace {

// Steps may be backwards.
std::uint64_t steps(std::uint64_t from, std::uint64_t to, std::uint64_t step) {
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(to - from) /
                                    static_cast<std::int64_t>(step));
}

std::uint64_t elements(const AccessRun& run) {
  return run.step == 0 ? 1 : steps(run.first, run.next, run.step);
}

// The program's thread may be counting in it meanwhile.
std::uint64_t read(const std::uint64_t& word) { return __atomic_load_n(&word, __ATOMIC_RELAXED); }
void write(std::uint64_t& word, std::uint64_t value) {
  __atomic_store_n(&word, value, __ATOMIC_RELAXED);
}

// Of the patterns of one place most differ in their address.
std::uint64_t hash(const PlacedPattern& p) {
  return (p.place * 0x9E3779B97F4A7C15u ^ p.pattern.address) * 0x9E3779B97F4A7C15u;
}

}  // namespace

void AccessLane::begin(AccessModule* module, AccessRun** runs, const void* owner) {
  module_ = module;
  runs_ = runs;
  owner_ = owner;
  for (AccessRun(&table)[kAccessRuns + 1] : tables_)
    table[kAccessRuns].first = reinterpret_cast<std::uint64_t>(this);
  __atomic_store_n(runs, &tables_[active_][0], __ATOMIC_RELEASE);
}

void AccessLane::emit(std::uint64_t place, const AccessPattern& pattern, Spill spill,
                      void* context) {
  const PlacedPattern placed{place, pattern};
  Seen& seen = seen_[(hash(placed) >> 57) % kSeen];
  if (seen.is == placed && seen.phase == phase_) return;
  seen = {placed, phase_};
  if (ready_ == kPatterns) {
    spill(context, patterns_, ready_);
    ready_ = 0;
  }
  patterns_[ready_++] = placed;
}

// The rows so far are a pattern.
void AccessLane::finish(AccessRun& run, Spill spill, void* context) {
  if (run.rows == 0) return;
  const AccessPattern pattern{.kind = run.kind,
                              .address = run.base,
                              .bytes = run.bytes,
                              .step = run.row_step,
                              .count = run.row_count,
                              .stride = run.stride,
                              .rows = run.rows};
  run.rows = 0;
  emit(run.place, normal(pattern), spill, context);
}

// A row has ended: is it the next one of its pattern, or one that is there already?
void AccessLane::row(AccessRun& run, Spill spill, void* context) {
  if (run.first == 0) return;
  const std::uint64_t count = elements(run);
  const std::uint64_t away = run.first - run.base;
  if (run.rows != 0 && count == run.row_count && (count == 1 || run.step == run.row_step)) {
    if (away == 0) return;
    if (run.rows == 1) {
      run.stride = away;
      run.rows = 2;
      return;
    }
    const auto nth = static_cast<std::int64_t>(away) / static_cast<std::int64_t>(run.stride);
    if (static_cast<std::uint64_t>(nth) * run.stride == away && nth >= 0 &&
        static_cast<std::uint64_t>(nth) <= run.rows) {
      if (static_cast<std::uint64_t>(nth) == run.rows) ++run.rows;
      return;
    }
  }
  finish(run, spill, context);
  run.base = run.first;
  run.row_step = run.step;
  run.row_count = count;
  run.stride = 0;
  run.rows = 1;
}

// The run of an instruction; another one that had its place is finished.
AccessRun& AccessLane::run(std::uint64_t place, Spill spill, void* context) {
  const std::uint32_t number = run_of(place);
  AccessRun& run = tables_[active_][number];
  if (run.place == place) return run;
  if (run.place == 0) {
    places_[active_][used_[active_]++] = static_cast<std::uint16_t>(number);
  } else {
    row(run, spill, context);
    finish(run, spill, context);
  }
  std::memset(static_cast<void*>(&run), 0, sizeof(run));
  run.place = place;
  return run;
}

void AccessLane::touch(std::uint64_t address, std::uint64_t bytes, wire::AccessKind kind,
                       std::uint64_t place, Spill spill, void* context) {
  AccessRun& run = this->run(place, spill, context);
  if (run.first == 0 || run.bytes != bytes || run.kind != kind) {
    row(run, spill, context);
    finish(run, spill, context);
    run.bytes = bytes;
    run.kind = kind;
    run.step = 0;
    run.first = run.next = address;
    return;
  }
  if (elements(run) == 1) {
    run.step = address - run.first;  // 0: the same element again
    run.next = address + run.step;
    return;
  }
  row(run, spill, context);
  run.first = address;
  run.next = address + run.step;
}

void AccessLane::loop(const AccessPattern& pattern, std::uint64_t place, Spill spill,
                      void* context) {
  if (pattern.rows > 1) return emit(place, normal(pattern), spill, context);
  AccessRun& run = this->run(place, spill, context);
  row(run, spill, context);
  if (run.bytes != pattern.bytes || run.kind != pattern.kind) finish(run, spill, context);
  run.bytes = pattern.bytes;
  run.kind = pattern.kind;
  run.first = pattern.address;
  run.step = pattern.step;
  run.next = pattern.address + pattern.step * pattern.count;
}

void AccessLane::outside(std::uint64_t place, std::uint64_t low, std::uint64_t span, Spill spill,
                         void* context) {
  AccessRun& run = this->run(place, spill, context);
  run.gap_low = low;
  run.gap_span = span;
}

void AccessLane::forget_outside() {
  for (std::uint32_t i = 0; i < used_[active_]; ++i)
    write(tables_[active_][places_[active_][i]].gap_span, 0);
}

void AccessLane::close(unsigned table, bool keep, Spill spill, void* context) {
  for (std::uint32_t i = 0; i < used_[table]; ++i) {
    AccessRun& run = tables_[table][places_[table][i]];
    AccessRun now = run;
    now.next = read(run.next);
    row(now, spill, context);
    finish(now, spill, context);
    if (keep)
      run.taken = now.next;
    else
      std::memset(static_cast<void*>(&run), 0, sizeof(run));
  }
  if (!keep) used_[table] = 0;
}

// What the owner has counted after the table was drained and taken from it.
void AccessLane::late(unsigned table, Spill spill, void* context) {
  for (std::uint32_t i = 0; i < used_[table]; ++i) {
    AccessRun& run = tables_[table][places_[table][i]];
    const std::uint64_t next = read(run.next);
    if (run.first != 0 && next != run.taken && run.step != 0) {
      const AccessPattern pattern{.kind = run.kind,
                                  .address = run.taken,
                                  .bytes = run.bytes,
                                  .step = run.step,
                                  .count = steps(run.taken, next, run.step)};
      emit(run.place, normal(pattern), spill, context);
    }
    std::memset(static_cast<void*>(&run), 0, sizeof(run));
  }
  used_[table] = 0;
}

void AccessLane::drain(bool own, Spill spill, void* context) {
  const unsigned table = active_;
  late(1 - table, spill, context);
  if (own || runs_ == nullptr) {
    close(table, false, spill, context);
  } else if (used_[table] != 0) {
    active_ = 1 - table;
    __atomic_store_n(runs_, &tables_[active_][0], __ATOMIC_SEQ_CST);
    close(table, true, spill, context);
  }
  if (ready_ != 0) spill(context, patterns_, ready_);
  ready_ = 0;
  ++phase_;
}

}  // namespace vouch::shim
