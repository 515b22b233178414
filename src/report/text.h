// Findings for people: the terminal form.

#pragma once

#include <string>

#include "report/finding.h"

namespace vouch {

struct TextOptions {
  bool colour = false;
  bool info = false;      // list what is only information, and unused suppressions
  std::size_t cap = 20;   // findings of one rule; the rest is one line
  std::size_t gaps = 10;  // lines about what was not checked
};

std::string write_text(const Summary&, const TextOptions& = {});
// One finding alone, as in write_text, its `again` line included.
std::string write_text(const Finding&, const TextOptions& = {});

}  // namespace vouch
