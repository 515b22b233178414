#include "report/finding.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>
#include <system_error>

#include <fmt/format.h>

#include "base/check.h"
#include "report/shown_file.h"

namespace vouch {

namespace {

constexpr RuleInfo kRules[] = {
#define VOUCH_RULE(name, id, severity, clause, title, advice) \
  {id, Severity::severity, clause, title, advice},
#include "report/rules.def"
#undef VOUCH_RULE
};

constexpr CauseInfo kCauses[] = {
    {Rule::count_, "", "", ""},
#define VOUCH_CAUSE(name, rule, key, title, advice) {Rule::rule, key, title, advice},
#include "report/causes.def"
#undef VOUCH_CAUSE
};

}  // namespace

const CauseInfo& info(Cause cause) {
  const auto index = static_cast<std::size_t>(cause);
  VOUCH_CHECK(index > 0 && index < std::size(kCauses));
  return kCauses[index];
}

const RuleInfo& info(Rule rule) {
  const auto index = static_cast<std::size_t>(rule);
  VOUCH_CHECK(index < std::size(kRules));
  return kRules[index];
}

// The collector looks for this form; no text of a program can contain the control character by
// accident and matter.
std::string mention(Site site) { return fmt::format("\x01{}\x02", site.value); }

std::string shown_file(const std::string& path) {
  namespace fs = std::filesystem;
  if (!path.starts_with('/')) return path;
  std::error_code ignored;
  const fs::path here = fs::current_path(ignored);
  const fs::path relative = fs::path(path).lexically_relative(here);
  if (!here.empty() && !relative.empty() && *relative.begin() != "..") return relative.string();
  return fs::path(path).filename().string();
}

std::string where(const Location& l) {
  if (l.line > 0) return fmt::format("{}:{}", shown_file(l.file), l.line);
  if (!l.function.empty() && !l.file.empty())
    return fmt::format("{}+{:#x} in {}", l.function, l.offset, l.file);
  if (!l.file.empty()) return l.offset ? fmt::format("{}+{:#x}", l.file, l.offset) : l.file;
  return "unknown place";
}

Verdict judge(const Summary& summary) {
  for (const Finding& finding : summary.findings) {
    if (finding.severity == Severity::error) return Verdict::error;
    if (finding.severity == Severity::warning && summary.strict) return Verdict::error;
  }
  return summary.not_checked.empty() ? Verdict::clean : Verdict::inconclusive;
}

const char* name(Severity severity) {
  switch (severity) {
    case Severity::error:
      return "error";
    case Severity::warning:
      return "warning";
    case Severity::info:
      return "info";
  }
  VOUCH_CHECK(false);
}

const char* name(Verdict verdict) {
  switch (verdict) {
    case Verdict::clean:
      return "clean";
    case Verdict::error:
      return "error";
    case Verdict::inconclusive:
      return "inconclusive";
  }
  VOUCH_CHECK(false);
}

std::string rank_list(const std::vector<int>& ranks) {
  std::vector<int> sorted(ranks);
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  std::string text;
  for (std::size_t i = 0; i < sorted.size();) {
    std::size_t last = i;
    while (last + 1 < sorted.size() && sorted[last + 1] == sorted[last] + 1) ++last;
    if (!text.empty()) text += ',';
    // Two neighbours read better as "0,1".
    text += last > i + 1    ? fmt::format("{}-{}", sorted[i], sorted[last])
            : last == i + 1 ? fmt::format("{},{}", sorted[i], sorted[last])
                            : fmt::format("{}", sorted[i]);
    i = last + 1;
  }
  return text;
}

std::vector<int> ranks_named(const Finding& f) {
  std::set<int> all(f.ranks.begin(), f.ranks.end());
  for (const Location& l : f.locations) {
    all.insert(l.rank);
    all.insert(l.others.begin(), l.others.end());
  }
  return {all.begin(), all.end()};
}

std::string rank_words(const std::vector<int>& ranks) {
  if (ranks.empty()) return "";
  if (ranks.size() == 1) return ranks[0] < 0 ? "unknown rank" : fmt::format("rank {}", ranks[0]);
  return "ranks " + rank_list(ranks);
}

}  // namespace vouch
