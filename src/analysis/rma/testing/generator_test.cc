// Random programs are as they are meant: legal, readable as text in any order, and of all kinds.

#include "analysis/rma/testing/generator.h"

#include <gtest/gtest.h>

#include <map>

#include "analysis/rma/rma.h"
#include "analysis/rma/testing/reference.h"
#include "analysis/rma/testing/text.h"
#include "analysis/testing/run_text.h"

namespace vouch::rma_programs {
namespace {

TEST(RmaPrograms, use_windows_as_they_should) {
  std::mt19937 random(11);
  std::map<What, int> calls;
  int racing = 0, silent = 0, pairs = 0, by_locks = 0, by_order = 0, by_memory = 0;
  for (int i = 0; i < 300; ++i) {
    Shape shape{.ranks = 2 + i % 3, .steps = 15 + i % 50, .runnable = i % 4 == 0};
    const Program program = random_program(random, shape);
    for (const Call& c : program.calls) ++calls[c.what];
    const Judged judged = judge(program);
    ++(judged.races.empty() ? silent : racing);
    pairs += static_cast<int>(judged.races.size());
    by_locks += judged.by_locks;
    by_order += judged.by_order;
    by_memory += judged.by_memory;
    const std::string text = text_in_any_order(program, random);
    ASSERT_EQ(run<Rma>(text), "") << text_of(program);
  }
  for (int w = 0; w <= static_cast<int>(What::allreduce); ++w)
    EXPECT_GT(calls[static_cast<What>(w)], 20) << w;
  EXPECT_GT(racing, 50);
  EXPECT_GT(silent, 50);
  for (const int n : {pairs, by_locks, by_order, by_memory}) EXPECT_GT(n, 50);
}

}  // namespace
}  // namespace vouch::rma_programs
