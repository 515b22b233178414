#include "cli/nearest.h"

#include <algorithm>
#include <cstddef>

namespace vouch {
namespace {

// Edits of single characters and exchanges of neighbours that make b of a.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t other = a[i - 1] == b[j - 1] ? 0 : 1;
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + other});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

}  // namespace

std::string nearest(std::string_view typed, const std::vector<std::string>& known) {
  constexpr std::size_t kLongest = 64, kFewest = 3;  // a word of two letters is near to anything
  const std::size_t letters = typed.size() - std::min(typed.find_first_not_of('-'), typed.size());
  if (letters < kFewest || typed.size() > kLongest) return "";
  std::string best;
  std::size_t least = letters > 4 ? 3 : 2;
  bool tied = false;
  for (const std::string& word : known) {
    const std::size_t d = word.starts_with(typed) ? 0 : distance(typed, word);
    if (d > least || (d == least && best.empty())) continue;
    tied = d == least;
    least = d;
    best = word;
  }
  return tied ? "" : best;
}

}  // namespace vouch
