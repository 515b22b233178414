#include "cli/progress_line.h"

#include <cstdio>

#include <fmt/format.h>

namespace vouch {

void ProgressLine::show(const explore::Progress& p) {
  const auto now = std::chrono::steady_clock::now();
  if (!shown_ || now - last_ < std::chrono::milliseconds(100)) return;
  last_ = now;
  const double rate = p.seconds > 0 ? static_cast<double>(p.done) / p.seconds : 0;
  fmt::print(stderr,
             "\r\033[Kvouch: {} schedules done, {} open, about {:.0f} in all, {:.1f}/s, {} {}",
             p.done, p.open, p.estimate, rate, p.errors, p.errors == 1 ? "error" : "errors");
  std::fflush(stderr);
  written_ = true;
}

void ProgressLine::end() {
  if (written_) fmt::print(stderr, "\r\033[K");
}

}  // namespace vouch
