// The writers against files in tests/reports. VOUCH_GOLDEN=write writes them anew; look at the
// difference then.

#include <cstdlib>
#include <fstream>
#include <iterator>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "report/identity.h"
#include "report/json.h"
#include "report/text.h"

namespace vouch {
namespace {

void expect_golden(const std::string& name, const std::string& text) {
  const std::string path = std::string(VOUCH_GOLDEN_DIR) + "/" + name;
  if (const char* mode = std::getenv("VOUCH_GOLDEN"); mode && std::string(mode) == "write")
    std::ofstream(path) << text;
  std::ifstream in(path);
  const std::string golden{std::istreambuf_iterator<char>(in), {}};
  EXPECT_EQ(text, golden) << path;
}

Finding of(Rule rule, std::string message, std::vector<int> ranks,
           std::vector<Location> locations) {
  const RuleInfo& r = info(rule);
  Finding f;
  f.rule = r.id, f.severity = r.severity, f.title = r.title, f.clause = r.clause,
  f.advice = r.advice;
  f.message = std::move(message);
  f.count = ranks.size();
  f.ranks = std::move(ranks);
  f.locations = std::move(locations);
  return f;
}

Location at(int rank, std::string call, std::string file, int line, std::string function,
            std::string role = {}, std::string source = {}) {
  Location l;
  l.rank = rank, l.call = std::move(call), l.file = std::move(file), l.line = line;
  l.function = std::move(function), l.role = std::move(role), l.source = std::move(source);
  return l;
}

Finding deadlock() {
  Finding f;
  f.rule = "deadlock/wait-cycle";
  f.title = "deadlock";
  f.clause = "MPI-4.1 3.5";
  f.again = "vouch replay --schedule 0.1,1.0 -- ./ring";
  f.ranks = {0, 1};
  f.count = 1;
  f.locations = {at(0, "MPI_Recv(source=1, tag=7)", "ring.c", 31, "main", "waits for rank 1"),
                 at(1, "MPI_Recv(source=0, tag=7)", "ring.c", 31, "main", "waits for rank 0")};
  return f;
}

Summary sample() {
  Summary s;
  s.command = {"vouch", "run", "-n", "8", "./halo"};
  s.ranks = 8;
  s.statistics = {{"calls", 1204}, {"events", 2011}};
  Finding rank = of(Rule::argument_rank, "dest=8 is not in MPI_COMM_WORLD, which has 8 ranks",
                    {0, 2, 3, 4, 5, 6, 7},
                    {at(0, "MPI_Send(dest=8, tag=7)", "halo.c", 31, "exchange", "",
                        "\tMPI_Send(row, n, MPI_DOUBLE, rank + 1, 7, grid);")});
  rank.count = 7000;
  rank.consequences = {"and so rank 1 waits forever at halo.c:44"};
  Finding stale = of(Rule::type_handle, "the datatype was freed before", {2},
                     {at(2, "MPI_Send(datatype=column)", "src/long_name.c", 140, "step", "",
                         "  MPI_Send(a, 1, column, up, 3, grid);"),
                      at(2, "MPI_Type_vector", "src/types.c", 7, "make", "made here"),
                      at(2, "MPI_Type_free", "src/types.c", 99, "drop", "freed here")});
  Finding ready = of(Rule::unmatched_ready_send, "the receive is not surely posted", {1, 2},
                     {at(1, "MPI_Rsend(dest=2, tag=0)", "halo.c", 50, "main"),
                      at(2, "MPI_Recv(source=1, tag=0)", "halo.c", 61, "main", "the receive")});
  ready.potential = true;
  Location library = at(0, "MPI_Comm_dup", "libhx.so.1", 0, "hx_setup", "made here");
  library.offset = 0x1f;
  library.from_file = "halo.c", library.from_line = 12, library.from_function = "main";
  Finding leak =
      of(Rule::leak_communicator, "1 made here, 0 freed", {0, 1, 2, 3, 4, 5, 6, 7}, {library});
  Finding note = of(Rule::race_message, "could also take the send of rank 2", {0},
                    {at(0, "MPI_Recv(source=MPI_ANY_SOURCE)", "halo.c", 70, "main")});
  s.findings = {rank, stale, ready, leak, note};
  for (Finding& f : s.findings) f.again = "vouch run -n 8 ./halo";
  s.not_checked = {{"MPI_Get", "one-sided access is not analysed yet", 3},
                   {"MPI_Put", "one-sided access is not analysed yet", 12, {}, "halo.c:80"},
                   {"rank 3", "ended by the launcher", 0},
                   {"rank 4", "ended by the launcher", 0}};
  s.suppressed = 2;
  s.unused_suppressions = {"app.supp:3: leak/* vendor.c"};
  s.notes = {"some code has no line numbers: compile with -g to see them"};
  s.schedule = "A0=2,1x3";
  s.verdict = judge(s);
  return s;
}

TEST(Text, finding_as_in_the_style_guide) { expect_golden("deadlock.txt", write_text(deadlock())); }

TEST(Text, full_report) { expect_golden("full.txt", write_text(sample())); }

TEST(Text, full_report_with_info) {
  expect_golden("full_info.txt", write_text(sample(), {.info = true}));
}

TEST(Text, colour_only_adds_colour) {
  const std::string coloured = write_text(sample(), {.colour = true});
  expect_golden("full_colour.txt", coloured);
  std::string plain;
  for (std::size_t i = 0; i < coloured.size(); ++i) {
    if (coloured[i] == '\x1b')
      i = coloured.find('m', i);
    else
      plain += coloured[i];
  }
  EXPECT_EQ(plain, write_text(sample()));
}

TEST(Text, clean) {
  Summary s;
  s.ranks = 4;
  s.statistics = {{"calls", 96}};
  EXPECT_EQ(write_text(s), "vouch: clean: nothing found in 4 ranks, 96 MPI calls\n");
}

TEST(Text, clean_with_warnings_and_strict) {
  Summary s = sample();
  s.findings = {s.findings[3]};
  s.not_checked.clear(), s.notes.clear(), s.suppressed = 0;
  s.verdict = judge(s);
  expect_golden("warning.txt", write_text(s));
  s.strict = true;
  s.verdict = judge(s);
  EXPECT_NE(write_text(s).find("vouch: error: 1 warning in 8 ranks, warnings counted as errors\n"),
            std::string::npos);
}

TEST(Text, inconclusive) {
  Summary s = sample();
  s.findings.clear();
  s.suppressed = 0;
  s.verdict = judge(s);
  expect_golden("inconclusive.txt", write_text(s));
}

TEST(Text, ranks_stopped_at_one_place_are_named_together) {
  Summary s;
  s.verdict = Verdict::inconclusive;
  for (const int rank : {0, 1, 2, 3})
    s.not_checked.push_back({.what = fmt::format("rank {}", rank),
                             .reason = "it was in MPI_Barrier when the time limit was reached",
                             .count = 1,
                             .where = rank == 2 ? "b.c:4" : "a.c:9"});
  EXPECT_NE(write_text(s).find("not checked: ranks 0,1,3 (at a.c:9), rank 2 (at b.c:4): they were "
                               "in MPI_Barrier when"),
            std::string::npos)
      << write_text(s);
}

// One place stands for all ranks that did the same there.
TEST(Text, a_place_names_all_its_ranks) {
  Finding f;
  f.rule = "collective/mismatch";
  f.ranks = {0, 1, 2};
  f.locations.push_back({.rank = 1, .call = "MPI_Reduce", .file = "a.c", .line = 14});
  f.locations.push_back({.rank = 0, .call = "MPI_Bcast", .file = "a.c", .line = 10, .others = {2}});
  const std::string text = write_text(f);
  EXPECT_NE(text.find("  rank 1     a.c:14  MPI_Reduce\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  ranks 0,2  a.c:10  MPI_Bcast\n"), std::string::npos) << text;
  Summary s;
  s.findings.push_back(f);
  const auto read = read_json(write_json(s));
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read.value().findings[0].locations[1].others, std::vector<int>{2});
}

// [U47]
TEST(Text, more_than_twenty_of_a_rule_are_one_line) {
  Summary s;
  for (int i = 0; i < 100; ++i)
    s.findings.push_back(
        of(Rule::leak_op, "", {0}, {at(0, "MPI_Op_create", "a.c", i + 1, "main")}));
  s.omitted = {{"leak/op", 1000}};
  const std::string text = write_text(s);
  EXPECT_NE(text.find("a.c:20 "), std::string::npos);
  EXPECT_EQ(text.find("a.c:21 "), std::string::npos);
  EXPECT_NE(text.find("and 1080 more findings of [leak/op]\n"), std::string::npos);
}

TEST(Text, many_ranks_at_one_place_are_one_line) {
  Finding f = of(Rule::collective_root, "root=1 on rank 7; root=0 on ranks 0-6", {}, {});
  for (int i = 0; i < 7; ++i) f.locations.push_back(at(i, "MPI_Bcast(root=0)", "a.c", 5, "main"));
  f.locations.insert(f.locations.begin(), at(7, "MPI_Bcast(root=1)", "a.c", 9, "main"));
  for (int i = 0; i < 8; ++i) f.ranks.push_back(i);
  f.count = 1;
  expect_golden("partition.txt", write_text(f));
}

TEST(Text, many_places_are_cut) {
  Finding f = of(Rule::collective_mismatch, "", {0, 1}, {});
  for (int i = 0; i < 100; ++i) f.locations.push_back(at(i % 2, "MPI_Bcast", "a.c", 5 + i, "main"));
  EXPECT_NE(write_text(f).find("  and 84 more places\n"), std::string::npos);
}

TEST(Text, sends_no_commands_to_the_terminal) {
  Finding f =
      of(Rule::argument_info, "key \x1b[2J", {0}, {at(0, "MPI_Info_set(key=\a)", "a.c", 5, "f")});
  f.locations[0].source = "set(\"\x1b]0;x\a\")";
  for (const char c : write_text(f))
    EXPECT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20);
}

TEST(Text, notes_that_are_not_listed_are_not_counted_as_more) {
  Summary s;
  s.findings = {of(Rule::race_message, "", {0}, {at(0, "MPI_Recv", "a.c", 5, "f")})};
  s.omitted = {{"race/message", 1000}};
  EXPECT_EQ(write_text(s).find("1000 more"), std::string::npos);
  EXPECT_NE(write_text(s, {.info = true}).find("1000 more"), std::string::npos);
}

TEST(Text, callers_of_a_place) {
  Finding f = deadlock();
  f.locations[0].stack = {
      {"exchange", "ring.c", 31}, {"step", "ring.c", 50}, {"main", "ring.c", 70}};
  const std::string text = write_text(f);
  EXPECT_NE(text.find("in exchange, called from step (ring.c:50), main (ring.c:70)\n"),
            std::string::npos)
      << text;
}

TEST(Text, what_was_shown_during_the_run_is_only_counted) {
  Summary s;
  s.ranks = 2;
  s.findings = {deadlock()};
  s.verdict = judge(s);
  TextOptions how;
  how.shown = {{identity(deadlock()), deadlock()}};
  EXPECT_NE(write_text(s).find("ring.c:31"), std::string::npos);
  EXPECT_EQ(write_text(s, how).find("ring.c:31"), std::string::npos);
  EXPECT_NE(write_text(s, how).find("1 error in 2 ranks"), std::string::npos);
  EXPECT_NE(write_text(s, how).find("again: vouch replay"), std::string::npos);
}

TEST(Text, what_is_new_of_a_shown_finding_is_one_line) {
  Summary s;
  s.ranks = 4;
  s.findings = {deadlock()};
  s.findings[0].ranks = {0, 1, 3};
  s.findings[0].consequences = {"and so rank 2 waits forever at ring.c:40"};
  s.verdict = judge(s);
  TextOptions how;
  how.shown = {{identity(deadlock()), deadlock()}};
  const std::string text = write_text(s, how);
  EXPECT_EQ(text.find("error shown above: deadlock [deadlock/wait-cycle] at ring.c:31: also on "
                      "rank 3; and so rank 2 waits forever at ring.c:40\n\nvouch: error: 1 error"),
            0u)
      << text;
}

TEST(Identity, does_not_depend_on_ranks_counts_or_words) {
  Finding later = deadlock();
  later.count = 12;
  later.message = "another";
  later.ranks = {7};
  for (Location& l : later.locations) l.rank += 4;
  EXPECT_EQ(identity(later), identity(deadlock()));
  later.locations[0].line += 1;
  EXPECT_NE(identity(later), identity(deadlock()));
}

TEST(Json, callers_and_pictures) {
  Summary s;
  s.findings = {deadlock()};
  s.findings[0].locations[0].stack = {{"main", "ring.c", 70, 0}, {"", "libx.so", 0, 0x12}};
  s.findings[0].picture = {"digraph {}", "<svg/>"};
  const auto read = read_json(write_json(s));
  ASSERT_TRUE(read.ok());
  const Finding& f = read.value().findings.at(0);
  ASSERT_EQ(f.locations[0].stack.size(), 2u);
  EXPECT_EQ(f.locations[0].stack[0].function, "main");
  EXPECT_EQ(f.locations[0].stack[1].offset, 0x12u);
  EXPECT_EQ(f.picture.dot, "digraph {}");
  EXPECT_EQ(f.picture.svg, "<svg/>");
}

TEST(Json, golden) { expect_golden("full.json", write_json(sample())); }

// The contract for scripts: these keys, of these kinds, whatever else there is.
TEST(Json, keeps_the_contract) {
  const auto j = nlohmann::json::parse(write_json(sample()));
  EXPECT_TRUE(j.at("vouch").is_string());
  EXPECT_EQ(j.at("schema"), 1);
  EXPECT_EQ(j.at("verdict"), "error");
  EXPECT_EQ(j.at("command"), (std::vector<std::string>{"vouch", "run", "-n", "8", "./halo"}));
  EXPECT_EQ(j.at("ranks"), 8);
  EXPECT_TRUE(j.at("statistics").is_object());
  EXPECT_TRUE(j.at("not_checked").is_array());
  EXPECT_TRUE(j.at("exploration").at("schedules").is_number_unsigned());
  EXPECT_TRUE(j.at("exploration").at("exhausted").is_boolean());
  EXPECT_TRUE(j.at("exploration").at("pruned").is_number_unsigned());
  ASSERT_EQ(j.at("findings").size(), 5u);
  for (const auto& f : j.at("findings")) {
    EXPECT_NE(f.at("rule").get<std::string>().find('/'), std::string::npos);
    const std::string severity = f.at("severity");
    EXPECT_TRUE(severity == "error" || severity == "warning" || severity == "info");
    EXPECT_TRUE(f.at("message").is_string());
    EXPECT_TRUE(f.at("mpi").is_string());
    EXPECT_TRUE(f.at("again").is_string());
    for (const auto& rank : f.at("ranks")) EXPECT_TRUE(rank.is_number_integer());
    for (const auto& l : f.at("locations")) {
      EXPECT_TRUE(l.at("rank").is_number_integer());
      EXPECT_TRUE(l.at("call").is_string());
      EXPECT_TRUE(l.at("file").is_string());
      EXPECT_TRUE(l.at("line").is_number_integer());
      EXPECT_TRUE(l.at("function").is_string());
    }
  }
}

TEST(Json, empty_report_has_all_keys) {
  const auto j = nlohmann::json::parse(write_json(Summary{}));
  for (const char* key : {"vouch", "schema", "verdict", "command", "ranks", "findings",
                          "exploration", "statistics", "not_checked"})
    EXPECT_TRUE(j.contains(key)) << key;
  EXPECT_EQ(j.at("verdict"), "clean");
}

TEST(Json, reads_what_it_writes) {
  const Summary s = sample();
  auto again = read_json(write_json_line(s));
  ASSERT_TRUE(again.ok()) << again.error();
  EXPECT_EQ(write_json(*again), write_json(s));
  EXPECT_EQ(write_text(*again, {.info = true}), write_text(s, {.info = true}));
  EXPECT_EQ(write_json_line(s).find('\n'), std::string::npos);
  auto finding = read_json_finding(write_json_line(deadlock()));
  ASSERT_TRUE(finding.ok());
  EXPECT_EQ(write_text(*finding), write_text(deadlock()));
}

TEST(Json, bad_text_is_an_error_and_bad_bytes_are_replaced) {
  EXPECT_FALSE(read_json("").ok());
  EXPECT_FALSE(read_json("{\"schema\":1").ok());
  EXPECT_FALSE(read_json("{\"schema\":2,\"verdict\":\"clean\",\"findings\":[]}").ok());
  EXPECT_FALSE(read_json("{\"schema\":1,\"verdict\":\"good\",\"findings\":[]}").ok());
  EXPECT_FALSE(read_json("{\"schema\":1,\"verdict\":\"clean\",\"findings\":[3]}").ok());
  EXPECT_FALSE(
      read_json("{\"schema\":1,\"verdict\":\"clean\",\"ranks\":\"x\",\"findings\":[]}").ok());
  Summary s;
  s.command = {"./caf\xe9"};
  EXPECT_TRUE(read_json(write_json(s)).ok());
}

}  // namespace
}  // namespace vouch
