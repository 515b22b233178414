// Tests of rules in pairs: the text that must give a finding, and its twins that must give none.

#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "analysis/testing/run_text.h"

namespace vouch {

struct Case {
  const char* bad;
  const char* finding;  // lines of run_text
};

template <class A>
void expect_findings(const std::vector<Case>& cases) {
  for (const Case& c : cases) EXPECT_EQ(run<A>(c.bad), std::string(c.finding) + "\n") << c.bad;
}

template <class A>
void expect_silence(const std::vector<const char*>& texts) {
  for (const char* text : texts) EXPECT_EQ(run<A>(text), "") << text;
}

}  // namespace vouch
