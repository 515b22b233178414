#include "agent/program_parts.h"

#include <algorithm>

#include <fmt/format.h>

#include "source/units.h"

namespace vouch {
namespace {

constexpr std::size_t kNamed = 3;

std::string base_of(const std::string& path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

std::vector<std::string> unseen_parts(const ProgramParts& parts) {
  std::vector<std::string> notes;
  if (parts.instrumented.empty()) return notes;
  for (const std::string& path : parts.callers) {
    if (!parts.instrumented.contains(path))
      notes.push_back(fmt::format(
          "loads and stores of {} were not seen: it was not built with vouch cc", base_of(path)));
  }
  for (const std::string& path : parts.instrumented) {
    const std::vector<std::string> others = read_units(path).others;
    if (others.empty()) continue;
    std::string names;
    for (std::size_t i = 0; i < std::min(others.size(), kNamed); ++i)
      names += (i == 0 ? "" : ", ") + others[i];
    if (others.size() > kNamed) names += fmt::format(" and {} more", others.size() - kNamed);
    notes.push_back(
        fmt::format("loads and stores of a part of {} were not seen: {} {} not built with vouch cc",
                    base_of(path), names, others.size() == 1 ? "was" : "were"));
  }
  return notes;
}

}  // namespace vouch
