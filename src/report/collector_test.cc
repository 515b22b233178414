#include "report/collector.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace vouch {
namespace {

class CollectorTest : public testing::Test {
 protected:
  Place at(int rank, const char* text, std::string call = "MPI_Send(dest=4)",
           std::string role = {}) {
    return {WorldRank{rank}, sites_.intern_text(text), std::move(call), std::move(role)};
  }
  void report(Rule rule, std::vector<Place> places, std::string message = "m",
              std::string cause = {}) {
    collector_.report(
        {rule, info(rule).severity, std::move(message), std::move(cause), std::move(places)});
  }
  // "rule ranks count; …"
  std::string findings() {
    std::string text;
    for (const Finding& f : collector_.summary().findings)
      text += fmt::format("{} {} {}x\n", f.rule, rank_list(f.ranks), f.count);
    return text;
  }
  SiteTable sites_;
  Collector collector_{sites_};
};

TEST_F(CollectorTest, one_line_of_many_ranks_and_repetitions_is_one_finding) {  // [U5]
  for (int i = 0; i < 1000; ++i)
    for (int rank = 0; rank < 64; ++rank) report(Rule::argument_rank, {at(rank, "a.c:3")});
  EXPECT_EQ(findings(), "argument/rank 0-63 64000x\n");
}

// [U52]
TEST_F(CollectorTest, site_rule_and_cause_tell_findings_apart) {
  report(Rule::argument_rank, {at(0, "a.c:3")}, "m", "dest");
  report(Rule::argument_rank, {at(0, "a.c:3")}, "m", "source");
  report(Rule::argument_rank, {at(0, "a.c:4")}, "m", "dest");
  report(Rule::argument_tag, {at(0, "a.c:3")}, "m", "dest");
  EXPECT_EQ(collector_.summary().findings.size(), 4u);
}

// One wrong variable, another value on each rank, at three lines: one finding, whichever rank is
// read first.
TEST_F(CollectorTest, lines_that_share_one_of_several_values_are_one_finding) {
  const auto wrong = [&](int rank, const char* line, int value) {
    const Place place = at(rank, line);
    const Involved involved[] = {{place.rank, place.site}};
    const auto key = static_cast<std::uint64_t>(value);
    if (collector_.again({Rule::argument_rank, Severity::error, involved, "dest", false, {}, key}))
      return;
    collector_.report({.rule = Rule::argument_rank,
                       .severity = Severity::error,
                       .message = fmt::format("dest={}", value),
                       .cause = "dest",
                       .places = {place},
                       .common = fmt::format("rank {}", value),
                       .common_key = key});
  };
  for (int order = 0; order < 6; ++order) {
    collector_.forget();
    struct Call {
      int rank;
      const char* line;
    } calls[] = {{0, "a.c:3"}, {1, "a.c:3"}, {0, "b.c:4"}, {1, "b.c:4"}};
    for (int i = 0; i < order; ++i)
      std::next_permutation(calls, calls + 4, [](auto& a, auto& b) {
        return std::tuple(a.rank, a.line) < std::tuple(b.rank, b.line);
      });
    for (int times = 0; times < 3; ++times) {
      for (const Call& c : calls) wrong(c.rank, c.line, 100 + c.rank);
    }
    wrong(1, "c.c:5", 77);  // another value is another mistake
    EXPECT_EQ(findings(), "argument/rank 0,1 12x\nargument/rank 1 1x\n") << "order " << order;
    EXPECT_EQ(collector_.summary().findings[0].message, "dest=100");
  }
}

// A value that changes in each round of a loop.
TEST_F(CollectorTest, very_many_values_at_one_line) {
  for (std::uint64_t i = 1; i <= 5000; ++i) {
    const Place place = at(0, "a.c:3");
    const Involved involved[] = {{place.rank, place.site}};
    if (collector_.again({Rule::argument_rank, Severity::error, involved, "dest", false, {}, i}))
      continue;
    EXPECT_LE(i, Collector::kMaxCommons + 1);
    collector_.report({.rule = Rule::argument_rank,
                       .severity = Severity::error,
                       .cause = "dest",
                       .places = {place},
                       .common = std::to_string(i),
                       .common_key = i});
  }
  EXPECT_EQ(findings(), "argument/rank 0 5000x\n");
}

// What was counted a moment ago is found at once, until something else is said.
TEST_F(CollectorTest, repetitions_between_reports) {
  const auto again = [&](int rank) {
    const Place place = at(rank, "a.c:3");
    const Involved involved[] = {{place.rank, place.site}};
    return collector_.again({Rule::argument_tag, Severity::error, involved});
  };
  EXPECT_FALSE(again(1));
  report(Rule::argument_tag, {at(1, "a.c:3")});
  EXPECT_TRUE(again(1));
  EXPECT_TRUE(again(1));
  EXPECT_FALSE(again(0)) << "the text is that of the lowest rank";
  report(Rule::argument_tag, {at(0, "a.c:3")});
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(again(0) && again(1));
  EXPECT_EQ(findings(), "argument/tag 0,1 10x\n");
  // The one that was counted last is to blame for what follows.
  report(Rule::argument_rank, {at(0, "a.c:3")});
  EXPECT_TRUE(again(0));
  const Place place = at(0, "a.c:3");
  EXPECT_TRUE(collector_.consequence(place.rank, place.site, Harm::hang, "and so on"));
  EXPECT_EQ(collector_.summary().findings.at(1).consequences.size(), 0u);
  collector_.forget();
  EXPECT_FALSE(again(1));
}

TEST_F(CollectorTest, a_pair_seen_from_both_sides_is_one_finding) {
  report(Rule::type_mismatch, {at(0, "a.c:3"), at(1, "a.c:7")});
  report(Rule::type_mismatch, {at(1, "a.c:7"), at(0, "a.c:3")});
  EXPECT_EQ(findings(), "type/mismatch 0,1 2x\n");
}

// Whichever pair comes first, and whichever of its ranks.
TEST(CollectorOrder, of_pairs_that_share_lines) {
  struct Pair {
    int from, to;
    const char *sent, *received;
  };
  std::vector<Pair> pairs = {{0, 2, "a.c:1", "a.c:10"},
                             {0, 1, "a.c:1", "a.c:10"},
                             {3, 1, "a.c:2", "a.c:20"},
                             {3, 2, "a.c:2", "a.c:10"},
                             {2, 3, "b.c:1", "b.c:10"}};
  std::string expected;
  const auto less = [](const Pair& a, const Pair& b) {
    return std::tie(a.to, a.from) < std::tie(b.to, b.from);
  };
  std::sort(pairs.begin(), pairs.end(), less);
  do {
    SiteTable sites;
    Collector collector(sites);
    for (const Pair& p : pairs) {
      collector.report({.rule = Rule::type_mismatch,
                        .severity = Severity::error,
                        .message = fmt::format("{} to {}", p.from, p.to),
                        .places = {{WorldRank{p.from}, sites.intern_text(p.sent), "MPI_Send"},
                                   {WorldRank{p.to}, sites.intern_text(p.received), "MPI_Recv"}}});
    }
    std::string text;
    for (const Finding& f : collector.summary().findings) {
      text += fmt::format("{} {} {}x", f.message, rank_list(f.ranks), f.count);
      for (const Location& l : f.locations) text += fmt::format(" {}@{}", l.rank, where(l));
      text += '\n';
    }
    if (expected.empty()) expected = text;
    ASSERT_EQ(text, expected);
  } while (std::next_permutation(pairs.begin(), pairs.end(), less));
  EXPECT_EQ(expected,
            "0 to 1 0-3 4x 0@a.c:1 1@a.c:10 1@a.c:20 3@a.c:2\n2 to 3 2,3 1x 2@b.c:1 3@b.c:10\n");
}

TEST_F(CollectorTest, lines_with_a_common_cause_are_one_finding) {
  const auto used = [&](int rank, const char* line, const char* freed) {
    Report r{.rule = Rule::argument_communicator,
             .severity = Severity::error,
             .message = "m",
             .cause = "freed comm",
             .places = {at(rank, line), at(rank, freed, "MPI_Comm_free", "freed here")},
             .why = Cause::comm_freed};
    r.common = mention(r.places[1].site);
    collector_.report(std::move(r));
  };
  for (int line = 10; line < 40; ++line)
    for (const int rank : {1, 0}) used(rank, fmt::format("a.c:{}", line).c_str(), "a.c:3");
  used(0, "b.c:7", "b.c:5");  // another one, freed elsewhere
  EXPECT_EQ(findings(), "argument/communicator 0,1 60x\nargument/communicator 0 1x\n");
  const Finding f = collector_.summary().findings.at(0);
  EXPECT_EQ(f.title, info(Cause::comm_freed).title);
  EXPECT_EQ(f.locations[0].line, 10);
  EXPECT_EQ(f.locations[1].role, "freed here");
  EXPECT_EQ(f.locations[2].role, Collector::kAlso);
  EXPECT_LE(f.locations.size(), 2 + Collector::kMaxAlso);
  EXPECT_EQ(f.lines, 30u);
  // A repetition at any of its lines is only counted.
  const Involved again[] = {{WorldRank{0}, sites_.intern_text("a.c:39")},
                            {WorldRank{0}, sites_.intern_text("a.c:3")}};
  EXPECT_TRUE(
      collector_.again({Rule::argument_communicator, Severity::error, again, "freed comm"}));
}

TEST_F(CollectorTest, pairs_that_share_a_line_are_one_finding) {
  for (const char* line : {"a.c:7", "a.c:8", "a.c:9"})
    report(Rule::type_mismatch, {at(1, line), at(0, "a.c:3", "MPI_Send", "sent here")}, "m", "x");
  report(Rule::type_mismatch, {at(1, "b.c:7"), at(0, "b.c:3")}, "m", "x");  // other lines
  report(Rule::type_mismatch, {at(1, "a.c:5"), at(0, "a.c:3")}, "m", "y");  // another cause
  report(Rule::type_mismatch, {at(1, "a.c:7"), at(0, "a.c:3")}, "m", "z");  // the same lines
  EXPECT_EQ(findings(), "type/mismatch 0,1 4x\ntype/mismatch 0,1 1x\ntype/mismatch 0,1 1x\n");
  const Finding f = collector_.summary().findings.at(0);
  ASSERT_EQ(f.locations.size(), 4u);
  EXPECT_EQ(f.locations[2].line, 8);
  EXPECT_EQ(f.locations[2].role, "and here");
  EXPECT_EQ(f.locations[3].line, 9);
}

TEST_F(CollectorTest, what_is_known_is_counted_without_text) {
  const Site third = sites_.intern_text("a.c:3"), seventh = sites_.intern_text("a.c:7");
  const Involved places[] = {{WorldRank{1}, seventh}, {WorldRank{0}, third}};
  const Sketch sketch{Rule::type_mismatch, Severity::error, places, "x"};
  EXPECT_FALSE(collector_.again(sketch));
  report(Rule::type_mismatch, {at(1, "a.c:7"), at(0, "a.c:3")}, "m", "x");
  EXPECT_TRUE(collector_.again(sketch));
  Sketch other = sketch;
  other.severity = Severity::warning;
  EXPECT_FALSE(collector_.again(other));
  const Involved lower[] = {{WorldRank{0}, seventh}, {WorldRank{1}, third}};
  EXPECT_FALSE(collector_.again({Rule::type_mismatch, Severity::error, lower, "x"}));  // its words
  EXPECT_EQ(findings(), "type/mismatch 0,1 2x\n");
  EXPECT_EQ(collector_.take_counted(), (Collector::Counted{{0, 1}}));
  EXPECT_TRUE(collector_.take_counted().empty());
  collector_.add({{0, 1}}, 10);
  EXPECT_EQ(findings(), "type/mismatch 0,1 12x\n");
}

TEST_F(CollectorTest, ways_to_one_line_are_one_finding_and_all_shown) {  // --stacks
  const Site call = sites_.intern_text("comm.c:40");
  const auto by = [&](const char* caller) {
    return sites_.with_path(call, {sites_.intern_text(caller), sites_.intern_text("main.c:9")});
  };
  for (const char* caller : {"b.c:2", "a.c:1", "b.c:2"}) {
    report(Rule::argument_rank, {{WorldRank{1}, by(caller), "MPI_Send", {}}});
    report(Rule::argument_rank, {{WorldRank{0}, by(caller), "MPI_Send", {}}});
  }
  EXPECT_EQ(findings(), "argument/rank 0,1 6x\n");
  const Finding f = collector_.summary().findings[0];
  ASSERT_EQ(f.locations.size(), 2u);
  ASSERT_EQ(f.locations[0].stack.size(), 3u);
  EXPECT_EQ(f.locations[0].stack[1].file, "b.c");
  EXPECT_EQ(f.locations[1].stack[1].file, "a.c");
  EXPECT_EQ(f.locations[1].role, "also called from a.c:1");
}

TEST_F(CollectorTest, a_call_that_is_still_running_shows_the_way_to_it) {
  const Place call = at(0, "comm.c:40");
  report(Rule::collective_mismatch, {call, at(1, "other.c:7")});
  collector_.running(WorldRank{0}, call.site, {call.site, sites_.intern_text("a.c:1")});
  const Finding f = collector_.summary().findings[0];
  ASSERT_EQ(f.locations[0].stack.size(), 2u);
  EXPECT_EQ(f.locations[0].stack[1].file, "a.c");
  EXPECT_TRUE(f.locations[1].stack.empty());
}

TEST_F(CollectorTest, without_a_site_the_procedure_tells_findings_apart) {
  collector_.report(
      {Rule::argument_rank, Severity::error, "", "", {{WorldRank{0}, {}, "MPI_Send(dest=4)", ""}}});
  collector_.report(
      {Rule::argument_rank, Severity::error, "", "", {{WorldRank{0}, {}, "MPI_Send(dest=5)", ""}}});
  collector_.report({Rule::argument_rank,
                     Severity::error,
                     "",
                     "",
                     {{WorldRank{0}, {}, "MPI_Ssend(dest=4)", ""}}});
  EXPECT_EQ(findings(), "argument/rank 0 2x\nargument/rank 0 1x\n");
}

TEST_F(CollectorTest, text_is_that_of_the_lowest_ranks_first_time_whoever_comes_first) {
  report(Rule::argument_rank, {at(2, "a.c:3", "MPI_Send(dest=22)")}, "from 2");
  report(Rule::argument_rank, {at(1, "a.c:3", "MPI_Send(dest=11)")}, "from 1");
  report(Rule::argument_rank, {at(1, "a.c:3", "MPI_Send(dest=12)")}, "from 1 again");
  const Finding f = collector_.summary().findings.at(0);
  EXPECT_EQ(f.message, "from 1");
  EXPECT_EQ(f.locations.at(0).call, "MPI_Send(dest=11)");
  EXPECT_EQ(f.locations.at(0).file, "a.c");
  EXPECT_EQ(f.locations.at(0).line, 3);
}

// The same reports, in any order in which the ranks' events may arrive.
TEST_F(CollectorTest, order_is_severity_stage_rank_program_order) {  // [U47]
  struct Step {
    int rank;
    Rule rule;
    const char* line;
  };
  const std::vector<Step> zero = {{0, Rule::leak_request, "a.c:9"},
                                  {0, Rule::leak_datatype, "a.c:8"}};
  const std::vector<Step> one = {{1, Rule::argument_rank, "a.c:5"},
                                 {1, Rule::argument_count, "a.c:4"},
                                 {1, Rule::crash_abort, "a.c:6"}};
  std::string expected;
  for (std::size_t cut = 0; cut <= one.size(); ++cut) {
    SiteTable sites;
    Collector collector(sites);
    std::vector<Step> steps(one.begin(), one.begin() + static_cast<long>(cut));
    steps.insert(steps.end(), zero.begin(), zero.end());
    steps.insert(steps.end(), one.begin() + static_cast<long>(cut), one.end());
    for (const Step& s : steps)
      collector.report({s.rule,
                        info(s.rule).severity,
                        "",
                        "",
                        {{WorldRank{s.rank}, sites.intern_text(s.line), "MPI_X", ""}}});
    std::string order;
    for (const Finding& f : collector.summary().findings) order += f.rule + ' ';
    EXPECT_EQ(order, "argument/rank argument/count crash/abort leak/request leak/datatype ");
  }
}

// [U56]
TEST_F(CollectorTest, a_manifest_one_replaces_a_potential_one) {
  Report potential{
      Rule::unmatched_ready_send, Severity::error, "might", "", {at(0, "a.c:3")}, {}, true};
  Report manifest{Rule::unmatched_ready_send, Severity::error, "did", "", {at(1, "a.c:3")}};
  collector_.report(potential);
  collector_.report(manifest);
  collector_.report(potential);
  const Summary s = collector_.summary();
  ASSERT_EQ(s.findings.size(), 1u);
  EXPECT_EQ(s.findings[0].message, "did");
  EXPECT_FALSE(s.findings[0].potential);
}

TEST_F(CollectorTest, consequences_go_to_the_finding_of_that_call) {
  report(Rule::argument_rank, {at(0, "a.c:3")});
  report(Rule::argument_rank, {at(1, "a.c:9")});
  const Site third = sites_.intern_text("a.c:3"), twelfth = sites_.intern_text("b.c:12");
  const std::string text = "and so rank 1 waits forever at " + mention(twelfth);
  EXPECT_TRUE(collector_.consequence(WorldRank{0}, third, Harm::hang, text));
  EXPECT_TRUE(collector_.consequence(WorldRank{0}, third, Harm::hang, text));
  EXPECT_FALSE(collector_.consequence(WorldRank{1}, third, Harm::hang, text));
  const Summary s = collector_.summary();
  EXPECT_EQ(s.findings.at(0).consequences,
            std::vector<std::string>{"and so rank 1 waits forever at b.c:12"});
  EXPECT_TRUE(s.findings.at(1).consequences.empty());
}

TEST_F(CollectorTest, a_warning_that_stops_the_program_is_an_error) {
  const Site site = sites_.intern_text("a.c:3");
  collector_.report({.rule = Rule::request_never_started,
                     .severity = Severity::warning,
                     .message = "m",
                     .places = {{WorldRank{0}, site, "MPI_Wait", {}}}});
  collector_.harmful(Rule::request_never_started, WorldRank{0}, site);
  EXPECT_EQ(collector_.summary().findings.at(0).severity, Severity::error);
}

TEST_F(CollectorTest, consequences_are_bounded) {
  report(Rule::argument_rank, {at(0, "a.c:3")});
  for (int i = 0; i < 100; ++i)
    collector_.consequence(WorldRank{0}, sites_.intern_text("a.c:3"), Harm::hang,
                           fmt::format("rank {} waits", i));
  EXPECT_EQ(collector_.summary().findings.at(0).consequences.size(),
            Collector::kMaxConsequences + 1);
}

TEST_F(CollectorTest, places_are_named_in_messages) {
  report(Rule::request_handle, {at(0, "a.c:3")},
         "freed at " + mention(sites_.intern_text("a.c:2")) + ", used here");
  EXPECT_EQ(collector_.summary().findings.at(0).message, "freed at a.c:2, used here");
}

TEST_F(CollectorTest, text_of_the_program_that_looks_like_a_place_is_dropped) {
  report(Rule::argument_info, {at(0, "a.c:3")},
         "key \x01"
         "999\x02, \x01x\x02, \x01");
  EXPECT_EQ(collector_.summary().findings.at(0).message, "key , , \x01");
}

TEST_F(CollectorTest, a_place_without_site_and_call_is_left_out) {
  report(Rule::crash_assert, {at(0, "a.c:3"), {WorldRank{0}, {}, "", "signal raised here"}});
  EXPECT_EQ(collector_.summary().findings.at(0).locations.size(), 1u);
}

TEST_F(CollectorTest, verdict) {  // [U11, U55]
  EXPECT_EQ(collector_.summary().verdict, Verdict::clean);
  report(Rule::leak_datatype, {at(0, "a.c:3")});
  report(Rule::race_message, {at(0, "a.c:3")});
  EXPECT_EQ(collector_.summary().verdict, Verdict::clean);
  Summary strict = collector_.summary();
  strict.strict = true;
  EXPECT_EQ(judge(strict), Verdict::error);
  collector_.not_checked({"MPI_Put", "not analysed yet", 3});
  EXPECT_EQ(collector_.summary().verdict, Verdict::inconclusive);
  report(Rule::argument_rank, {at(0, "a.c:3")});
  EXPECT_EQ(collector_.summary().verdict, Verdict::error);
}

TEST_F(CollectorTest, gaps_of_one_kind_are_added_up) {
  collector_.not_checked({"MPI_Put", "not analysed yet", 3, sites_.intern_text("a.c:7")});
  collector_.not_checked({"MPI_Put", "not analysed yet", 4, sites_.intern_text("a.c:9")});
  collector_.not_checked({"MPI_Get", "not analysed yet", 1});
  const auto gaps = collector_.summary().not_checked;
  ASSERT_EQ(gaps.size(), 2u);
  EXPECT_EQ(gaps[0].what, "MPI_Get");
  EXPECT_EQ(gaps[1].count, 7u);
  EXPECT_EQ(gaps[1].where, "a.c:7");
}

TEST_F(CollectorTest, endless_causes_are_only_counted) {
  for (std::size_t i = 0; i < Collector::kMaxPerRule + 500; ++i)
    report(Rule::argument_tag, {at(0, "a.c:3")}, "m", std::to_string(i));
  const Summary s = collector_.summary();
  EXPECT_EQ(s.findings.size(), Collector::kMaxPerRule);
  ASSERT_EQ(s.omitted.size(), 1u);
  EXPECT_EQ(s.omitted[0].count, 500u);
}

TEST_F(CollectorTest, new_findings_are_told_at_once_and_once) {
  std::vector<std::string> told;
  collector_.on_new(
      [&told](const Finding& f) { told.push_back(f.rule + ' ' + where(f.locations.at(0))); });
  report(Rule::argument_rank, {at(0, "a.c:3")});
  report(Rule::argument_rank, {at(1, "a.c:3")});
  report(Rule::argument_tag, {at(1, "a.c:4")});
  EXPECT_EQ(told, (std::vector<std::string>{"argument/rank a.c:3", "argument/tag a.c:4"}));
}

TEST(Ranks, as_ranges) {
  EXPECT_EQ(rank_list({5, 0, 2, 3, 4, 6, 7}), "0,2-7");
  EXPECT_EQ(rank_list({0, 1}), "0,1");
  EXPECT_EQ(rank_list({3, 3}), "3");
  EXPECT_EQ(rank_words({3}), "rank 3");
  EXPECT_EQ(rank_words({0, 1, 2}), "ranks 0-2");
}

TEST(Rules, each_is_complete) {
  for (int i = 0; i < static_cast<int>(Rule::count_); ++i) {
    const RuleInfo& rule = info(static_cast<Rule>(i));
    EXPECT_NE(*rule.title, '\0') << rule.id;
    EXPECT_NE(*rule.advice, '\0') << rule.id;
    EXPECT_EQ(std::string(rule.advice).back(), '.') << rule.id;
  }
  EXPECT_STREQ(info(Rule::type_handle).id, "type/handle");
}

// A check that is switched off still runs if others go by what it finds.
TEST_F(CollectorTest, what_is_unheard_is_shown_if_something_heard_follows) {
  Sink& unheard = collector_.unheard();
  const Place wrong = at(0, "a.c:3"), other = at(1, "b.c:4");
  const auto finding = [](const Place& place) {
    return Report{
        .rule = Rule::argument_tag, .severity = Severity::error, .message = "m", .places = {place}};
  };
  unheard.report(finding(wrong));
  unheard.report(finding(other));
  unheard.not_checked({"a thing", "a reason", 1, {}, {}});
  EXPECT_EQ(findings(), "");
  EXPECT_TRUE(collector_.summary().not_checked.empty());
  EXPECT_EQ(collector_.told(), 2u);
  // Both are unheard: nothing to be shown.
  EXPECT_TRUE(unheard.consequence(WorldRank{1}, other.site, Harm::hang, "rank 1 waits"));
  EXPECT_EQ(findings(), "");
  EXPECT_TRUE(collector_.offends(WorldRank{0}, wrong.site, Harm::hang));
  EXPECT_TRUE(collector_.consequence(WorldRank{0}, wrong.site, Harm::hang, "rank 0 waits"));
  EXPECT_EQ(findings(), "argument/tag 0 1x\n");
  EXPECT_EQ(collector_.summary().verdict, Verdict::error);
  collector_.forget();
  EXPECT_EQ(findings(), "");
}

// The same finding, heard and not.
TEST_F(CollectorTest, what_is_unheard_hides_nothing) {
  const Place place = at(0, "a.c:3");
  const Involved involved[] = {{place.rank, place.site}};
  const Report report{
      .rule = Rule::io_mode, .severity = Severity::error, .message = "m", .places = {place}};
  collector_.unheard().report(report);
  EXPECT_TRUE(collector_.unheard().again({Rule::io_mode, Severity::error, involved}));
  EXPECT_FALSE(collector_.again({Rule::io_mode, Severity::error, involved}));
  collector_.report(report);
  EXPECT_EQ(findings(), "io/mode 0 1x\n");
}

}  // namespace
}  // namespace vouch
