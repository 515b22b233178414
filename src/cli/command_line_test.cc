#include "cli/command_line.h"

#include <gtest/gtest.h>

namespace vouch {
namespace {

using Words = std::vector<std::string>;

// What is wrong with the words; "": nothing.
std::string refusal(Subcommand command, const Words& words) {
  const auto line = CommandLine::parse(command, words);
  return line.ok() ? line.value().unknown_option() : line.error();
}

TEST(CommandLine, options_end_where_the_program_begins) {
  const auto line = CommandLine::parse(Subcommand::run,
                                       {"-n", "4", "--strict", "./app", "--json", "x", "-n", "7"});
  ASSERT_TRUE(line.ok()) << line.error();
  EXPECT_EQ(line.value().number(Option::ranks), 4);
  EXPECT_TRUE(line.value().has(Option::strict));
  EXPECT_FALSE(line.value().has(Option::json));
  EXPECT_EQ(line.value().rest(), (Words{"./app", "--json", "x", "-n", "7"}));
}

TEST(CommandLine, all_spellings) {
  for (const Words& words : {Words{"-n", "3"}, {"-n3"}, {"--np", "3"}, {"--np=3"}}) {
    const auto line = CommandLine::parse(Subcommand::explore, words);
    ASSERT_TRUE(line.ok()) << line.error();
    EXPECT_EQ(line.value().number(Option::ranks), 3) << words[0];
  }
  EXPECT_EQ(CommandLine::parse(Subcommand::run, {"--colour", "never"}).value().text(Option::color),
            "never");
}

TEST(CommandLine, what_is_not_given_is_the_fallback_of_the_row) {
  const auto line = CommandLine::parse(Subcommand::predict, {"x"});
  ASSERT_TRUE(line.ok()) << line.error();
  EXPECT_EQ(line.value().time(Option::predict_timeout), std::chrono::seconds(60));
  EXPECT_EQ(line.value().text(Option::color), "auto");
  EXPECT_EQ(line.value().number(Option::error_exitcode), 60);
  EXPECT_EQ(line.value().number(Option::bound), 0);
  EXPECT_FALSE(line.value().time(Option::predict_run_timeout));
}

TEST(CommandLine, a_value_that_may_be_left_out) {
  const auto number = [](const Words& words) {
    const auto line = CommandLine::parse(Subcommand::run, words);
    return line.ok() ? line.value().number(Option::stacks) : -1;
  };
  EXPECT_EQ(number({"--stacks", "./app"}), 8);
  EXPECT_EQ(number({"--stacks=4", "./app"}), 4);
  EXPECT_EQ(number({"--stacks=33", "./app"}), -1);
}

TEST(CommandLine, one_that_may_be_repeated_and_one_that_may_not) {
  const auto line =
      CommandLine::parse(Subcommand::run, {"--suppressions", "a", "--suppressions=b"});
  ASSERT_TRUE(line.ok()) << line.error();
  EXPECT_EQ(line.value().all(Option::suppressions), (Words{"a", "b"}));
  EXPECT_EQ(refusal(Subcommand::run, {"--json", "a", "--json", "b"}), "--json is given twice");
}

TEST(CommandLine, a_schedule_stands_first) {
  const auto line = CommandLine::parse(Subcommand::replay, {"A0=1", "-n", "2", "./app"});
  ASSERT_TRUE(line.ok()) << line.error();
  EXPECT_EQ(line.value().schedule(), "A0=1");
  EXPECT_EQ(line.value().rest(), Words{"./app"});
  EXPECT_EQ(CommandLine::parse(Subcommand::replay, {"-n", "2"}).value().schedule(), "");
}

TEST(CommandLine, without_a_program_options_stand_anywhere) {
  const auto line = CommandLine::parse(Subcommand::predict, {"--info", "a.trace", "--json", "x"});
  ASSERT_TRUE(line.ok()) << line.error();
  EXPECT_EQ(line.value().text(Option::json), "x");
  EXPECT_EQ(line.value().rest(), Words{"a.trace"});
  EXPECT_TRUE(CommandLine::parse(Subcommand::trace, {"dump", "--help"}).value().has(Option::help));
  EXPECT_EQ(refusal(Subcommand::predict, {"a.trace", "--jsonn", "x"}),
            "there is no option --jsonn: did you mean --json?");
  EXPECT_EQ(refusal(Subcommand::predict, {"./app", "-n", "2"}), "-n stands before the program");
}

TEST(CommandLine, two_dashes_end_the_options) {
  const auto line = CommandLine::parse(Subcommand::run, {"--", "--odd-name", "-n"});
  ASSERT_TRUE(line.ok()) << line.error();
  EXPECT_EQ(line.value().rest(), (Words{"--odd-name", "-n"}));
  EXPECT_EQ(line.value().unknown_option(), "");
}

TEST(CommandLine, wrong_values_are_named) {
  EXPECT_EQ(refusal(Subcommand::run, {"--mpi", "lam"}), "--mpi is openmpi or mpich, not 'lam'");
  EXPECT_EQ(refusal(Subcommand::run, {"--timeout", "soon"}),
            "--timeout needs a time such as 90s, 2m or 1h, not 'soon'");
  EXPECT_EQ(refusal(Subcommand::run, {"--error-exitcode", "256"}),
            "--error-exitcode needs a number from 0 to 255, not '256'");
  EXPECT_EQ(refusal(Subcommand::run, {"--buffering", "eager"}),
            "--buffering is strict, as-run or limit=BYTES, not 'eager'");
  EXPECT_EQ(refusal(Subcommand::run, {"--picture", "a.png"}),
            "--picture needs a file that ends in .svg or .dot, not 'a.png'");
  EXPECT_EQ(refusal(Subcommand::run, {"--strict=no"}), "--strict takes no value");
  EXPECT_EQ(refusal(Subcommand::run, {"--json"}), "--json needs a value: FILE");
  EXPECT_EQ(refusal(Subcommand::run, {"--json=", "-n", "2", "./app"}),
            "--json needs a value: FILE");
  EXPECT_EQ(refusal(Subcommand::run, {"-n", "2", "--strict=", "./app"}), "--strict takes no value");
  // Behind the program it is the program's.
  EXPECT_TRUE(CommandLine::parse(Subcommand::run, {"-n", "2", "./app", "--json="}).ok());
  // The name of another option begins like it.
  EXPECT_EQ(refusal(Subcommand::explore, {"--clocks-file"}), "--clocks-file needs a value: FILE");
}

TEST(CommandLine, an_option_that_there_is_not) {
  EXPECT_EQ(refusal(Subcommand::run, {"--bogus", "x"}), "there is no option --bogus");
  EXPECT_EQ(refusal(Subcommand::run, {"--jsno=x"}),
            "there is no option --jsno: did you mean --json?");
  EXPECT_EQ(refusal(Subcommand::run, {"--max-runs", "3"}),
            "there is no option --max-runs here, but in vouch explore");
  EXPECT_EQ(refusal(Subcommand::run, {"-q"}), "there is no option -q");
}

}  // namespace
}  // namespace vouch
