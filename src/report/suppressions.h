// Findings the user knows of and does not want to see (docs/suppressions.md).
//
// A line names a rule and perhaps a file and a function, all as globs. It works on finished
// findings, so it does not matter which analysis or which run they come from.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "report/finding.h"

namespace vouch {

class Suppressions {
 public:
  // `name` is what error messages and unused lines call the text.
  static Result<Suppressions> parse(std::string_view text, const std::string& name);
  static Result<Suppressions> load(const std::string& path);
  void add(Suppressions other);

  // Marks the lines that took it out as used.
  bool matches(const Finding&);
  // Takes out what matches, counts it, lists lines without use and judges anew.
  void apply(Summary&);

 private:
  struct Line {
    std::string rule, file, function;  // globs; "" anything
    std::string text;                  // "app.supp:12: leak/* libfoo.c"
    bool used = false;
  };
  static bool matches(const Line&, const Finding&);
  std::vector<Line> lines_;
};

}  // namespace vouch
