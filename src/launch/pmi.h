// The process manager's side of PMI-1, the protocol by which ranks of MPICH find each other.
//
// Lines of `cmd=NAME key=value ...` over a socket per rank. Ranks put keys into one space, meet in
// barriers, and get what others have put. Pure: lines in, lines out.

#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vouch::launch {

class PmiServer {
 public:
  explicit PmiServer(int ranks);

  using Answers = std::vector<std::pair<int, std::string>>;  // to which rank; lines with their end
  // One line of a rank, without its end.
  Answers take(int rank, std::string_view line);

  bool in_order(int rank) const { return !begun_[at(rank)] || finalized_[at(rank)]; }
  bool aborted() const { return aborted_; }
  int abort_code() const { return abort_code_; }

 private:
  static std::size_t at(int rank) { return static_cast<std::size_t>(rank); }
  const int ranks_;
  std::map<std::string, std::string, std::less<>> keys_;
  std::vector<bool> begun_, finalized_, waiting_;
  int arrived_ = 0;
  bool aborted_ = false;
  int abort_code_ = 0;
};

}  // namespace vouch::launch
