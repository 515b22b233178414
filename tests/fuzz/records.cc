#include "records.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <sstream>

#include "trace/reader.h"

namespace vouch::fuzz {
namespace {

bool is_constant(const Record& r) {
  return r.header.phase == wire::Phase::meta &&
         r.header.proc == static_cast<std::uint16_t>(wire::Meta::constant);
}

Run run_of(const File& file) {
  Run run;
  run.name = file.name;
  std::istringstream in(file.bytes);
  trace::Reader reader(in);
  trace::Item item;
  // Numbers of what is not in the trace are closed up.
  std::vector<std::map<std::uint32_t, std::uint32_t>> numbers;
  for (;;) {
    const auto more = reader.next(item);
    if (!more.ok() || !more.value()) break;
    if (item.kind == trace::Item::Kind::process) {
      run.hints.push_back(item.rank_hint);
      numbers.emplace_back();
    }
    if (item.kind != trace::Item::Kind::record) continue;
    Record r;
    r.process = static_cast<int>(item.process);
    r.thread = item.thread;
    r.header = *item.header;
    r.words.assign(item.words, item.words + item.header->words);
    auto& known = numbers[item.process];
    const auto number = static_cast<std::uint32_t>(known.size() + 1);
    known[r.header.seq] = number;
    r.header.seq = number;
    if (r.header.phase == wire::Phase::leave) {
      const auto call = known.find(r.header.site);
      if (call != known.end()) r.header.site = call->second;
    }
    run.records.push_back(std::move(r));
  }
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

// An array becomes longer or shorter, with its elements; and perhaps what counts them too.
void resize_array(Random& random, Record& r) {
  const auto all = lengths(r);
  if (all.empty()) return;
  const bool leave = r.header.phase == wire::Phase::leave;
  const ProcInfo& proc = info(static_cast<Proc>(r.header.proc));
  const std::size_t which = random.below(all.size());
  std::size_t at = leave ? proc.leave_words : proc.enter_words;
  for (std::size_t i = 0; i < which; ++i) at += padded_words(r.words[all[i].first], *all[i].second);
  const auto [word, p] = all[which];
  const std::uint64_t before = padded_words(r.words[word], *p);
  if (at + before > r.words.size() || r.words[word] > 100'000) return;
  const std::uint64_t length = random.one_in(8) ? random.below(5000) : random.below(6);
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
  if (leave || p->length != Length::param || random.one_in(3)) return;
  const Param& count = proc.params[static_cast<std::size_t>(p->length_param)];
  const int place = count.enter_word + (count.shape == Shape::pointer_inout);
  r.words[static_cast<std::size_t>(place)] = length / p->length_factor;
}

void change(Random& random, std::vector<Record>& records, const std::vector<Run>& runs) {
  if (records.empty()) return;
  const auto some = [&](const std::vector<Record>& of) {
    std::size_t i = random.below(of.size());
    // Most records of a short run are its library's constants.
    for (int turn = 0; turn < 6 && is_constant(of[i]); ++turn) i = random.below(of.size());
    return i;
  };
  const std::size_t i = some(records);
  Record& r = records[i];
  switch (random.below(20)) {
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
  for (const File& file : files_of(folder, ".trace")) {
    Run run = run_of(file);
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
