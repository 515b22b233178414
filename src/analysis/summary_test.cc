// Whole reports from text: one finding per cause, the same whatever rank is read first.

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "analysis/testing/run_text.h"
#include "report/json.h"
#include "report/suppressions.h"
#include "report/text.h"

namespace vouch {
namespace {

Summary summary_of(const std::string& text) { return run_text_summary(text, make_analyses); }

// The lines of each rank in their order, otherwise mixed at random.
std::string mixed(const std::vector<std::vector<std::string>>& ranks, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::size_t> order, next(ranks.size());
  for (std::size_t r = 0; r < ranks.size(); ++r) order.insert(order.end(), ranks[r].size(), r);
  std::shuffle(order.begin(), order.end(), random);
  std::string text = fmt::format("0 world size={}\n", ranks.size());
  for (const std::size_t r : order) text += fmt::format("{} {}\n", r, ranks[r][next[r]++]);
  return text;
}

// [U5]
TEST(Summary, many_ranks_and_repetitions_are_no_longer_than_few) {
  const auto report = [](int ranks, int times) {
    std::string text = fmt::format("0 world size={}\n", ranks);
    for (int r = 0; r < ranks; ++r) {
      for (int i = 0; i < times; ++i)
        text += fmt::format("{} Send dest=99 tag={} @a.c:5\n", r, i % 7);
      text += fmt::format("{} Finalize @a.c:9\n", r);
    }
    const Summary summary = summary_of(text);
    EXPECT_EQ(summary.findings.size(), 1u);
    EXPECT_EQ(summary.findings[0].count, static_cast<std::uint64_t>(ranks * times));
    EXPECT_EQ(summary.findings[0].ranks.size(), static_cast<std::size_t>(ranks));
    return write_text(summary);
  };
  const std::string few = report(2, 1000), many = report(64, 1000);
  EXPECT_EQ(std::count(few.begin(), few.end(), '\n'), std::count(many.begin(), many.end(), '\n'));
  EXPECT_LE(many.size(), few.size() + 16);
}

// [U6]
TEST(Summary, the_one_that_deviates_is_named_first_and_the_others_beside) {
  std::string text = "0 world size=16\n";
  for (int r = 0; r < 16; ++r)
    text += fmt::format("{} {} @a.c:{}\n", r, r == 7 ? "Barrier" : "Bcast count=1 root=0",
                        r == 7 ? 5 : 8);
  const std::string report = write_text(summary_of(text));
  EXPECT_NE(report.find("rank 7 calls MPI_Barrier; ranks 0-6,8-15 call MPI_Bcast"),
            std::string::npos)
      << report;
  EXPECT_NE(report.find("ranks 0-6,8-15  a.c:8"), std::string::npos) << report;
}

// [U47]
TEST(Summary, the_same_in_whatever_order_the_ranks_are_read) {
  std::vector<std::vector<std::string>> ranks(4);
  for (int r = 0; r < 4; ++r) {
    auto& lines = ranks[static_cast<std::size_t>(r)];
    for (int i = 0; i < 30; ++i)
      lines.push_back(fmt::format("Send dest={} @a.c:{}", 9 + 4 * i + r, 10 + i));
    lines.push_back("Comm_dup comm=COMM_WORLD newcomm=c @b.c:1");
    lines.push_back(fmt::format("Isend dest={} count=1 datatype={} tag=1 @b.c:2 -> request=q",
                                (r + 1) % 4, r == 2 ? "INT" : "DOUBLE"));
    lines.push_back(fmt::format("Recv source={} count=1 datatype=INT tag=1 @b.c:3", (r + 3) % 4));
    lines.push_back("Wait request=q @b.c:4");
    lines.push_back(fmt::format("Bcast count=1 datatype=INT root={} @b.c:5", r == 3 ? 1 : 0));
    lines.push_back("Type_contiguous count=2 oldtype=INT newtype=t @b.c:6");
    lines.push_back("Finalize @b.c:7");
  }
  std::string first;
  for (unsigned seed = 1; seed <= 10; ++seed) {
    Summary summary = summary_of(mixed(ranks, seed));
    Suppressions none;
    none.apply(summary);
    const std::string report = write_text(summary) + write_json(summary);
    if (first.empty()) first = report;
    ASSERT_EQ(report, first) << "seed " << seed;
    std::size_t shown = 0;
    const std::string text = write_text(summary);
    for (std::size_t at = 0; (at = text.find("[argument/rank]", at)) != std::string::npos; ++at)
      ++shown;
    EXPECT_EQ(shown, 21u);  // twenty, and one line for the rest
    EXPECT_NE(text.find("and 10 more findings of [argument/rank]"), std::string::npos) << text;
  }
  EXPECT_NE(first.find("collective/root"), std::string::npos) << first;
  EXPECT_NE(first.find("type/truncation"), std::string::npos);
  EXPECT_NE(first.find("leak/communicator"), std::string::npos);
}

// What follows from a finding: that a rank waits forever is said only if it does.
TEST(Summary, a_deadlock_that_only_could_be_is_told_as_such_beside_its_cause) {
  const auto follows = [](const std::string& rank0, const std::string& rank1) {
    std::string text = "0 world size=2\n";
    for (int r = 0; r < 2; ++r)
      text += fmt::format("{} Comm_dup comm=COMM_WORLD newcomm=c @a.c:1\n", r);
    text += "0 Ibcast root=0 comm=c request=q @a.c:2\n0 Wait request=q @a.c:3\n0 " + rank0 +
            "\n1 " + rank1 + "\n1 Finalize @a.c:5\n";
    const Summary summary = summary_of(text);
    return summary.findings.empty() ? std::vector<std::string>{} : summary.findings[0].consequences;
  };
  EXPECT_EQ(follows("Comm_free comm=c @a.c:4\n0 Finalize @a.c:5", "Comm_free comm=c @a.c:4"),
            std::vector<std::string>{"and so rank 0 could wait forever at a.c:4"});
  EXPECT_EQ(follows("Barrier comm=c @a.c:4 ...", "Barrier comm=c @a.c:4"),
            std::vector<std::string>{"and so rank 0 waits forever at a.c:4"});
}

}  // namespace
}  // namespace vouch
