#include "run/compilers.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace vouch {
namespace {

bool has(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

TEST(Compilers, what_a_command_is_about) {
  const auto both = read_compiler_words({"-O2", "a.c", "b.c", "-o", "x"});
  EXPECT_TRUE(both.links);
  EXPECT_TRUE(both.has_input);
  EXPECT_FALSE(both.has_debug);
  EXPECT_FALSE(read_compiler_words({"-c", "a.c"}).links);
  EXPECT_FALSE(read_compiler_words({"--version"}).has_input);
  EXPECT_FALSE(read_compiler_words({"-v", "-o", "x", "-I", "here"}).has_input);
  EXPECT_TRUE(read_compiler_words({"-ggdb3", "a.c"}).has_debug);
  EXPECT_FALSE(read_compiler_words({"-gno-record-gcc-switches", "a.c"}).has_debug);
  EXPECT_EQ(read_compiler_words({"-fsanitize=undefined,address"}).sanitizer, "address");
  EXPECT_EQ(read_compiler_words({"-fsanitize=undefined"}).sanitizer, "");
}

TEST(Compilers, gcc_is_told_by_a_file_and_the_users_words_come_last) {
  MpiCompiler gcc{.command = {"mpicc"}, .kind = MpiCompiler::Kind::gcc, .version = 12};
  const auto c = instrumented(gcc, Language::c, {"-c", "a.c"}, "/lib/vouch/libvouch_access.a");
  EXPECT_EQ(c.words[0], "mpicc");
  EXPECT_TRUE(has(c.words, "-g1"));
  EXPECT_TRUE(has(c.words, "-specs=/lib/vouch/vouch_gcc.specs"));
  EXPECT_FALSE(has(c.words, "-fno-tree-pta"));
  EXPECT_EQ(c.words.back(), "a.c");
  ASSERT_EQ(c.environment.size(), 1U);
  EXPECT_EQ(c.environment[0].second, "/lib/vouch");
  EXPECT_TRUE(has(instrumented(gcc, Language::fortran, {"a.f90"}, "/x.a").words, "-fno-tree-pta"));
  EXPECT_FALSE(has(instrumented(gcc, Language::c, {"-g", "a.c"}, "/x.a").words, "-g1"));
}

TEST(Compilers, clang_gets_the_library_only_where_it_links) {
  MpiCompiler clang{.command = {"mpicc"}, .kind = MpiCompiler::Kind::clang, .version = 14};
  EXPECT_TRUE(has(instrumented(clang, Language::c, {"a.c"}, "/x.a").words, "/x.a"));
  EXPECT_FALSE(has(instrumented(clang, Language::c, {"-c", "a.c"}, "/x.a").words, "/x.a"));
  EXPECT_FALSE(has(instrumented(clang, Language::c, {"--version"}, "/x.a").words, "/x.a"));
}

TEST(Compilers, which_can_be_instrumented) {
  MpiCompiler other{.command = {"mpicc"}, .shown = "icc (ICC) 2021.1"};
  EXPECT_EQ(usable(other).status, kExitUsage);
  other.status = 3;
  EXPECT_EQ(usable(other).status, 3);
  EXPECT_FALSE(usable({.command = {"mpicc"}, .kind = MpiCompiler::Kind::gcc}));
}

}  // namespace
}  // namespace vouch
