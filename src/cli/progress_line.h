// How far an exploration has come: one line that is written over and over, on a terminal.

#pragma once

#include <chrono>

#include "explore/campaign.h"

namespace vouch {

class ProgressLine {
 public:
  explicit ProgressLine(bool shown) : shown_(shown) {}
  void show(const explore::Progress&);
  void end();

 private:
  const bool shown_;
  bool written_ = false;
  std::chrono::steady_clock::time_point last_{};
};

}  // namespace vouch
