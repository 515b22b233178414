// Runs of an exploration whose messages carry clocks: the file that their ranks write into, and
// what it says (explore/in_band.h).

#pragma once

#include <cstddef>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "explore/campaign.h"
#include "explore/in_band.h"
#include "report/finding.h"

namespace vouch {

class InBand {
 public:
  InBand(int ranks, explore::Protocol protocol) : ranks_(ranks), protocol_(protocol) {}

  // One line for each event of each run goes there. False: it cannot be written.
  bool write_to(const std::string& path);
  // A file in memory for one run, -1: none; and what its ranks are told (kBandVariable).
  int make() const;
  std::string told(int file) const;
  // The run has ended.
  std::vector<explore::Carried> read(int file) const;  // none: they cannot be read
  void look(const std::vector<explore::Carried>&, const explore::Ran&);

  // What there is to say in the end.
  void tell(Summary&) const;
  // One sentence: the two do not agree.
  const std::string& wrong() const { return wrong_; }

 private:
  const int ranks_;
  const explore::Protocol protocol_;
  std::ofstream lines_{};
  std::string wrong_{};
  std::size_t compared_ = 0, events_ = 0, alternatives_ = 0, missed_ = 0, impossible_ = 0,
              different_ = 0;
  std::map<std::string, std::uint64_t> not_compared_{};  // reason: runs
};

}  // namespace vouch
