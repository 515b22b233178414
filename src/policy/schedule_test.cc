#include "policy/schedule.h"

#include <random>

#include <gtest/gtest.h>

namespace vouch::policy {
namespace {

using What = Pick::What;

// As it is written back, or what is wrong with it.
std::string again(std::string_view text) {
  const auto schedule = parse_schedule(text);
  return schedule.ok() ? to_text(schedule.value()) : schedule.error();
}

TEST(Schedule, an_example) {
  auto schedule = parse_schedule("A0=1,2,1x3/2=3t7:nx12,y,0+2,u,_,4");
  ASSERT_TRUE(schedule.ok()) << schedule.error();
  const RankSchedule& zero = schedule->ranks.at(0);
  EXPECT_EQ(zero.matches, (std::vector<Match>{{1}, {2}, {1}, {1}, {1}}));
  EXPECT_TRUE(zero.picks.empty());
  const RankSchedule& two = schedule->ranks.at(2);
  EXPECT_EQ(two.matches, (std::vector<Match>{{3, 7}}));
  EXPECT_EQ(two.picks, (std::vector<PickRun>{{{What::no}, 12},
                                             {{What::yes}, 1},
                                             {{What::indices, {0, 2}}, 1},
                                             {{What::undefined}, 1},
                                             {{What::free}, 1},
                                             {{What::indices, {4}}, 1}}));
  EXPECT_EQ(schedule->matches(), 6u);
}

// [RR8]
TEST(Schedule, one_normal_form) {
  EXPECT_EQ(again("A"), "A");
  EXPECT_EQ(again("A0=1,1,1"), "A0=1x3");
  EXPECT_EQ(again("A0=1x1"), "A0=1");
  EXPECT_EQ(again("A0=1,2,3,4"), "A0=1-4");
  EXPECT_EQ(again("A0=4,3,2,2"), "A0=4-2,2");
  EXPECT_EQ(again("A0=1,2"), "A0=1,2");
  EXPECT_EQ(again("A0=7-7"), "A0=7");
  EXPECT_EQ(again("A0=_,_,3,_"), "A0=_x2,3");  // free ones at the end say nothing
  EXPECT_EQ(again("A0=_/1=2"), "A1=2");
  EXPECT_EQ(again("A0=:n,n,nx3,y"), "A0=:nx5,y");
  EXPECT_EQ(again("A0=c,1t0,1t0"), "A0=c,1t0x2");
  EXPECT_EQ(again("A3=:_"), "A");
}

// [RR8]
TEST(Schedule, what_is_wrong_is_told_with_its_place) {
  EXPECT_EQ(again(""), "at its end: a schedule is empty");
  EXPECT_EQ(again("B0=1"), "at character 1 ('B'): a schedule begins with A");
  EXPECT_EQ(again("Ax"), "at character 2 ('x'): a rank is missing");
  EXPECT_EQ(again("A0"), "at its end: = is missing after the rank");
  EXPECT_EQ(again("A0="), "at its end: a source, _ or c is missing");
  EXPECT_EQ(again("A0=1,"), "at its end: a source, _ or c is missing");
  EXPECT_EQ(again("A0=1;2"), "at character 5 (';'): this belongs to no schedule");
  EXPECT_EQ(again("A1=1/1=2"), "at character 6 ('1'): ranks stand in increasing order, each once");
  EXPECT_EQ(again("A0=1t"), "at its end: a tag is missing");
  EXPECT_EQ(again("A0=1x0"), "at its end: how many times is at least 1");
  EXPECT_EQ(again("A0=1:"), "at its end: n, y, u, _ or an index is missing");
  EXPECT_EQ(again("A0=:1+1"), "at its end: an index stands twice");
  EXPECT_EQ(again("A0=2147483648"), "at character 4 ('2'): a source is at most 2147483647");
  EXPECT_EQ(again("A0=1\n"), "at character 5 ('\\x0a'): this belongs to no schedule");
}

TEST(Schedule, the_highest_source_has_no_next_one) {
  for (const char* text :
       {"A0=2147483647,0", "A0=2147483647,2147483646,1", "A0=2147483645-2147483647"})
    EXPECT_EQ(again(text), text);
}

// [RR8]
TEST(Schedule, a_hostile_text_takes_no_memory) {
  EXPECT_NE(again("A0=1x1099511627776").find("at most"), std::string::npos);
  EXPECT_NE(again("A0=0-2147483647").find("at most"), std::string::npos);
  EXPECT_NE(again("A0=99999999999999999999999").find("at most"), std::string::npos);
  EXPECT_EQ(again("A1048576=1"), "at character 2 ('1'): a rank is at most 1048575");
  EXPECT_EQ(again("A1048575=1"), "A1048575=1");
  EXPECT_EQ(again("A0=:nx1099511627776"), "A0=:nx1099511627776");  // a run takes one entry
}

Schedule random_schedule(std::mt19937& random) {
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  Schedule s;
  for (int i = below(4); i > 0; --i) {
    RankSchedule& mine = s.ranks[below(100)];
    for (int k = below(12); k > 0; --k) {
      const int kind = below(8);
      Match m{kind == 0 ? kFree : kind == 1 ? kNever : below(4), kNoTag};
      if (kind == 2) m.tag = below(3);
      mine.matches.insert(mine.matches.end(), static_cast<std::size_t>(1 + below(3)), m);
    }
    for (int k = below(8); k > 0; --k) {
      Pick p{static_cast<What>(below(5)), {}};
      if (p.what == What::indices) {
        p.indices = {below(4)};
        if (below(2) == 0) p.indices.push_back(4 + below(4));
      }
      mine.add(p, static_cast<std::uint64_t>(1 + below(1000)));
    }
  }
  return s;
}

// [RR8]
TEST(Schedule, text_and_back) {
  std::mt19937 random(1);
  for (int i = 0; i < 5000; ++i) {
    Schedule s = random_schedule(random);
    const std::string text = to_text(s);
    s.normalize();
    const auto back = parse_schedule(text);
    ASSERT_TRUE(back.ok()) << text << ": " << back.error();
    ASSERT_EQ(back.value(), s) << text;
    ASSERT_EQ(to_text(back.value()), text);
  }
}

// Whatever is cut off or changed: a schedule or a sentence.
TEST(Schedule, damaged_texts) {
  std::mt19937 random(2);
  constexpr std::string_view kLetters = "A0123456789=,:/_-+xtcnyu;\x80";
  for (int i = 0; i < 20000; ++i) {
    std::string text = to_text(random_schedule(random));
    for (int k = 0; k < 2; ++k) text[random() % text.size()] = kLetters[random() % kLetters.size()];
    const auto schedule = parse_schedule(text);
    if (!schedule.ok()) {
      ASSERT_TRUE(schedule.error().starts_with("at ")) << text;
      continue;
    }
    const std::string normal = to_text(schedule.value());
    ASSERT_EQ(again(normal), normal) << text;
  }
}

TEST(Schedule, decisions_one_by_one) {
  RankSchedule r;
  r.decide(2, {1});
  r.decide(0, {3});
  EXPECT_EQ(to_text({{{4, r}}}), "A4=3,_,1");
  r.decide(2, {kFree});
  r.trim();
  EXPECT_EQ(r.matches.size(), 1u);
}

}  // namespace
}  // namespace vouch::policy
