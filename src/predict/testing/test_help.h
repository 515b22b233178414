// What the tests of prediction share.

#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string_view>

#include "predict/program/ctp.h"

namespace vouch::predict {

inline Program read(std::string_view text) {
  auto program = parse(text);
  EXPECT_TRUE(program.ok()) << (program.ok() ? "" : program.error()) << "\n" << text;
  return program.ok() ? std::move(program).value() : Program{};
}

// Many more random programs (label slow).
inline bool slow_tests() { return std::getenv("VOUCH_SLOW_TESTS") != nullptr; }

}  // namespace vouch::predict
