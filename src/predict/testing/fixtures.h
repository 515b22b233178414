// The fixture programs of docs/spec/prediction.md, and what becomes of them [P8].
//
// complete/deadlocked: the number of different final matchings in which all processes end, and in
// which some are stuck; first with infinite, then with zero buffering.

#pragma once

#include <span>
#include <string_view>

namespace vouch::predict {

struct Count {
  int complete = 0, deadlocked = 0;
  bool operator==(const Count&) const = default;
};

struct Fixture {
  std::string_view name, text;
  Count infinite, zero;
};

inline constexpr Fixture kFixtures[] = {
    {"F1.1", "s>1 | r<0", {1, 0}, {1, 0}},
    {"F2.1",
     "R02*=a R05*=b assume(b > 0) assert(a == 4) | R13* S15>0=1 | S24>0=4 S26>1",
     {2, 0},
     {1, 0}},
    {"F2.5", "ir1* ir2* w(2) w(1) | s>0 s>0", {1, 0}, {1, 0}},
    {"F2.6", "s>1 s>1 | ir1* ir2* w(1) w(2)", {1, 0}, {1, 0}},
    {"F2.9", "R01* R02* S03>1 R04* | S11>0 R12* S13>0 | S21>0", {2, 0}, {2, 0}},
    {"F3.2", "b S>1 | ir<0 b w", {1, 0}, {1, 0}},
    {"F3.2w", "b S>1 | r<0 b", {0, 1}, {0, 1}},
    {"F4.1", "r0* r1* r2<1 s5>1 r3* r4* | s0>0 s1>0 r5<0 s2>0 | s3>0 s4>0", {5, 1}, {4, 2}},
    {"F5.2", "s0>1 r0* s1>1 | r1* r2* s2>2 | r3<1 s3>0", {0, 1}, {0, 1}},
    {"F5.6", "s0>1 r0* s1>1 | r1* s2>2 | r2<1 s3>0", {1, 0}, {0, 1}},
    {"F5.8", "s0>1 r0* r1<1 | r2* s1>0 | s2>0", {1, 1}, {1, 1}},
    {"F5.9", "r0* s0>1 r1<1 | r2* s1>0 | s2>0", {1, 0}, {1, 0}},
    {"T-HH", "s>1 r<1 | s>0 r<0", {1, 0}, {0, 1}},
    {"T-HHI", "ir<1 s>1 w | ir<0 s>0 w", {1, 0}, {1, 0}},
    {"T-RING", "r<2 s>1 | r<0 s>2 | r<1 s>0", {0, 1}, {0, 1}},
    {"T-RINGS", "s>1 r<2 | s>2 r<0 | s>0 r<1", {1, 0}, {0, 1}},
    {"T-CHAIN", "s0>1 | r0* r1<2 r2<2 | s1>1 s2>1", {1, 1}, {1, 1}},
    {"T-WCIRC", "s>1 r* s>1 | r* r<0 s>0", {0, 1}, {0, 1}},
    {"T-FP", "s3>1 | r3* s0>2 r2* r1<2 | r0<1 s2>1 s1>1", {1, 0}, {1, 0}},
    {"T-EXTRA", "s1>1 | r0* r1* | s0>1 x1>1", {3, 0}, {0, 3}},
    {"T-NEW", "ir3<2 ir2* w(2) s0>2 s1>1 w(3) | s2>0 r1* | r0<0 s3>0", {1, 0}, {1, 0}},
    {"T-RANK", "s2>1 s0>1 | r0* ir1<2 ir2<0 w(2) w(1) | s1>1", {1, 1}, {1, 1}},
    {"T-ZORD", "r0<2 s1>1 | ir1<0 ir2<2 w(2) w(1) | s2>1 s0>0", {1, 0}, {1, 0}},
    {"T-FORCED", "r0* a>2 r1<1 | b>0 | r2<0 d>0", {0, 1}, {0, 1}},
    {"T-BARSEP", "r0* b r1* | a>0 b | b c>0", {1, 0}, {1, 0}},
    {"T-BARMIX", "b r0* r1* | a>0 b | b c>0", {2, 0}, {0, 1}},
    {"T-SELF", "r<0 s>0", {0, 1}, {0, 1}},
    {"T-PRIO", "ir2* ir1* w(1) s0>2 w(2) | s1>0 | r0* s2>0", {0, 1}, {0, 1}},
    {"T-NB1", "s0>1 s1>1 | ir2* ir0<0 ir1* w(2) w(1) w(0) | s2>1", {2, 0}, {2, 0}},
    {"T-NB2", "r3<2 s1>2 r2<1 | s2>0 s0>2 | ir0<1 ir1* w(1) s3>0 w(0)", {0, 1}, {0, 1}},
};

constexpr std::string_view fixture(std::string_view name) {
  for (const auto& one : kFixtures)
    if (one.name == name) return one.text;
  return {};
}

}  // namespace vouch::predict
