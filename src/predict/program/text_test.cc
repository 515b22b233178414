#include <gtest/gtest.h>

#include "predict/testing/test_help.h"

namespace vouch::predict {
namespace {

std::string wrong(std::string_view text) {
  const auto program = parse(text);
  return program.ok() ? "accepted" : program.error();
}

// [P1]: both forms give back what they print, and the same program.
TEST(CtpText, forms_round_trip) {
  for (const char* text : {
           "s>1 | r<0",
           "R02*=a R05*=b assume(0 < b) assert(a == 4) | R13* S15>0=1 | S24>0=4 S26>1",
           "ir1* ir2* w(r2) w(r1) | s>0 s>0",
           "is0>1:3 ir0<1:* w(s0) t(r0) b | is1>0:3/2@a.c:3 p<0 r1<0:3 w(s1) b",
           "comm(4)=0,2 s0>>2 b/4 bcast(1) ib#x w(x) | bcast(1) r>~0#odd ib w(b1.2) | "
           "b/4@\"a file (1).c:7\" bcast(1) r0* ib w(b2.4) scan/7 reduce(2)/8",
           "r0*=u r1*=u assert((u + 1) == -(u * 2) || !(u < 3)) s>1=(u - 1) | ir2* ir3* w(r2,r3)",
           "r0* | | s0>0",
       }) {
    const auto program = read(text);
    const auto compact = print_compact(program);
    EXPECT_EQ(print_compact(read(compact)), compact) << text;
    const auto sexpr = print_sexpr(program);
    EXPECT_EQ(print_sexpr(read(sexpr)), sexpr) << text;
    EXPECT_EQ(print_compact(read(sexpr)), compact) << sexpr;
  }
}

TEST(CtpText, the_published_form_is_understood) {
  const auto program =
      read("(((s s0 0 1) (r r0 * 0 w0) (w w0) (b c1) ⊥)\n ((b c1) (r r1 0 1 w1) (w w1) end))");
  EXPECT_EQ(print_compact(program), "s0>1 ir0* w(r0)#w0 b | b ir1<0 w(r1)#w1");
}

// [P1]: each defect has its own sentence.
TEST(CtpText, defects_are_named) {
  EXPECT_EQ(wrong("s0>1 | r0<0 s0>0"), "1:13: s0: this name stands twice");
  EXPECT_EQ(wrong("s0>* | r0<0"), "1:4: * cannot be a destination");
  EXPECT_EQ(wrong("(((s s0 * 1) ⊥) (⊥))"), "1:9: * cannot be a source of a send");
  EXPECT_EQ(wrong("(((s s0 0 *) ⊥) (⊥))"), "1:11: * cannot be a destination");
  EXPECT_EQ(wrong("(((r r0 * * w0) (w w0) ⊥))"), "1:11: * cannot be a destination of a receive");
  EXPECT_EQ(wrong("r0* w(zz) | s>0"), "1:7: wait for 'zz', which is not known here");
  EXPECT_EQ(wrong("(((w w0) ⊥))"), "1:6: wait w0, which no operation before it names");
  EXPECT_EQ(wrong("(((b c) (b c) ⊥) ((b c) ⊥))"), "1:9: communicator c is used again");
  EXPECT_EQ(wrong("ir0* | s>0"), "1:1: r0: no wait says that it was received");
  EXPECT_EQ(wrong("(((r r0 1 0 w0) ⊥) ((s s0 1 0)))"),
            "1:13: r0 names the wait w0, which does not follow");
  EXPECT_EQ(wrong("(((s s0 0 0) (s s0 0 0)))"), "1:17: s0: this name stands twice");
  EXPECT_EQ(wrong("(((*w w0)))"), "1:3: *w is a state of the abstract machine, no operation");
  EXPECT_EQ(wrong("s0>7 | r0<0"), "1:1: s0: destination 7 is not a process of this program");
  EXPECT_EQ(wrong("ir0* assert(r0 > 1) w | s0>0"),
            "1:1: assert0.1: reads r0 before a wait says it is there");
  EXPECT_EQ(wrong("r0* assert(q > 1) | s0>0"), "1:12: 'q' is no variable of this process");
  EXPECT_EQ(wrong("s0>1 hello | r*"), "1:6: 'hello' is no operation");
  EXPECT_EQ(wrong("b | bcast(0)"), "1:5: b1.0: another collective than the other members call");
  EXPECT_EQ(wrong(" ; nothing\n"), "1:1: there is no program in this text");
  EXPECT_EQ(wrong("(((s s0 0 1"), "1:3: ( is not closed");
  EXPECT_EQ(wrong("s0>1 assert(r0 | r0*"), "1:6: not closed");
}

// [P2]: a blocking receive is a receive and its wait; a test that said yes is a wait.
TEST(CtpText, blocking_calls_are_two_operations) {
  const auto blocking = read("s0>1 r0* r1<1 | r2* s1>0 | s2>0");
  const auto apart = read("s0>1 ir0* w ir1<1 w | ir2* w s1>0 | s2>0");
  EXPECT_EQ(print_sexpr(blocking), print_sexpr(apart));
  const auto tested = read("ir0* t(r0) | s0>0");
  EXPECT_TRUE(tested[1].by_test);
  EXPECT_EQ(nearest_waits(tested)[0], 1u);
}

// [P3]: each round of a loop has operations of its own.
TEST(CtpText, a_loop_gives_fresh_names) {
  Builder builder(2);
  for (int i = 0; i < 3; ++i) builder.send(0, 1);
  for (int i = 0; i < 3; ++i) builder.blocking_receive(1, 0);
  auto program = std::move(builder).build();
  ASSERT_TRUE(program.ok());
  EXPECT_EQ(print_sexpr(*program).substr(0, 47), "(((s s0.0 0 1) (s s0.1 0 1) (s s0.2 0 1) ⊥)\n ");
}

// [P4, P5]: which wait certifies a receive.
TEST(CtpText, nearest_enclosing_wait) {
  const auto f25 = read("ir1* ir2* w(2) w(1) | s>0 s>0");
  EXPECT_EQ(nearest_waits(f25)[0], 2u);
  EXPECT_EQ(nearest_waits(f25)[1], 2u);
  const auto corrected = read("ir3<2 ir2* w(2) s0>2 s1>1 w(3) | s2>0 r1* | r0<0 s3>0");
  EXPECT_EQ(nearest_waits(corrected)[0], 5u);
  EXPECT_EQ(nearest_waits(corrected, true)[0], 2u);
}

// [P6]: which barrier comes after it.
TEST(CtpText, nearest_enclosing_barrier) {
  const auto f32 = read("b S>1 | ir<0 b w");
  EXPECT_EQ(nearest_barriers(f32, nearest_waits(f32))[f32.find("r1.0")], kNoOp);
  const auto f32w = read("b S>1 | r<0 b");
  EXPECT_EQ(nearest_barriers(f32w, nearest_waits(f32w))[f32w.find("r1.0")], f32w.first[1] + 2);
}

// [P7]: assumptions and values are kept; a variable written twice is two values.
TEST(CtpText, conditions_read_the_latest_value) {
  const auto f21 = read("R02*=a R05*=b assume(b>0) assert(a=4) | R13* S15>0=1 | S24>0=4 S26>1");
  EXPECT_NE(print_compact(f21).find("assume(0 < b)"), std::string::npos);
  const auto twice = read("r0*=u r1*=u assert(u == 1) | s0>0=7 | s1>0=1");
  std::vector<std::int64_t> values(twice.ops.size());
  values[0] = 7;
  values[2] = 1;
  EXPECT_EQ(evaluate(twice, twice[4].expr, values), 1);
  values[2] = 2;
  EXPECT_EQ(evaluate(twice, twice[4].expr, values), 0);
}

TEST(CtpText, who_needs_whom) {
  SyncGroup group{.root = 5, .members = {3, 5, 9}};
  using Who = std::vector<std::size_t>;
  EXPECT_EQ(needs(group, 0, Buffering::infinite), (Who{1, 2}));
  group.kind = SyncKind::from_root;
  EXPECT_EQ(needs(group, 0, Buffering::infinite), Who{1});
  EXPECT_EQ(needs(group, 1, Buffering::infinite), Who{});
  EXPECT_EQ(needs(group, 1, Buffering::zero), (Who{0, 2}));
  group.kind = SyncKind::to_root;
  EXPECT_EQ(needs(group, 1, Buffering::infinite), (Who{0, 2}));
  EXPECT_EQ(needs(group, 2, Buffering::infinite), Who{});
  group.kind = SyncKind::prefix;
  EXPECT_EQ(needs(group, 2, Buffering::infinite), (Who{0, 1}));
  group.kind = SyncKind::listed;
  group.sources = {{9}, {3, 9}, {}};
  EXPECT_EQ(needs(group, 0, Buffering::infinite), Who{2});
  EXPECT_EQ(needs(group, 1, Buffering::infinite), (Who{0, 2}));
  EXPECT_EQ(needs(group, 2, Buffering::infinite), Who{});
  EXPECT_EQ(needs(group, 2, Buffering::zero), (Who{0, 1}));
}

TEST(CtpText, collectives_that_name_whom_they_need) {
  const auto program = read("needs(1) | needs() | ineeds(0,1) w");
  ASSERT_EQ(program.groups.size(), 1u);
  EXPECT_EQ(program.groups[0].sources, (std::vector<std::vector<int>>{{1}, {}, {0, 1}}));
  EXPECT_EQ(read(print_compact(program)).groups[0].sources, program.groups[0].sources);
  EXPECT_EQ(read(print_sexpr(program)).groups[0].sources, program.groups[0].sources);
  EXPECT_FALSE(parse("needs(2) | needs()").ok());
}

}  // namespace
}  // namespace vouch::predict
