// Findings for people: the terminal form.

#pragma once

#include <map>
#include <string>

#include "report/finding.h"

namespace vouch {

struct TextOptions {
  bool colour = false;
  bool info = false;      // list what is only information, and unused suppressions
  std::size_t cap = 20;   // findings of one rule; the rest is one line
  std::size_t gaps = 10;  // lines about what was not checked
  // Findings as they were shown during the run, by identity: only what is new about them is shown.
  std::map<std::string, Finding> shown{};
};

std::string write_text(const Summary&, const TextOptions& = {});
// One finding alone, as in write_text, its `again` line included.
std::string write_text(const Finding&, const TextOptions& = {});
// In one line, what is known of a finding since it was shown as `before`: "error shown above:
// deadlock [deadlock/wait-cycle] at ring.c:31: and so rank 2 waits forever". "": nothing new.
std::string follow_up(const Finding& now, const Finding& before, const TextOptions& = {});

}  // namespace vouch
