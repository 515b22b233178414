// The state of an exploration on disk: every run that counted, in order.
//
// One line of JSON per run, written when the run is over; the first line says what is explored and
// how. The search is a pure function of the runs (search.h), so reading them again brings an
// interrupted exploration back to where it was. A last line that was cut off is left out.

#pragma once

#include <cstdio>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "explore/campaign.h"

namespace vouch::explore {

// What must be the same for a journal to go on.
struct Subject {
  std::vector<std::string> command{};
  int ranks = 0;
  // What decides which schedules there are: {"--clocks", "lvcp"}. A flag that is given has no
  // value.
  std::map<std::string, std::string> options{};
  std::string order{};  // in which schedules are taken: whoever goes on keeps to it
};

class Journal {
 public:
  Journal() = default;
  Journal(Journal&& other) noexcept : file_(std::exchange(other.file_, nullptr)) {}
  Journal& operator=(Journal&& other) noexcept {
    std::swap(file_, other.file_);
    std::swap(broken_, other.broken_);
    return *this;
  }
  ~Journal();

  // A new one in place of what there is.
  static Result<Journal> create(const std::string& path, const Subject&);
  // The order of the exploration that there is; "": it cannot be read.
  static std::string order_of(const std::string& path);
  // What there is, and a journal that goes on behind it.
  struct Resumed;
  static Result<Resumed> resume(const std::string& path, const Subject&);

  void add(const Ran&);
  bool broken() const { return broken_; }  // something could not be written

 private:
  void line(const std::string& text);
  std::FILE* file_ = nullptr;
  bool broken_ = false;
};

struct Journal::Resumed {
  Journal journal;
  std::vector<Ran> runs{};
};

}  // namespace vouch::explore
