// The same program with its ranks' lines in another order; each rank's own order is kept.

#pragma once

#include <cstdlib>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace vouch {

// 0: as it stands, 1: rank by rank, 2: the last rank first, more: at random.
inline std::string in_order(const std::string& text, int seed) {
  if (seed == 0) return text;
  std::map<int, std::vector<std::string>> of;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) of[std::atoi(line.c_str())].push_back(line);
  std::string result;
  if (seed <= 2) {
    std::vector<const std::vector<std::string>*> all;
    for (const auto& [rank, its] : of) all.insert(seed == 1 ? all.end() : all.begin(), &its);
    for (const auto* its : all) {
      for (const std::string& line : *its) result += line + "\n";
    }
    return result;
  }
  std::mt19937 random(static_cast<unsigned>(seed));
  std::map<int, std::size_t> next;
  while (!of.empty()) {
    auto at = std::next(of.begin(), static_cast<std::ptrdiff_t>(random() % of.size()));
    result += at->second[next[at->first]++] + "\n";
    if (next[at->first] == at->second.size()) of.erase(at);
  }
  return result;
}

}  // namespace vouch
