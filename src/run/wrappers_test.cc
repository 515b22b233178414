#include "run/wrappers.h"

#include <gtest/gtest.h>

namespace vouch {
namespace {

// The command behind the words, separated by blanks.
std::string behind(const Words& command) {
  const Wrapped wrapped = wrapped_by(command);
  std::string text;
  for (const Words& words : wrapped.commands) {
    if (!text.empty()) text += "; ";
    for (std::size_t i = 0; i < words.size(); ++i) text += (i > 0 ? " " : "") + words[i];
  }
  return text;
}

TEST(Wrappers, options_and_words_of_their_own_are_skipped) {
  EXPECT_EQ(behind({"valgrind", "--tool=memcheck", "-q", "./app", "-x"}), "./app -x");
  EXPECT_EQ(behind({"numactl", "-m", "0", "--cpunodebind=1", "./app"}), "./app");
  EXPECT_EQ(behind({"numactl", "--membind", "0", "./app"}), "./app");
  EXPECT_EQ(behind({"taskset", "-c", "0,1", "./app"}), "./app");
  EXPECT_EQ(behind({"timeout", "-k", "5", "--signal=INT", "60", "./app", "1"}), "./app 1");
  EXPECT_EQ(behind({"/usr/bin/timeout", "--", "60", "./app"}), "./app");
  EXPECT_EQ(behind({"nice", "-n", "5", "./app"}), "./app");
  EXPECT_EQ(behind({"nice", "-5", "./app"}), "./app");
  EXPECT_EQ(behind({"stdbuf", "-oL", "-e", "0", "./app"}), "./app");
  EXPECT_EQ(behind({"strace", "-f", "-o", "out", "-e", "trace=open", "./app"}), "./app");
  EXPECT_EQ(behind({"perf", "stat", "-e", "cycles", "--", "./app", "a"}), "./app a");
  EXPECT_EQ(behind({"perf", "record", "-g", "-o", "p.data", "./app"}), "./app");
  EXPECT_EQ(behind({"env", "-u", "X", "A=1", "B_2=x=y", "./app"}), "./app");
  EXPECT_EQ(behind({"gdb", "-batch", "-ex", "run", "--args", "./app", "x"}), "./app x");
  EXPECT_EQ(behind({"time", "-f", "%e", "./app"}), "./app");
  EXPECT_EQ(behind({"catchsegv", "./app"}), "./app");
  EXPECT_TRUE(wrapped_by({"nice", "./app"}).sure);
}

TEST(Wrappers, what_runs_nothing) {
  EXPECT_EQ(behind({"./app", "x"}), "");
  EXPECT_EQ(behind({"gdb", "./app"}), "");
  EXPECT_EQ(behind({"env"}), "");
}

TEST(Wrappers, shell_text) {
  EXPECT_EQ(behind({"bash", "-c", "cd /tmp && ./app 'a b' > out 2>&1"}), "cd /tmp; ./app a b");
  EXPECT_EQ(behind({"sh", "-xc", "A=1 exec ./app \"$@\"", "name", "1", "2"}), "./app 1 2");
  EXPECT_EQ(behind({"bash", "-c", "exec \"$0\" -v", "./app"}), "./app -v");
  EXPECT_EQ(behind({"sh", "-c", "# note\nif true; then ./app; fi"}), "true; ./app; fi");
  const auto beside =
      shell_commands("\"$(dirname \"$0\")/app\" 1\n\"$HERE\"/tool", "/x/run.sh", {});
  ASSERT_EQ(beside.size(), 2U);
  EXPECT_EQ(beside[0], (Words{"/x/app", "1"}));
  EXPECT_EQ(beside[1], (Words{"/x/tool"}));
}

}  // namespace
}  // namespace vouch
