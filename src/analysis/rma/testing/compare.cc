#include "analysis/rma/testing/compare.h"

#include <algorithm>
#include <string_view>

#include "analysis/rma/testing/shrink.h"
#include "analysis/rma/testing/text.h"

namespace vouch::rma_programs {
namespace {

struct Wrong {
  std::string text;
  std::set<Pair> found;
};

// A text of which other races are found; empty: none was.
Wrong wrong_text(const Program& program, const std::set<Pair>& expected, const MakeAnalyses& make,
                 std::mt19937& random, int orders) {
  for (int i = 0; i < orders; ++i) {
    Wrong w{text_in_any_order(program, random), {}};
    w.found = found(w.text, make);
    if (w.found != expected) return w;
  }
  return {};
}

}  // namespace

std::set<Pair> found(const std::string& text, const MakeAnalyses& make) {
  const TextReports told = run_text_reports(text, make);
  std::set<Pair> pairs;
  for (const std::string& gap : told.unchecked) pairs.insert({"not checked", gap});
  for (const Report& r : told.reports) {
    const std::string_view rule = info(r.rule).id;
    if (rule != "rma/race" && rule != "race/local") continue;
    const auto site = [&](std::size_t i) {
      return i < r.places.size() ? told.sites.at(r.places[i].site.value) : std::string("nowhere");
    };
    const std::string a = site(0), b = site(1);
    pairs.insert({std::min(a, b), std::max(a, b)});
  }
  return pairs;
}

std::string difference(const Program& program, const MakeAnalyses& make, std::mt19937& random,
                       int orders) {
  if (wrong_text(program, races(program), make, random, orders).text.empty()) return "";
  const Program small = shrink(program, [&](const Program& p) {
    return !wrong_text(p, races(p), make, random, 4 * orders).text.empty();
  });
  const std::set<Pair> expected = races(small);
  Wrong w;
  for (int tries = 0; w.text.empty() && tries < 1000; ++tries)
    w = wrong_text(small, expected, make, random, orders);
  return "reference:\n" + print(expected) + "analysis:\n" + print(w.found) + "of\n" +
         text_of(small) + "read as\n" + w.text;
}

}  // namespace vouch::rma_programs
