// Findings for people: the terminal form.

#pragma once

#include <set>
#include <string>

#include "report/finding.h"

namespace vouch {

struct TextOptions {
  bool colour = false;
  bool info = false;      // list what is only information, and unused suppressions
  std::size_t cap = 20;   // findings of one rule; the rest is one line
  std::size_t gaps = 10;  // lines about what was not checked
  // Findings that were shown during the run, as told() gives them; they are only counted.
  std::set<std::string> told{};
};

std::string write_text(const Summary&, const TextOptions& = {});
// One finding alone, as in write_text, its `again` line included.
std::string write_text(const Finding&, const TextOptions& = {});
// By what a finding is known again: its text, without colours or how to see it again.
std::string told(const Finding&);

}  // namespace vouch
