#include "agent/rounds.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace vouch {
namespace {

constexpr std::size_t kRounds = 4;                    // that are known at once
constexpr std::size_t kMost = std::size_t{1} << 18;   // bytes of one process in a round
constexpr std::size_t kVain = 32;                     // rounds kept for nothing
constexpr std::size_t kPause = std::size_t{8} << 20;  // bytes until it is tried again
constexpr std::size_t kHeader = sizeof(wire::RecordHeader) / 8;

bool is_plain(Proc proc) {
  const ProcInfo& about = info(proc);
  if (about.has(kPersistent) || about.has(kPoll)) return false;
  const bool p2p = about.family == Family::p2p;
  if (!p2p && !about.has(kBlocking)) return false;
  Proc base = proc;
  while (info(base).base != base) base = info(base).base;
  return info(base).is(Trait::plain);
}

wire::RecordHeader header_at(const std::uint64_t* words) {
  wire::RecordHeader header;
  std::memcpy(&header, words, sizeof(header));
  return header;
}

const std::uint64_t* words_of(std::span<const std::byte> bytes) {
  return reinterpret_cast<const std::uint64_t*>(bytes.data());
}

}  // namespace

Rounds::Rounds(Pipeline& pipeline, std::function<std::uint64_t()> told, Collector* findings)
    : pipeline_(pipeline), told_(std::move(told)), findings_(findings) {
  for (std::size_t p = 1; p < plain_.size(); ++p) plain_[p] = is_plain(static_cast<Proc>(p));
}

bool Rounds::possible() const {
  const World& world = pipeline_.world();
  if (world.several() || pipeline_.traces() || world.size() <= 0 ||
      world.processes() != static_cast<std::size_t>(world.size()))
    return false;
  for (std::size_t i = 0; i < world.processes(); ++i) {
    const Process& p = world.process(i);
    if (p.phase != Phase::running || p.end != End::alive || p.spawned || p.lossy ||
        p.threads.size() != 1 || p.thread_level == Constant::thread_multiple ||
        pipeline_.intake(i).lanes() != 1)
      return false;
  }
  return true;
}

void Rounds::look() {
  const bool on = pause_ == 0 && possible();
  if (on == on_ && (!on || sides_.size() == pipeline_.world().processes())) return;
  on_ = on;
  forget();
  sides_.assign(on ? pipeline_.world().processes() : 0, Side{});
  waiting_ = 0;
}

void Rounds::forget() {
  rounds_.clear();
  keeping_ = false;
}

void Rounds::let_go() {
  for (Side& s : sides_) s.waits = false;
  waiting_ = 0;
  keeping_ = false;
}

std::size_t Rounds::feed(std::size_t process, std::size_t lane, std::span<const std::byte> bytes,
                         std::size_t limit) {
  if (!on_ || process >= sides_.size()) {
    const std::size_t done = pipeline_.feed(process, lane, bytes, limit);
    pause_ -= std::min(pause_, done);
    return done;
  }
  Side& s = sides_[process];
  const Intake& intake = pipeline_.intake(process);
  // Read by others in between.
  if (s.read != intake.records()) forget();
  bool at_gate = false;
  const std::size_t done = pipeline_.feed_round(process, lane, bytes, limit, s.gate, at_gate);
  if (intake.lane(lane).damaged) {
    forget();
    return done;
  }
  keep(s, pipeline_.process(process), bytes.first(done));
  s.read = intake.records();
  if (at_gate) {
    s.waits = true;
    ++waiting_;
  }
  return done;
}

// Only its first glance is taken: what is needed to know that nothing else has happened.
bool Rounds::plain(const wire::RecordHeader& header, const std::uint64_t* words) const {
  constexpr auto kStrange = wire::kFlagBlob | wire::kFlagCallback | wire::kFlagHeld;
  if ((header.flags & kStrange) != 0 || header.phase == wire::Phase::meta || !plain_[header.proc])
    return false;
  if (header.phase == wire::Phase::leave) return words[0] == 0;
  const std::size_t fixed = info(static_cast<Proc>(header.proc)).enter_words;
  return std::none_of(words, words + fixed, [](std::uint64_t word) {
    const auto value = static_cast<std::int64_t>(word);
    return value == wire::kAnySource || value == wire::kAnyTag;
  });
}

void Rounds::keep(Side& s, const Process&, std::span<const std::byte> bytes) {
  const std::uint64_t* words = words_of(bytes);
  const std::size_t n = bytes.size() / 8;
  for (std::size_t at = 0; at < n;) {
    const wire::RecordHeader header = header_at(words + at);
    if (!plain(header, words + at + kHeader)) {
      forget();
      return;
    }
    at += kHeader + header.words;
  }
  if (!keeping_) return;
  s.words.insert(s.words.end(), words, words + n);
  if (s.words.size() * 8 > kMost) keeping_ = false;
}

bool Rounds::begins_call(std::span<const std::byte> bytes) {
  if (bytes.size() < sizeof(wire::RecordHeader)) return false;
  const wire::RecordHeader header = header_at(words_of(bytes));
  return header.phase == wire::Phase::enter && (header.flags & wire::kFlagCallback) == 0;
}

bool Rounds::at_rest(std::vector<Rest>& rest) const {
  if (!pipeline_.at_rest()) return false;
  World& world = pipeline_.world();
  const Clocks& clocks = pipeline_.facts().clocks();
  rest.resize(sides_.size());
  for (std::size_t i = 0; i < sides_.size(); ++i) {
    const Process& p = world.process(i);
    const auto index = static_cast<std::uint32_t>(i);
    if (p.threads[0].depth != 0 || p.held_calls != 0 || !p.memory.empty() ||
        clocks.any_source(index))
      return false;
    rest[i] = {p.changes, p.requests.size(), p.messages.size(), clocks.noted(index)};
  }
  return true;
}

Rounds::Part Rounds::part_of(const Process& process, Side& s) const {
  Part part;
  part.words = std::exchange(s.words, {});
  part.communications = process.communications - s.communications;
  for (std::size_t at = 0; at < part.words.size();) {
    wire::RecordHeader header = header_at(&part.words[at]);
    header.seq -= s.first;
    if (header.phase == wire::Phase::leave) {
      header.site -= s.first;
    } else {
      const Call call{process.site(header.site), static_cast<Proc>(header.proc), 1};
      const auto known = std::find_if(part.calls.begin(), part.calls.end(), [&](const Call& c) {
        return c.site == call.site && c.proc == call.proc;
      });
      if (known != part.calls.end()) {
        ++known->times;
      } else {
        part.calls.push_back(call);
      }
    }
    std::memcpy(&part.words[at], &header, sizeof(header));
    ++part.records;
    at += kHeader + header.words;
  }
  return part;
}

void Rounds::store(std::vector<Rest>&& rest, Collector::Counted&& counted) {
  Round round;
  round.counted = std::move(counted);
  round.rest = std::move(rest);
  for (std::size_t i = 0; i < sides_.size(); ++i)
    round.parts.push_back(part_of(pipeline_.process(i), sides_[i]));
  for (const Round& known : rounds_) {
    bool same = known.rest == round.rest;
    for (std::size_t i = 0; same && i < sides_.size(); ++i)
      same = known.parts[i].words == round.parts[i].words;
    if (same) return;
  }
  if (rounds_.size() < kRounds) {
    rounds_.push_back(std::move(round));
  } else {
    rounds_[next_] = std::move(round);
    next_ = (next_ + 1) % kRounds;
  }
  if (++vain_ < kVain) return;
  // This program does not repeat itself.
  vain_ = 0;
  pause_ = kPause;
}

bool Rounds::says(const Part& part, std::span<const std::byte> bytes, std::uint32_t first) {
  if (bytes.size() < part.bytes() + sizeof(wire::RecordHeader)) return false;
  const std::uint64_t* mine = part.words.data();
  const std::uint64_t* theirs = words_of(bytes);
  const std::uint64_t* const end = mine + part.words.size();
  while (mine < end) {
    wire::RecordHeader header = header_at(mine);
    header.seq += first;
    if (header.phase == wire::Phase::leave) header.site += first;
    if (std::memcmp(&header, theirs, sizeof(header)) != 0) return false;
    if (!std::equal(mine + kHeader, mine + kHeader + header.words, theirs + kHeader)) return false;
    mine += kHeader + header.words;
    theirs += kHeader + header.words;
  }
  // That the last call has returned is known by what follows.
  return begins_call(bytes.subspan(part.bytes()));
}

void Rounds::count(const Round& round, std::uint64_t times) {
  skipped_ += times;
  if (findings_ != nullptr) findings_->add(round.counted, times);
  for (std::size_t i = 0; i < sides_.size(); ++i) {
    const Part& part = round.parts[i];
    Process& process = pipeline_.process(i);
    process.communications += part.communications * times;
    for (const Call& c : part.calls) pipeline_.repeated(process, c.site, c.proc, c.times * times);
    pipeline_.pass(i, part.records * times, part.bytes() * times);
    sides_[i].read = pipeline_.intake(i).records();
  }
}

// Those that are behind the others go on alone until they have caught up.
bool Rounds::in_step() {
  std::vector<std::uint64_t> at(sides_.size());
  for (std::size_t i = 0; i < sides_.size(); ++i) {
    const std::uint64_t world = pipeline_.process(i).raw_of(Constant::comm_world);
    at[i] = pipeline_.facts().waves().position(i, world);
  }
  const std::uint64_t most = *std::max_element(at.begin(), at.end());
  for (std::size_t i = 0; i < sides_.size(); ++i) {
    if (at[i] == most) continue;
    sides_[i].waits = false;
    --waiting_;
    keeping_ = false;
  }
  return waiting_ == sides_.size();
}

void Rounds::go_on(const std::vector<std::span<const std::byte>>& bytes,
                   std::vector<std::size_t>& taken) {
  taken.assign(sides_.size(), 0);
  if (!in_step()) return;
  const bool together = std::all_of(bytes.begin(), bytes.end(), begins_call);
  if (!together || !possible()) return let_go();
  for (std::size_t i = 0; i < sides_.size(); ++i) pipeline_.returned(i, 0, sides_[i].gate);
  std::vector<Rest> rest;
  const std::uint64_t told = told_(), left_alone = pipeline_.facts().p2p().left_alone();
  const bool silent = told == told_before_ && left_alone == left_alone_;
  const bool rests = at_rest(rest);
  Collector::Counted counted;
  if (findings_ != nullptr) counted = findings_->take_counted();
  if (!silent) forget();
  if (keeping_ && rests && rest == rest_) store(std::vector<Rest>(rest), std::move(counted));
  const auto first = [&](std::size_t i) { return pipeline_.intake(i).next(); };
  for (bool again = rests; again;) {
    again = false;
    for (const Round& round : rounds_) {
      if (round.rest != rest) continue;
      std::uint64_t times = 0;
      for (bool same = true; same;) {
        for (std::size_t i = 0; same && i < sides_.size(); ++i) {
          const Part& part = round.parts[i];
          same = says(part, bytes[i].subspan(taken[i]),
                      first(i) + static_cast<std::uint32_t>(part.records * times));
        }
        if (!same) break;
        for (std::size_t i = 0; i < sides_.size(); ++i) taken[i] += round.parts[i].bytes();
        ++times;
      }
      if (times == 0) continue;
      count(round, times);
      vain_ = 0;
      again = rounds_.size() > 1;
    }
  }
  let_go();
  told_before_ = told;
  left_alone_ = left_alone;
  keeping_ = rests;
  rest_ = std::move(rest);
  for (std::size_t i = 0; i < sides_.size(); ++i) {
    Side& s = sides_[i];
    s.words.clear();
    s.first = first(i);
    s.communications = pipeline_.process(i).communications;
  }
}

}  // namespace vouch
