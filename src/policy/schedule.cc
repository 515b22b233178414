#include "policy/schedule.h"

#include <algorithm>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "event/sound.h"

namespace vouch::policy {
namespace {

constexpr char kVersion = 'A';

bool says_nothing(const RankSchedule& r) {
  const auto free = [](const Match& m) { return m.source == kFree; };
  const auto open = [](const PickRun& p) { return p.pick.what == Pick::What::free; };
  return std::all_of(r.matches.begin(), r.matches.end(), free) &&
         std::all_of(r.picks.begin(), r.picks.end(), open);
}

std::string text_of(const Match& m) {
  if (m.source == kFree) return "_";
  if (m.source == kNever) return "c";
  return m.tag == kNoTag ? std::to_string(m.source) : fmt::format("{}t{}", m.source, m.tag);
}

std::string text_of(const Pick& p) {
  switch (p.what) {
    case Pick::What::free:
      return "_";
    case Pick::What::no:
      return "n";
    case Pick::What::yes:
      return "y";
    case Pick::What::undefined:
      return "u";
    case Pick::What::indices:
      break;
  }
  std::string text;
  for (const std::int32_t i : p.indices) text += (text.empty() ? "" : "+") + std::to_string(i);
  return text;
}

void append(std::string& text, const std::string& item, std::uint64_t times) {
  if (!text.empty()) text += ',';
  text += item;
  if (times > 1) text += 'x' + std::to_string(times);
}

// How many matches from here on are one more, or one less, than the one before.
std::size_t staircase(const std::vector<Match>& all, std::size_t from, std::int64_t step) {
  std::size_t n = 1;
  while (from + n < all.size() && all[from + n].tag == kNoTag && all[from].tag == kNoTag &&
         all[from].source >= 0 && all[from + n].source >= 0 &&
         all[from + n].source == all[from + n - 1].source + step)
    ++n;
  return n;
}

std::string text_of(const std::vector<Match>& all) {
  std::string text;
  for (std::size_t i = 0; i < all.size();) {
    const std::size_t up = staircase(all, i, 1), down = staircase(all, i, -1);
    if (const std::size_t n = std::max(up, down); n > 2) {
      append(text, fmt::format("{}-{}", all[i].source, all[i + n - 1].source), 1);
      i += n;
      continue;
    }
    std::size_t n = 1;
    while (i + n < all.size() && all[i + n] == all[i]) ++n;
    append(text, text_of(all[i]), n);
    i += n;
  }
  return text;
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<Schedule> parse() {
    if (!accept(kVersion)) {
      fail(text_.empty() ? "a schedule is empty"
                         : fmt::format("a schedule begins with {}", kVersion));
      return Error{error_};
    }
    Schedule schedule;
    if (!at_end()) {
      do {
        if (!rank(schedule)) return Error{error_};
      } while (accept('/'));
    }
    if (!at_end()) {
      fail("this belongs to no schedule");
      return Error{error_};
    }
    schedule.normalize();
    return schedule;
  }

 private:
  bool at_end() const { return at_ == text_.size(); }
  char next() const { return at_end() ? '\0' : text_[at_]; }
  bool accept(char c) {
    if (at_end() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  bool fail(const std::string& why) {
    error_ = at_end() ? fmt::format("at its end: {}", why)
                      : fmt::format("at character {} ('{}'): {}", at_ + 1, shown(next()), why);
    return false;
  }
  static std::string shown(char c) {
    return c >= 0x20 && c < 0x7f ? std::string(1, c) : fmt::format("\\x{:02x}", c & 0xff);
  }

  bool number(std::uint64_t most, const char* what, std::uint64_t& value) {
    if (next() < '0' || next() > '9') return fail(fmt::format("{} is missing", what));
    const std::size_t from = at_;
    value = 0;
    while (next() >= '0' && next() <= '9') {
      value = value * 10 + static_cast<std::uint64_t>(next() - '0');
      ++at_;
      if (value <= most) continue;
      at_ = from;
      return fail(fmt::format("{} is at most {}", what, most));
    }
    return true;
  }
  bool number(const char* what, std::int32_t& value) {
    std::uint64_t wide = 0;
    if (!number(std::numeric_limits<std::int32_t>::max(), what, wide)) return false;
    value = static_cast<std::int32_t>(wide);
    return true;
  }
  bool times(std::uint64_t& value) {
    value = 1;
    if (!accept('x')) return true;
    if (!number(std::uint64_t{1} << 40, "how many times", value)) return false;
    return value > 0 || fail("how many times is at least 1");
  }

  bool rank(Schedule& schedule) {
    std::uint64_t which = 0;
    const std::size_t from = at_;
    // A plan has a table up to the highest rank named.
    if (!number(kMostRanks - 1, "a rank", which)) return false;
    const int rank = static_cast<int>(which);
    if (!schedule.ranks.empty() && schedule.ranks.rbegin()->first >= rank) {
      at_ = from;
      return fail("ranks stand in increasing order, each once");
    }
    if (!accept('=')) return fail("= is missing after the rank");
    RankSchedule& mine = schedule.ranks[rank];
    const bool only_picks = next() == ':';
    if (!only_picks) {
      do {
        if (!match(mine)) return false;
      } while (accept(','));
    }
    if (!accept(':')) return true;
    do {
      if (!pick(mine)) return false;
    } while (accept(','));
    return true;
  }

  // A list that grows takes up to three times its memory for a while.
  static constexpr std::uint64_t kMost = kMostDecisions / 4;
  bool room(std::uint64_t more) {
    decisions_ += more;
    return decisions_ <= kMost || fail(fmt::format("a schedule has at most {} decisions", kMost));
  }

  bool match(RankSchedule& mine) {
    Match m;
    if (accept('_')) {
      m.source = kFree;
    } else if (accept('c')) {
      m.source = kNever;
    } else {
      if (next() < '0' || next() > '9') return fail("a source, _ or c is missing");
      if (!number("a source", m.source)) return false;
      if (accept('-')) return range(mine, m.source);
      if (accept('t') && !number("a tag", m.tag)) return false;
    }
    std::uint64_t n = 1;
    if (!times(n) || n > kMost) return error_.empty() ? room(n) : false;
    if (!room(n)) return false;
    mine.matches.insert(mine.matches.end(), static_cast<std::size_t>(n), m);
    return true;
  }

  bool range(RankSchedule& mine, std::int32_t from) {
    std::int32_t to = 0;
    if (!number("the end of a range", to)) return false;
    const std::int32_t step = to >= from ? 1 : -1;
    if (!room(static_cast<std::uint64_t>((to - from) * std::int64_t{step}) + 1)) return false;
    for (std::int32_t source = from;; source += step) {
      mine.matches.push_back({source, kNoTag});
      if (source == to) return true;
    }
  }

  bool pick(RankSchedule& mine) {
    Pick p;
    if (accept('_')) {
      p.what = Pick::What::free;
    } else if (accept('n')) {
      p.what = Pick::What::no;
    } else if (accept('y')) {
      p.what = Pick::What::yes;
    } else if (accept('u')) {
      p.what = Pick::What::undefined;
    } else {
      if (next() < '0' || next() > '9') return fail("n, y, u, _ or an index is missing");
      p.what = Pick::What::indices;
      do {
        std::int32_t index = 0;
        if (!number("an index", index) || !room(1)) return false;
        if (std::find(p.indices.begin(), p.indices.end(), index) != p.indices.end())
          return fail("an index stands twice");
        p.indices.push_back(index);
      } while (accept('+'));
    }
    std::uint64_t n = 1;
    if (!times(n) || !room(1)) return false;
    mine.add(std::move(p), n);
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::uint64_t decisions_ = 0;
  std::string error_;
};

}  // namespace

void RankSchedule::decide(std::size_t event, Match match) {
  if (matches.size() <= event) matches.resize(event + 1);
  matches[event] = match;
}

void RankSchedule::add(Pick pick, std::uint64_t times) {
  if (!picks.empty() && picks.back().pick == pick) {
    picks.back().times += times;
  } else {
    picks.push_back({std::move(pick), times});
  }
}

void RankSchedule::trim() {
  while (!matches.empty() && matches.back().source == kFree) matches.pop_back();
  while (!picks.empty() && picks.back().pick.what == Pick::What::free) picks.pop_back();
}

bool Schedule::empty() const {
  return std::all_of(ranks.begin(), ranks.end(),
                     [](const auto& entry) { return says_nothing(entry.second); });
}

void Schedule::normalize() {
  for (auto& [rank, mine] : ranks) mine.trim();
  std::erase_if(ranks, [](const auto& entry) { return entry.second.empty(); });
}

std::uint64_t Schedule::matches() const {
  std::uint64_t sum = 0;
  for (const auto& [rank, mine] : ranks) {
    sum +=
        static_cast<std::uint64_t>(std::count_if(mine.matches.begin(), mine.matches.end(),
                                                 [](const Match& m) { return m.source != kFree; }));
  }
  return sum;
}

std::string to_text(const Schedule& given) {
  Schedule schedule = given;
  schedule.normalize();
  std::string text(1, kVersion);
  for (const auto& [rank, mine] : schedule.ranks) {
    if (text.size() > 1) text += '/';
    text += std::to_string(rank) + '=' + text_of(mine.matches);
    if (mine.picks.empty()) continue;
    std::string picks;
    for (const PickRun& run : mine.picks) append(picks, text_of(run.pick), run.times);
    text += ':' + picks;
  }
  return text;
}

Result<Schedule> parse_schedule(std::string_view text) { return Parser(text).parse(); }

}  // namespace vouch::policy
