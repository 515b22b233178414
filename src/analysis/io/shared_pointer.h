// Where accesses at the shared file pointer of an open file are (MPI-4.1 14.4.4).
//
// The pointer begins at 0 and goes back there with each view; MPI_File_seek_shared sets it. These
// and the ordered accesses are collective, so all processes do them in one order; the ordered
// accesses follow each other by rank, which places each of them. Which process gets which bytes of
// those that are in no order nobody can say, but what they have together: all bytes from the
// pointer on to where it is before the next of the collective calls, MPI_File_sync among them. Each
// of them counts as an access to all of these.
//
// Positions are bytes of the stream that the view shows (view.h). Where the stream has gaps in the
// file, or what a process moves is not known (a read that met the end of the file), the place of
// all that follows is not known until the pointer is set again.

#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <utility>

#include "analysis/io/conflict.h"

namespace vouch {

class SharedPointer {
 public:
  struct Step {
    enum class What : std::uint8_t { free, ordered, set, move };
    What what = What::free;
    // Bytes that an access takes, the new position, or how far it moves; see `known`.
    std::int64_t amount = 0;
    bool known = true;
    std::int64_t origin = -1;  // byte of the file where the stream begins; -1: it has gaps
    bool compared = false;     // `access` can conflict with others
    FileAccess access{};
  };

  // What is placed goes to `conflicts`.
  SharedPointer(int members, FileConflicts& conflicts)
      : conflicts_(conflicts), members_(static_cast<std::size_t>(members)) {}

  // The next step of a rank.
  void add(int rank, const Step&);
  void finish();
  // Before the first step: where it begins is not known, the file is appended to.
  void begin_unknown() { known_ = known_ && begun_; }

 private:
  static constexpr std::size_t kAhead = 1 << 16;  // steps that one rank may be ahead

  void take_free(int rank, const Step&);
  void flush();
  void take_all();
  void place(const FileAccess&, int rank, std::int64_t origin, std::int64_t from, std::int64_t n);

  FileConflicts& conflicts_;
  const std::size_t members_;  // as many as the communicator says, which may be very many
  // By rank, of those that have called: from its next collective step on.
  std::map<int, std::deque<Step>> ahead_;
  std::size_t waiting_ = 0;  // ranks that have one
  std::int64_t at_ = 0;
  bool begun_ = false, known_ = true, off_ = false;
  // Those in no order since the last collective step, each once.
  std::map<std::pair<decltype(FileAccess{}.key()), int>, FileAccess> free_;
  std::int64_t free_bytes_ = 0, free_origin_ = -1;
  bool free_known_ = true;
};

}  // namespace vouch
