#include "agent/sites.h"

#include <charconv>

#include "event/call_path.h"
#include "model/saturate.h"
#include "source/symbolizer.h"

namespace vouch {
namespace {

// Numbers are given out one by one; more than this is no number of ours.
constexpr std::uint64_t kMaxNumber = std::uint64_t{1} << 24;
constexpr int kMaxCallers = 64;

void set(std::vector<Site>& sites, std::uint64_t number, Site site) {
  if (number >= kMaxNumber) return;
  if (sites.size() <= number) sites.resize(number + 1);
  sites[number] = site;
}

}  // namespace

std::string_view meta_text(const Event& event, std::uint32_t words, int n) {
  const std::uint64_t total = event.header().words;
  std::uint64_t at = words;
  for (;; --n) {
    if (at >= total) return {};
    const std::uint64_t length = event.word(static_cast<int>(at));
    if (length > (total - at - 1) * 8) return {};
    if (n == 0) return {reinterpret_cast<const char*>(event.words() + at + 1), length};
    at += 1 + (length + 7) / 8;
  }
}

Frame SiteReader::frame(std::uint64_t module, std::uint64_t offset) const {
  return {module < modules_.size() ? std::string_view(modules_[module]) : std::string_view(),
          offset};
}

void SiteReader::add_parts(ProgramParts& parts) const {
  const auto add = [&](const std::set<std::uint64_t>& numbers, std::set<std::string>& paths) {
    for (const std::uint64_t number : numbers)
      if (number < modules_.size()) paths.insert(modules_[number]);
  };
  add(instrumented_, parts.instrumented);
  add(callers_, parts.callers);
}

void SiteReader::take_site(SiteTable& table, Process& process, const Event& event) {
  const std::uint32_t words = event.header().words;
  std::vector<Frame> callers;
  for (std::uint64_t i = 0; i < event.word(4) && 5 + 2 * i + 1 < words; ++i) {
    callers.push_back(
        frame(event.word(static_cast<int>(5 + 2 * i)), event.word(static_cast<int>(6 + 2 * i))));
  }
  const bool by_path = event.word(3) == wire::kCallerByPath;
  if (by_path || event.word(3) == wire::kCallerUser) callers_.insert(event.word(1));
  std::vector<Site> path;
  for (std::size_t i = 0; by_path && i < callers.size(); ++i)
    path.push_back(table.intern(callers[i]));
  Site site = table.intern(frame(event.word(1), event.word(2)), callers);
  if (by_path) site = table.with_path(site, path);
  set(process.sites, event.word(0), site);
}

void SiteReader::take_python_site(SiteTable& table, Process& process, const Event& event) {
  Site site = table.intern_python(meta_text(event, 2, 0), static_cast<int>(event.word(1)),
                                  meta_text(event, 2, 1));
  std::vector<Site> path;
  for (int i = 2; i < 2 + 3 * kMaxCallers; i += 3) {
    const std::string_view file = meta_text(event, 2, i), digits = meta_text(event, 2, i + 2);
    int line = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), line);
    if (file.empty() || line <= 0) break;
    path.push_back(table.intern_python(file, line, meta_text(event, 2, i + 1)));
  }
  if (!path.empty()) site = table.with_path(site, path);
  set(process.sites, event.word(0), site);
}

void SiteReader::take(SiteTable& table, Process& process, const Event& event) {
  const std::uint32_t words = event.header().words;
  switch (static_cast<wire::Meta>(event.header().proc)) {
    case wire::Meta::module: {
      if (words < 3 || event.word(0) >= kMaxNumber) return;
      if (modules_.size() <= event.word(0)) modules_.resize(event.word(0) + 1);
      modules_[event.word(0)] = meta_text(event, 2, 0);
      return;
    }
    case wire::Meta::site:
      if (words >= 5) take_site(table, process, event);
      return;
    case wire::Meta::python_site:
      if (words >= 4) take_python_site(table, process, event);
      return;
    case wire::Meta::instrumented:
      if (words >= 2) instrumented_.insert(event.word(0));
      return;
    case wire::Meta::block: {
      if (words < 4 || event.word(2) != static_cast<std::uint64_t>(wire::BlockKind::global)) return;
      const DataObject* object = table.object_at(frame(event.word(1), event.word(3)));
      if (object == nullptr) return;
      const auto at = static_cast<std::int64_t>(event.word(0) - (event.word(3) - object->lo));
      process.memory.add({at,
                          vouch::add(at, static_cast<std::int64_t>(object->hi - object->lo)),
                          Block::Kind::global,
                          {},
                          object->name});
      return;
    }
    case wire::Meta::signal:
      if (words >= 5) process.signal_site = table.intern_exact(frame(event.word(3), event.word(4)));
      return;
    default:
      return;
  }
}

}  // namespace vouch
