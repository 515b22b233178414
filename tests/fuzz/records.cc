#include "records.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>
#include <sstream>

#include "trace/reader.h"

namespace vouch::fuzz {
namespace {

bool is(const Record& r, wire::Meta what) {
  return r.header.phase == wire::Phase::meta && r.header.proc == static_cast<std::uint16_t>(what);
}

// Numbers of what is not there are closed up.
void number(Run& run) {
  std::vector<std::map<std::uint32_t, std::uint32_t>> numbers(run.hints.size());
  for (Record& r : run.records) {
    auto& known = numbers[static_cast<std::size_t>(r.process)];
    const auto number = static_cast<std::uint32_t>(known.size() + 1);
    known[r.header.seq] = number;
    r.header.seq = number;
    if (r.header.phase == wire::Phase::leave) {
      const auto call = known.find(r.header.site);
      if (call != known.end()) r.header.site = call->second;
    }
  }
}

// Of a library's constants, hundreds in each process, those stay whose value stands in another
// record: the rest costs nine tenths of the time.
void leave_out_constants(Run& run) {
  std::vector<std::set<std::uint64_t>> used(run.hints.size());
  for (const Record& r : run.records) {
    if (is(r, wire::Meta::constant)) continue;
    for (const std::uint64_t word : r.words)
      used[static_cast<std::size_t>(r.process)].insert({word, word >> 32, word & 0xffffffff});
  }
  std::erase_if(run.records, [&](const Record& r) {
    return is(r, wire::Meta::constant) && r.words.size() >= 2 &&
           !used[static_cast<std::size_t>(r.process)].contains(r.words[1]);
  });
}

Run run_of(const File& file, bool whole) {
  Run run;
  run.name = file.name;
  std::istringstream in(file.bytes);
  trace::Reader reader(in);
  trace::Item item;
  for (;;) {
    const auto more = reader.next(item);
    if (!more.ok() || !more.value()) break;
    if (item.kind == trace::Item::Kind::process) run.hints.push_back(item.rank_hint);
    if (item.kind != trace::Item::Kind::record) continue;
    Record r;
    r.process = static_cast<int>(item.process);
    r.thread = item.thread;
    r.header = *item.header;
    r.words.assign(item.words, item.words + item.header->words);
    run.records.push_back(std::move(r));
  }
  if (!whole) leave_out_constants(run);
  number(run);
  return run;
}

// The words of a record that say how long its arrays are.
std::vector<std::pair<std::size_t, const Param*>> lengths(const Record& r) {
  std::vector<std::pair<std::size_t, const Param*>> found;
  if (r.header.phase == wire::Phase::meta || r.header.proc >= static_cast<int>(Proc::count_))
    return found;
  const bool leave = r.header.phase == wire::Phase::leave;
  for (const Param& p : info(static_cast<Proc>(r.header.proc)).params) {
    const int tail = leave ? p.leave_tail : p.enter_tail;
    const int word = leave ? p.leave_word : p.enter_word + 1;
    if (tail >= 0 && static_cast<std::size_t>(word) < r.words.size())
      found.emplace_back(static_cast<std::size_t>(word), &p);
  }
  return found;
}

std::uint64_t padded_words(std::uint64_t length, const Param& p) {
  return (length * p.elem_size + 7) / 8;
}

// The array number `which` gets so many elements.
void resize(Random& random, Record& r, std::size_t which, std::uint64_t length) {
  const auto all = lengths(r);
  const bool leave = r.header.phase == wire::Phase::leave;
  const ProcInfo& proc = info(static_cast<Proc>(r.header.proc));
  std::size_t at = leave ? proc.leave_words : proc.enter_words;
  for (std::size_t i = 0; i < which; ++i) {
    if (r.words[all[i].first] > 100'000) return;
    at += padded_words(r.words[all[i].first], *all[i].second);
  }
  const auto [word, p] = all[which];
  if (r.words[word] > 100'000) return;
  const std::uint64_t before = padded_words(r.words[word], *p);
  if (at + before > r.words.size()) return;
  const std::uint64_t after = padded_words(length, *p);
  const auto first = r.words.begin() + static_cast<std::ptrdiff_t>(at);
  if (after < before) {
    r.words.erase(first, first + static_cast<std::ptrdiff_t>(before - after));
  } else {
    std::vector<std::uint64_t> more(after - before);
    for (auto& w : more) w = random.one_in(2) ? random.number() : random.below(4);
    r.words.insert(first, more.begin(), more.end());
  }
  r.words[word] = length;
}

// An array becomes longer or shorter, with its elements; and perhaps what counts them too, and all
// that it counts.
void resize_array(Random& random, Record& r) {
  const auto all = lengths(r);
  if (all.empty()) return;
  const ProcInfo& proc = info(static_cast<Proc>(r.header.proc));
  const std::size_t which = random.below(all.size());
  const Param& p = *all[which].second;
  const std::uint64_t length = random.one_in(8) ? random.below(5000) : random.below(6);
  const bool counted = r.header.phase != wire::Phase::leave && p.length == Length::param;
  if (!counted || random.one_in(3)) return resize(random, r, which, length);
  const Param& count = proc.params[static_cast<std::size_t>(p.length_param)];
  const int place = count.enter_word + (count.shape == Shape::pointer_inout);
  r.words[static_cast<std::size_t>(place)] = length;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Param& other = *all[i].second;
    if (other.length == Length::param && other.length_param == p.length_param)
      resize(random, r, i, length * other.length_factor);
  }
}

// A communicator as it could be in a larger job: as many members as its size says, in runs; the
// place of a process in a larger world. Both stay within what a record may claim (sound.h).
void claim_more(Random& random, Record& r) {
  constexpr std::uint64_t kSizes[] = {1, 2, 3, 5, 17, 1000, 16'384, 100'000, 1 << 20};
  const std::uint64_t size = kSizes[random.below(std::size(kSizes))];
  if (is(r, wire::Meta::world) && r.words.size() >= 2) {
    r.words[1] = size;
    r.words[0] = random.below(size);
    return;
  }
  if (!is(r, wire::Meta::communicator) || r.words.size() < 8) return;
  r.words.resize(8);
  r.words[1] = size;
  r.words[2] = random.one_in(2) ? 0 : random.below(size);
  if (random.one_in(8)) r.words[3] = kSizes[random.below(std::size(kSizes))];
  r.words[7] = 0;
  const std::uint64_t most = 1 << 20;
  for (std::uint64_t left = size; left > 0;) {
    const std::uint64_t length = r.words[7] < 5 && random.one_in(2) ? 1 + random.below(left) : left;
    const std::uint64_t stride = length == 1 ? 0 : 1 + random.below((most - 1) / (length - 1));
    const std::uint64_t span = stride * (length - 1);
    const std::uint64_t first = random.one_in(2) ? 0 : random.below(most - span);
    if (random.one_in(20)) {
      r.words.insert(r.words.end(), {~std::uint64_t{0}, 0, length});
    } else if (random.one_in(3)) {
      r.words.insert(r.words.end(), {first + span, ~stride + 1, length});
    } else {
      r.words.insert(r.words.end(), {first, stride, length});
    }
    ++r.words[7];
    left -= length;
  }
}

void change(Random& random, std::vector<Record>& records, const std::vector<Run>& runs) {
  if (records.empty()) return;
  const auto some = [&](const std::vector<Record>& of) {
    std::size_t i = random.below(of.size());
    // Most records of a short run are its library's constants.
    for (int turn = 0; turn < 6 && is(of[i], wire::Meta::constant); ++turn)
      i = random.below(of.size());
    return i;
  };
  const std::size_t i = some(records);
  Record& r = records[i];
  switch (random.below(22)) {
    case 20:
    case 21: {
      // Of the records that say it, which are few.
      std::vector<Record*> fit;
      for (Record& one : records) {
        if (is(one, wire::Meta::communicator) || is(one, wire::Meta::world)) fit.push_back(&one);
      }
      if (!fit.empty()) claim_more(random, *fit[random.below(fit.size())]);
      break;
    }
    case 0:
    case 1:
    case 2:
    case 3:
      if (!r.words.empty()) r.words[random.below(r.words.size())] = random.number();
      break;
    case 4: {
      const Record& other = records[some(records)];
      if (!r.words.empty() && !other.words.empty())
        r.words[random.below(r.words.size())] = other.words[random.below(other.words.size())];
      break;
    }
    case 5:
      if (!r.words.empty()) {
        std::uint32_t half = static_cast<std::uint32_t>(random.number());
        auto* bytes = reinterpret_cast<std::byte*>(r.words.data());
        std::memcpy(bytes + 4 * random.below(r.words.size() * 2), &half, 4);
      }
      break;
    case 6:
      r.header.proc = static_cast<std::uint16_t>(
          random.one_in(2) ? records[some(records)].header.proc
                           : random.below(static_cast<std::size_t>(Proc::count_) + 2));
      break;
    case 7:
      // Another procedure with enough words for it.
      r.header.proc =
          static_cast<std::uint16_t>(random.below(static_cast<std::size_t>(Proc::count_)));
      r.words.resize(r.words.size() + random.below(20));
      break;
    case 8:
      r.header.phase = static_cast<wire::Phase>(random.below(4));
      break;
    case 9:
      r.header.flags ^= static_cast<std::uint8_t>(1u << random.below(5));
      break;
    case 10:
      r.header.words = static_cast<std::uint32_t>(random.number());
      break;
    case 11:
      (random.one_in(2) ? r.header.seq : r.header.site) = static_cast<std::uint32_t>(
          random.one_in(2) ? r.header.seq + random.below(7) - 3 : random.number());
      break;
    case 12:
      records.erase(records.begin() + static_cast<std::ptrdiff_t>(i));
      break;
    case 13: {
      Record copy = r;
      if (random.one_in(2)) copy.header.seq += static_cast<std::uint32_t>(random.below(3));
      records.insert(records.begin() + static_cast<std::ptrdiff_t>(some(records)), std::move(copy));
      break;
    }
    case 14:
      std::swap(records[i], records[some(records)]);
      break;
    case 15: {  // of another run
      const Run& other = runs[random.below(runs.size())];
      if (other.records.empty()) break;
      const std::size_t from = some(other.records);
      const std::size_t n = std::min(1 + random.below(8), other.records.size() - from);
      const int process = r.process, thread = r.thread;
      const std::uint32_t shift = r.header.seq - other.records[from].header.seq;
      for (std::size_t k = 0; k < n; ++k) {
        Record copy = other.records[from + k];
        copy.process = process;
        copy.thread = thread;
        copy.header.seq += shift;
        if (copy.header.phase == wire::Phase::leave) copy.header.site += shift;
        records.insert(records.begin() + static_cast<std::ptrdiff_t>(i + k), std::move(copy));
      }
      break;
    }
    case 16:
    case 17:
    case 18:
      resize_array(random, r);
      break;
    case 19: {  // the arrays come in pieces before it
      const auto all = lengths(r);
      if (all.empty()) break;
      const std::size_t fixed = r.header.phase == wire::Phase::leave
                                    ? info(static_cast<Proc>(r.header.proc)).leave_words
                                    : info(static_cast<Proc>(r.header.proc)).enter_words;
      if (r.words.size() <= fixed) break;
      Record piece = r;
      piece.header = {static_cast<std::uint16_t>(wire::Meta::blob),
                      wire::Phase::meta,
                      0,
                      0,
                      r.header.seq - 1,
                      0};
      piece.words.assign(1, (r.words.size() - fixed) * 8);
      piece.words.insert(piece.words.end(), r.words.begin() + static_cast<std::ptrdiff_t>(fixed),
                         r.words.end());
      if (random.one_in(4)) piece.words[0] = random.number();
      r.words.resize(fixed);
      r.header.flags |= wire::kFlagBlob;
      piece.header.words = static_cast<std::uint32_t>(piece.words.size());
      records.insert(records.begin() + static_cast<std::ptrdiff_t>(i), std::move(piece));
      break;
    }
  }
}

}  // namespace

std::vector<Run> runs_of(const std::string& folder) {
  std::vector<Run> runs;
  std::size_t files = 0;
  for (const File& file : files_of(folder, ".trace")) {
    const bool whole = ++files % 8 == 0;
    Run run = run_of(file, whole);
    if (!run.records.empty()) runs.push_back(std::move(run));
  }
  if (runs.empty()) {
    std::fprintf(stderr, "vouch_fuzz: no trace in %s can be read\n", folder.c_str());
    std::exit(2);
  }
  return runs;
}

std::vector<Record> mutate(Random& random, const std::vector<Run>& runs, std::size_t which) {
  std::vector<Record> records = runs[which].records;
  const std::size_t changes = 1 + random.below(random.one_in(4) ? 30 : 4);
  for (std::size_t n = 0; n < changes; ++n) change(random, records, runs);
  // Headers fit their words, unless that is what is wrong.
  for (Record& r : records) {
    if (r.header.words != r.words.size() && !random.one_in(4))
      r.header.words = static_cast<std::uint32_t>(r.words.size());
  }
  return records;
}

}  // namespace vouch::fuzz
