#include "analysis/checks.h"

#include <algorithm>
#include <set>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "analysis/analyses.h"
#include "analysis/testing/run_text.h"
#include "report/collector.h"

namespace vouch {
namespace {

std::string left_out(std::string_view list) {
  const auto checks = Checks::parse(list);
  if (!checks.ok()) return checks.error();
  return fmt::format("{}", fmt::join(checks.value().left_out(), " "));
}

Summary summary_of(std::string_view text, std::string_view list) {
  const Checks checks = *Checks::parse(list);
  return run_text_summary(text, [&](World& world, Sink& sink) {
    return choose_analyses(world, sink, checks, dynamic_cast<Collector&>(sink).unheard());
  });
}

std::string rules(const Summary& summary) {
  std::string text;
  for (const Finding& f : summary.findings)
    text += fmt::format("{} +{}\n", f.rule, f.consequences.size());
  return text;
}

TEST(Checks, words_count_from_left_to_right) {
  EXPECT_EQ(left_out("all"), "");
  EXPECT_EQ(left_out("all,-io"), "io");
  EXPECT_EQ(left_out("-io"), "io");
  EXPECT_EQ(left_out("all,-io,io"), "");
  EXPECT_EQ(left_out("-argument,-rma/races"),
            "argument/values argument/handles rma/races argument/promises");
  EXPECT_EQ(left_out("-argument,argument/handles"), "argument/values argument/promises");
  EXPECT_EQ(left_out("low,medium,high"), "");
  EXPECT_EQ(left_out("all,-low,-medium,-high,leak"), left_out("leak"));
}

TEST(Checks, a_word_that_means_nothing_is_named) {
  EXPECT_EQ(left_out("all,-oi"), "has no check '-oi'");
  EXPECT_EQ(left_out("argument/"), "has no check 'argument/'");
  EXPECT_EQ(left_out(""), "has no check ''");
  EXPECT_EQ(left_out("io,"), "has no check ''");
  EXPECT_EQ(left_out("--io"), "has no check '--io'");
  EXPECT_EQ(left_out("-all"), "leaves nothing to check");
  EXPECT_EQ(left_out("io,-io"), "leaves nothing to check");
}

TEST(Checks, what_is_written_is_read_again) {
  for (const char* list : {"all", "-io", "deadlock", "low", "argument,-argument/handles"}) {
    const Checks checks = *Checks::parse(list);
    EXPECT_EQ(*Checks::parse(checks.text()), checks) << list;
  }
}

TEST(Checks, names_are_distinct_and_no_family_is_a_cost) {
  std::set<std::string_view> names;
  for (const CheckInfo& check : all_checks()) {
    EXPECT_TRUE(names.insert(check.name).second) << check.name;
    EXPECT_TRUE(Checks::parse(check.family()).ok());
    for (const char* other : {"all", "low", "medium", "high"}) EXPECT_NE(check.family(), other);
  }
}

constexpr const char* kWrongTag =
    "0 world size=2\n"
    "0 Recv source=1 tag=-5 @a.c:1\n"
    "0 Finalize @a.c:9\n"
    "1 Comm_dup newcomm=d @a.c:2\n"
    "0 Comm_dup newcomm=d @a.c:2\n"
    "1 Finalize @a.c:9\n";

TEST(Checks, what_is_switched_off_is_not_shown) {
  EXPECT_NE(rules(summary_of(kWrongTag, "all")).find("argument/tag"), std::string::npos);
  EXPECT_EQ(rules(summary_of(kWrongTag, "all,-argument")).find("argument/tag"), std::string::npos);
  EXPECT_NE(rules(summary_of(kWrongTag, "all,-argument")).find("leak/communicator"),
            std::string::npos);
  EXPECT_EQ(rules(summary_of(kWrongTag, "all,-leak")).find("leak/"), std::string::npos);
}

// [U73] Each alone finds nothing that all together do not: those that others go by run all the
// same.
TEST(Checks, one_alone_invents_nothing) {
  constexpr const char* kTexts[] = {
      kWrongTag,
      // A rank that no communicator of two has, a datatype that is not committed, a root that
      // differs, a request used twice.
      "0 world size=2\n0 Send dest=99 @a.c:1\n1 Recv source=0 @a.c:2\n",
      "0 world size=2\n0 Type_contiguous newtype=t @a.c:1\n0 Send datatype=t dest=1 @a.c:2\n"
      "1 Recv source=0 @a.c:3\n0 Finalize @a.c:4\n1 Finalize @a.c:4\n",
      "0 world size=2\n0 Bcast count=1 root=0 @a.c:1\n1 Bcast count=1 root=1 @a.c:1\n"
      "0 Finalize @a.c:4\n1 Finalize @a.c:4\n",
      "0 world size=2\n0 Bcast count=1 root=0 @a.c:1\n1 Barrier @a.c:2\n"
      "0 Finalize @a.c:4\n1 Finalize @a.c:4\n",
      "0 world size=2\n0 Wait request=r&0x70 @a.c:1\n0 Finalize @a.c:4\n1 Finalize @a.c:4\n",
  };
  for (const char* text : kTexts) {
    std::set<std::string> all;
    for (const Finding& f : summary_of(text, "all").findings) all.insert(f.rule);
    for (const CheckInfo& check : all_checks()) {
      for (const Finding& f : summary_of(text, check.name).findings)
        EXPECT_TRUE(all.contains(f.rule)) << check.name << ": " << f.rule << "\n" << text;
    }
  }
}

TEST(Checks, each_that_is_left_out_says_what_it_would_have_seen) {
  for (const CheckInfo& check : all_checks()) {
    World world;
    SiteTable sites;
    Collector collector(sites);
    const Checks checks = *Checks::parse(fmt::format("-{}", check.name));
    const Analyses made = choose_analyses(world, collector, checks, collector.unheard());
    // A family may hold others, which are left out as well.
    ASSERT_FALSE(made.switched_off.empty());
    const auto off = std::find_if(made.switched_off.begin(), made.switched_off.end(),
                                  [&](const SwitchedOff& o) { return o.check == &check; });
    ASSERT_NE(off, made.switched_off.end());
    EXPECT_TRUE(off->calls.any() || off->claims) << check.name;
    EXPECT_NE(made.deadlock, nullptr);
    EXPECT_NE(made.io, nullptr);
    EXPECT_EQ(made.looks_for_deadlocks, check.name != "deadlock");
  }
}

}  // namespace
}  // namespace vouch
