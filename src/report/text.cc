#include "report/text.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <map>
#include <string_view>

#include <fmt/format.h>

#include "report/identity.h"

namespace vouch {

namespace {

constexpr std::size_t kExcerptWidth = 90;
constexpr std::size_t kMaxPlaces = 16;  // lines of one finding

// Wraps words in terminal colours, or leaves them alone.
class Paint {
 public:
  explicit Paint(bool on) : on_(on) {}
  std::string bold(std::string_view s) const { return with("1", s); }
  std::string dim(std::string_view s) const { return with("2", s); }
  std::string of(Severity severity, std::string_view s) const {
    return with(severity == Severity::error     ? "1;31"
                : severity == Severity::warning ? "1;33"
                                                : "1;36",
                s);
  }
  std::string of(Verdict verdict, std::string_view s) const {
    return with(verdict == Verdict::error   ? "1;31"
                : verdict == Verdict::clean ? "1;32"
                                            : "1;33",
                s);
  }

 private:
  std::string with(const char* code, std::string_view s) const {
    return on_ && !s.empty() ? fmt::format("\x1b[{}m{}\x1b[0m", code, s) : std::string(s);
  }
  bool on_;
};

std::string counted(std::uint64_t n, std::string_view one, std::string_view many = {}) {
  if (n == 1) return fmt::format("1 {}", one);
  return many.empty() ? fmt::format("{} {}s", n, one) : fmt::format("{} {}", n, many);
}

// Text of the program (file names, info keys, source lines) must not reach the terminal as
// commands.
std::string printable(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c == '\t')
      c = ' ';
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      c = '?';
  return result;
}

// The line without its indentation, cut to a width.
std::string excerpt(std::string_view line) {
  const std::size_t start = line.find_first_not_of(" \t");
  if (start == std::string_view::npos) return {};
  std::string text = printable(line.substr(start));
  if (text.size() > kExcerptWidth) {
    std::size_t end = kExcerptWidth;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80)
      --end;  // whole characters
    text.resize(end);
    text += "...";
  }
  return text;
}

// Locations alike but for the rank are one row.
struct Row {
  std::vector<int> ranks;
  const Location* location;
};

std::vector<Row> rows_of(const Finding& f) {
  std::vector<Row> rows;
  for (const Location& l : f.locations) {
    const auto same = std::find_if(rows.begin(), rows.end(), [&l](const Row& row) {
      const Location& r = *row.location;
      return r.call == l.call && r.role == l.role && where(r) == where(l);
    });
    Row& row = same == rows.end() ? rows.emplace_back(Row{{}, &l}) : *same;
    row.ranks.push_back(l.rank);
    row.ranks.insert(row.ranks.end(), l.others.begin(), l.others.end());
  }
  // All in one rank: it stands for all ranks that did the same.
  const bool one_rank = std::all_of(
      f.locations.begin(), f.locations.end(),
      [&f](const Location& l) { return l.rank == f.locations[0].rank && l.others.empty(); });
  if (one_rank && f.ranks.size() > 1)
    for (Row& row : rows) row.ranks = f.ranks;
  return rows;
}

// "in exchange, called from step (solver.c:50), main (solver.c:70)"
std::string stack_words(const Location& l) {
  constexpr std::size_t kCallers = 6;
  std::string text;
  for (std::size_t i = 0; i < l.stack.size(); ++i) {
    const Caller& c = l.stack[i];
    const std::string name = c.function.empty() ? "?" : printable(c.function);
    Location at;
    at.file = c.file, at.function = c.function, at.line = c.line, at.offset = c.offset;
    if (i == 0) {
      text = "in " + name + ", called from ";
    } else if (i > kCallers && i + 1 < l.stack.size()) {
      if (i == kCallers + 1) text += ", ...";
    } else {
      text += fmt::format("{}{} ({})", i > 1 ? ", " : "", name, printable(where(at)));
    }
  }
  return text;
}

void write_places(std::string& out, const Finding& f, const Paint& paint) {
  const std::vector<Row> rows = rows_of(f);
  const std::size_t shown = std::min(rows.size(), kMaxPlaces);
  std::size_t rank_width = 0, where_width = 0, line_width = 0;
  for (std::size_t i = 0; i < shown; ++i) {
    rank_width = std::max(rank_width, rank_words(rows[i].ranks).size());
    where_width = std::max(where_width, where(*rows[i].location).size());
    line_width = std::max(line_width, fmt::format("{}", rows[i].location->line).size());
  }
  for (std::size_t i = 0; i < shown; ++i) {
    const Location& l = *rows[i].location;
    out += fmt::format("  {:<{}}  {}", rank_words(rows[i].ranks), rank_width, paint.bold(where(l)));
    std::string rest;
    auto add = [&rest](std::string_view words) {
      if (!words.empty()) rest.append("  ").append(words);
    };
    add(printable(l.call));
    add(printable(l.role));
    if (i == 0 && f.count > f.ranks.size()) add(fmt::format("({} times)", f.count));
    if (!rest.empty()) out.append(where_width - where(l).size(), ' ').append(rest);
    out += '\n';
    if (!l.from_file.empty()) {
      Location from;
      from.file = l.from_file, from.function = l.from_function, from.line = l.from_line;
      out += fmt::format("  {:<{}}  called from {}\n", "", rank_width, paint.bold(where(from)));
    }
    if (l.stack.size() > 1)
      out += fmt::format("  {:<{}}  {}\n", "", rank_width, paint.dim(stack_words(l)));
    if (const std::string text = excerpt(l.source); i == 0 && !text.empty())
      out += paint.dim(fmt::format("    {:>{}} | ", l.line, line_width)) + text + '\n';
  }
  if (f.lines > 0)
    out += fmt::format("  and more: {} in all\n", counted(f.lines, "line"));
  else if (shown < rows.size())
    out += fmt::format("  and {}\n", counted(rows.size() - shown, "more place"));
}

// "rank 3 is rank 1 of the world spawned at a.c:12"
void write_worlds(std::string& out, const Finding& f) {
  const std::vector<int> named = f.worlds.empty() ? std::vector<int>() : ranks_named(f);
  for (const SpawnedRanks& world : f.worlds) {
    if (world.first < 0) continue;
    std::vector<int> here, there;
    for (const int rank : named) {
      if (rank < world.first || rank - world.first >= world.size) continue;
      here.push_back(rank);
      there.push_back(rank - world.first);
    }
    if (here.empty()) continue;
    out += fmt::format("  {} {} {} of {}\n", rank_words(here), here.size() == 1 ? "is" : "are",
                       rank_words(there),
                       world.spawned.empty() ? "a spawned world"
                                             : "the world spawned at " + printable(world.spawned));
  }
}

void write_finding(std::string& out, const Finding& f, const Paint& paint, bool again) {
  const std::string kind = (f.potential ? "potential " : "") + std::string(name(f.severity)) + ':';
  out += fmt::format("{} {} {}\n", paint.of(f.severity, kind), paint.bold(f.title),
                     paint.dim(fmt::format("[{}]", f.rule)));
  if (!f.message.empty()) out += fmt::format("  {}\n", printable(f.message));
  write_places(out, f, paint);
  write_worlds(out, f);
  for (const std::string& consequence : f.consequences)
    out += fmt::format("  {}\n", printable(consequence));
  const bool both = !f.advice.empty() && !f.clause.empty();
  if (both || !f.advice.empty() || !f.clause.empty())
    out += fmt::format("  {}{}{}\n", f.advice, both ? " " : "",
                       paint.dim(both ? fmt::format("({})", f.clause) : f.clause));
  if (again && !f.again.empty()) out += fmt::format("  again: {}\n", f.again);
}

// "rank 3" and "rank 4" become "ranks 3,4"; those at one place share it.
std::string gap_names(const std::vector<const NotChecked*>& gaps) {
  std::vector<std::pair<std::string, std::vector<int>>> ranks;  // by place, as they come
  std::vector<std::string> names;
  for (const NotChecked* gap : gaps) {
    constexpr std::string_view prefix = "rank ";
    int rank = -1;
    const char* end = gap->what.data() + gap->what.size();
    if (gap->what.starts_with(prefix) && gap->count <= 1 &&
        std::from_chars(gap->what.data() + prefix.size(), end, rank).ptr == end && rank >= 0) {
      const auto same = std::find_if(ranks.begin(), ranks.end(), [gap](const auto& entry) {
        return entry.first == gap->where;
      });
      (same == ranks.end() ? ranks.emplace_back(gap->where, std::vector<int>()) : *same)
          .second.push_back(rank);
      continue;
    }
    std::string more = gap->count > 1 ? counted(gap->count, "time") : "";
    if (!gap->where.empty()) more += (more.empty() ? "at " : ", first at ") + gap->where;
    names.push_back(more.empty() ? gap->what : fmt::format("{} ({})", gap->what, more));
  }
  for (auto entry = ranks.rbegin(); entry != ranks.rend(); ++entry) {
    const std::string words = rank_words(entry->second);
    names.insert(names.begin(),
                 entry->first.empty() ? words : fmt::format("{} (at {})", words, entry->first));
  }
  constexpr std::size_t kMost = 8;
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < kMost; ++i)
    text += (i == 0 ? "" : ", ") + names[i];
  if (names.size() > kMost) text += fmt::format(" and {} more", names.size() - kMost);
  return text;
}

void write_gaps(std::string& out, const Summary& s, const TextOptions& options) {
  std::vector<std::pair<std::string_view, std::vector<const NotChecked*>>> by_reason;
  for (const NotChecked& gap : s.not_checked) {
    const auto same = std::find_if(by_reason.begin(), by_reason.end(),
                                   [&gap](const auto& entry) { return entry.first == gap.reason; });
    if (same == by_reason.end())
      by_reason.push_back({gap.reason, {&gap}});
    else
      same->second.push_back(&gap);
  }
  for (std::size_t i = 0; i < by_reason.size(); ++i) {
    if (i == options.gaps) {
      out += fmt::format("  not checked: {} for other reasons\n",
                         counted(by_reason.size() - i, "more thing"));
      break;
    }
    const auto& [reason, gaps] = by_reason[i];
    constexpr std::string_view one = "it was ";
    const std::string words = gaps.size() > 1 && reason.starts_with(one)
                                  ? fmt::format("they were {}", reason.substr(one.size()))
                                  : std::string(reason);
    out +=
        fmt::format("  not checked: {}{}{}\n", gap_names(gaps), words.empty() ? "" : ": ", words);
  }
}

std::string in_ranks(const Summary& s) {
  return s.ranks > 0 ? " in " + counted(static_cast<std::uint64_t>(s.ranks), "rank") : "";
}

void write_closing(std::string& out, const Summary& s, const TextOptions& options,
                   const std::string& again) {
  const Paint paint(options.colour);
  std::size_t errors = 0, warnings = 0, infos = 0;
  for (const Finding& f : s.findings)
    ++(f.severity == Severity::error ? errors : f.severity == Severity::warning ? warnings : infos);

  std::string found;
  if (errors) found = counted(errors, "error");
  if (warnings) found += (errors ? " and " : "") + counted(warnings, "warning");

  out += "vouch: " + paint.of(s.verdict, name(s.verdict)) + ": ";
  switch (s.verdict) {
    case Verdict::error:
      out += found + in_ranks(s);
      if (s.strict && warnings) out += ", warnings counted as errors";
      break;
    case Verdict::inconclusive:
      out += (found.empty() ? "nothing found" : found) + in_ranks(s);
      out += ", but not everything could be checked";
      break;
    case Verdict::clean:
      out += (found.empty() ? "nothing found" : found) + in_ranks(s);
      for (const auto& [key, value] : s.statistics)
        if (key == "calls") out += ", " + counted(value, "MPI call");
      break;
  }
  out += '\n';
  write_gaps(out, s, options);
  if (infos && !options.info)
    out += fmt::format("  not shown: {}, listed with --info\n", counted(infos, "note"));
  if (s.suppressed) out += fmt::format("  suppressed: {}\n", counted(s.suppressed, "finding"));
  if (options.info)
    for (const std::string& line : s.unused_suppressions)
      out += fmt::format("  suppression without use: {}\n", line);
  for (const std::string& note : s.notes) out += fmt::format("  {}\n", note);
  if (!again.empty()) out += fmt::format("  again: {}\n", again);
}

// The command that all findings share, if there are several.
std::string common_again(const Summary& s) {
  if (s.findings.size() < 2) return {};
  for (const Finding& f : s.findings)
    if (f.again != s.findings[0].again) return {};
  return s.findings[0].again;
}

}  // namespace

std::string write_text(const Finding& finding, const TextOptions& options) {
  std::string out;
  write_finding(out, finding, Paint(options.colour), true);
  return out;
}

std::string follow_up(const Finding& now, const Finding& before, const TextOptions& options) {
  std::string news;
  const auto add = [&news](const std::string& words) {
    news += (news.empty() ? "" : "; ") + words;
  };
  std::vector<int> ranks;
  std::set_difference(now.ranks.begin(), now.ranks.end(), before.ranks.begin(), before.ranks.end(),
                      std::back_inserter(ranks));
  if (before.potential && !now.potential) add("it did happen");
  if (!ranks.empty()) add("also on " + rank_words(ranks));
  std::string places;
  for (const Location& l : now.locations) {
    const auto same = [&](const Location& known) { return where(known) == where(l); };
    if (std::none_of(before.locations.begin(), before.locations.end(), same))
      places += (places.empty() ? "also at " : ", ") + where(l);
  }
  if (!places.empty()) add(places);
  if (now.lines > 0) add(fmt::format("{} in all", counted(now.lines, "line")));
  if (now.count > now.ranks.size() && now.count > before.count)
    add(fmt::format("{} times in all", now.count));
  for (const std::string& text : now.consequences) {
    if (std::find(before.consequences.begin(), before.consequences.end(), text) ==
        before.consequences.end())
      add(printable(text));
  }
  if (news.empty()) return {};
  const Paint paint(options.colour);
  const std::string at =
      now.locations.empty() ? "" : fmt::format(" at {}", paint.bold(where(now.locations[0])));
  return fmt::format("{} shown above: {} {}{}: {}\n", paint.of(now.severity, name(now.severity)),
                     paint.bold(now.title), paint.dim(fmt::format("[{}]", now.rule)), at, news);
}

std::string write_text(const Summary& summary, const TextOptions& options) {
  const Paint paint(options.colour);
  const std::string common = common_again(summary);
  std::string again = common;  // in the closing lines
  std::string out;
  std::map<std::string_view, std::size_t> of_rule;
  std::map<std::string_view, std::uint64_t> left;
  bool any = false;
  for (const Finding& finding : summary.findings) {
    if (finding.severity == Severity::info && !options.info) continue;
    any = true;
    if (!options.shown.empty()) {
      const auto before = options.shown.find(identity(finding));
      if (before != options.shown.end()) {
        if (again.empty()) again = finding.again;  // it was not known then
        const std::string news = follow_up(finding, before->second, options);
        if (!news.empty()) out += news + '\n';
        continue;
      }
    }
    if (++of_rule[finding.rule] > options.cap) {
      ++left[finding.rule];
      continue;
    }
    write_finding(out, finding, paint, common.empty());
    out += '\n';
  }
  for (const Omitted& rest : summary.omitted)
    if (of_rule.contains(rest.rule)) left[rest.rule] += rest.count;
  for (const auto& [rule, count] : left)
    out += fmt::format("and {} of {}\n\n", counted(count, "more finding"),
                       paint.dim(fmt::format("[{}]", rule)));
  write_closing(out, summary, options, any ? again : std::string());
  return out;
}

}  // namespace vouch
