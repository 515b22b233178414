#include "predict/pairs/match_pairs.h"

#include <gtest/gtest.h>

#include <ctime>
#include <map>

#include "predict/pairs/sections.h"
#include "predict/testing/all_executions.h"
#include "predict/testing/families.h"
#include "predict/testing/fixtures.h"
#include "predict/testing/random_program.h"
#include "predict/testing/test_help.h"

namespace vouch::predict {
namespace {

std::string list(const Program& program, const MatchPairs& pairs) {
  std::string text;
  for (OpId r : program.all(OpKind::receive)) {
    text += (text.empty() ? "" : "; ") + program[r].name + ":";
    for (OpId s : pairs.sends_of(r)) text += " " + program[s].name;
  }
  return text;
}

std::string list(const Program& program, const Sections& sections) {
  std::string text;
  for (const auto& section : sections.list) {
    text += "{";
    for (OpId r : section.receives) text += program[r].name + " ";
    text += "|";
    for (OpId s : section.sends) text += " " + program[s].name;
    text += "}";
  }
  return text;
}

// [P12]
TEST(MatchPairs, rank_rule_on_figure_2_9) {
  const auto program = read(fixture("F2.9"));
  EXPECT_EQ(list(program, match_pairs(program, MatchRule::rank)),
            "R01: S11 S21; R02: S11 S13 S21; R04: S13 S21; R12: S03");
  EXPECT_EQ(match_pairs(program).size(), 8u);
}

// [P13] (a sample; the slow test takes 10,000)
TEST(MatchPairs, nothing_feasible_is_lost) {
  const std::uint64_t seeds = slow_tests() ? 10'000 : 400;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const auto program = random_program(
        seed, {.tags = seed % 2 == 0, .modes = seed % 5 == 0, .collectives = seed % 3 == 0});
    const auto pairs = match_pairs(program);
    const auto all = match_pairs(program, MatchRule::endpoint);
    for (const auto buffering : {Buffering::infinite, Buffering::zero})
      for (const auto& match : explore(program, buffering).pairs) {
        ASSERT_TRUE(pairs.contains(match))
            << print_compact(program) << "\n"
            << program[match.receive].name << " takes " << program[match.send].name;
        ASSERT_TRUE(all.contains(match));
      }
  }
}

// [P14]
TEST(MatchPairs, the_rank_rule_loses_what_the_source_aware_keeps) {
  const auto program = read(fixture("T-RANK"));
  const Match pair{program.find("r2"), program.find("s2")};
  EXPECT_TRUE(match_pairs(program).contains(pair));
  EXPECT_FALSE(match_pairs(program, MatchRule::rank).contains(pair));
}

// [P15]
TEST(MatchPairs, sizes) {
  EXPECT_EQ(match_pairs(fan_in(12)).size(), 144u);
  EXPECT_EQ(match_pairs(worst(4, 25)).size(), 7600u);
  EXPECT_EQ(match_pairs(worst(100, 1)).size(), 10'000u);
  EXPECT_EQ(match_pairs(read(fixture("F4.1"))).size(), 16u);
  const auto f59 = read(fixture("F5.9"));
  EXPECT_EQ(match_pairs(f59).size(), 4u);
  EXPECT_TRUE(match_pairs(f59).contains({f59.find("r0"), f59.find("s1")}));
}

// [P16]
TEST(MatchPairs, a_large_program_takes_no_time) {
  const auto program = pktuse(5, 512);
  const auto start = std::clock();
  EXPECT_GT(match_pairs(program).size(), 10'000u);
  EXPECT_LT(std::clock() - start, CLOCKS_PER_SEC);  // of the processor: the machine may be busy
}

// [P17]
TEST(Sections, figure_4_1) {
  const auto program = read(fixture("F4.1"));
  EXPECT_EQ(list(program, sections(program, 1)),
            "{r0 r1 | s0 s3}{r2 r3 | s1 s4}{r4 | s2}{r5 | s5}");
  EXPECT_EQ(list(program, sections(program, 2)), "{r0 r1 r2 r3 | s0 s1 s3 s4}{r4 | s2}{r5 | s5}");
  EXPECT_EQ(list(program, sections(program, 3)), "{r0 r1 r2 r3 r4 | s0 s1 s2 s3 s4}{r5 | s5}");
  std::vector<std::size_t> sizes, finer;
  for (int k : {1, 2, 3}) {
    sizes.push_back(match_pairs(program, sections(program, k), MatchRule::rank).size());
    finer.push_back(match_pairs(program, sections(program, k)).size());
  }
  EXPECT_EQ(sizes, (std::vector<std::size_t>{9, 12, 16}));
  EXPECT_EQ(finer, (std::vector<std::size_t>{8, 12, 16}));  // s1 is gone when r3 is reached
  const Match orphan{program.find("r1"), program.find("s1")};
  EXPECT_FALSE(match_pairs(program, sections(program, 1)).contains(orphan));
  EXPECT_TRUE(match_pairs(program, sections(program, 2)).contains(orphan));
}

// [P18]
TEST(Sections, worst_cases) {
  const auto t1 = worst(4, 25);
  const std::map<int, std::pair<std::size_t, std::size_t>> published{
      {1, {25, 400}}, {2, {13, 688}}, {3, {9, 976}},   {4, {7, 1264}}, {5, {5, 1600}},
      {7, {4, 2056}}, {9, {3, 2632}}, {13, {2, 3856}}, {25, {1, 7600}}};
  std::vector<int> worth;
  for (const auto& [k, sizes] : published) {
    worth.push_back(k);
    const auto cut = sections(t1, k);
    EXPECT_EQ(cut.list.size(), sizes.first) << k;
    EXPECT_EQ(match_pairs(t1, cut).size(), sizes.second) << k;
  }
  EXPECT_EQ(bounds(t1), worth);
  const auto t2 = worst(100, 1);
  EXPECT_EQ(bounds(t2), std::vector<int>{1});
  EXPECT_EQ(match_pairs(t2, sections(t2, 1)).size(), 10'000u);
}

// [P19]
TEST(Sections, deep_and_mismatched) {
  const auto deep = deep_comm(4, 15);
  EXPECT_EQ(sections(deep, 1).list.size(), 15u);
  EXPECT_EQ(match_pairs(deep, sections(deep, 1)).size(), 240u);
  const auto mismatched = mismatch(100, 4);
  EXPECT_EQ(sections(mismatched, 1).list.size(), 196u);
  EXPECT_EQ(match_pairs(mismatched, sections(mismatched, 1)).size(), 204u);
}

// [P20]: bounds that cut nothing differently are left out, the last is the largest.
TEST(Sections, bounds_end_at_the_largest) {
  const auto program = read(fixture("F2.9"));
  EXPECT_EQ(max_bound(program), 2);
  EXPECT_EQ(bounds(program).back(), 2);
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const auto random = random_program(seed);
    const auto last = sections(random, bounds(random).back());
    EXPECT_EQ(match_pairs(random, last).size(), match_pairs(random).size());
  }
}

// [P21]
TEST(Sections, a_wildcard_does_not_take_what_is_needed_later) {
  const auto program = read("r0* r1<1 | s1>0 | s2>0");
  for (const auto ties : {Ties::first, Ties::last}) {
    const auto pairs = match_pairs(program, sections(program, 1, ties));
    EXPECT_TRUE(pairs.contains({program.find("r1"), program.find("s1")}));
  }
  // Nothing is left for the third: no crash, and it is still a receive of some section.
  const auto starved = read("r0* r1<1 r2* r3<1 | s1>0 s3>0 | s2>0");
  EXPECT_EQ(list(starved, sections(starved, 1)), "{r0 r1 | s1 s2}{r2 | s3}{r3 |}");
}

}  // namespace
}  // namespace vouch::predict
