// Files that several processes have open together: what each does with its handle, and what it
// means for the others.
//
// Events of the processes come in any order, so what concerns several of them is kept per open file
// and told when all have closed it. Over several agents one of them, the file's home, keeps it:
// what a process does with the file is news that can be sent there.

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "analysis/analysis.h"
#include "analysis/io/conflict.h"
#include "analysis/io/shared_pointer.h"

namespace vouch {

struct FileNews {
  enum class What : std::uint8_t {
    access,   // to these ranges of bytes
    unknown,  // to bytes that are not known
    shared,   // a step at the shared pointer
    settled,  // its latest settled sync is `number`
    view,     // it has set view `number`; print 0: nobody knows how
    pointer,  // it uses the shared pointer in view `number`
    closed,
    count_
  };
  What what = What::closed;
  std::uint64_t file = 0;  // identity of the open, the same on all agents
  const Members* members = nullptr;
  int rank = -1;  // among them
  FileAccess access{};
  std::vector<std::pair<std::int64_t, std::int64_t>> ranges{};
  SharedPointer::Step step{};  // without its access
  bool append = false;         // the file was opened at its end
  std::uint32_t number = 0;
  std::uint64_t print = 0;
  Place place{};
};

// News of files whose home is another agent.
class RemoteFiles {
 public:
  virtual ~RemoteFiles() = default;
  virtual void tell(int home, const FileNews&) = 0;
};

class OpenFiles {
 public:
  explicit OpenFiles(Sink& sink) : sink_(sink) {}
  void take(const FileNews&);
  void finish();

 private:
  // A view that some processes have set in common, or should have.
  struct View {
    std::map<std::uint64_t, Place> kinds;  // by fingerprint: where the lowest rank set it
    int ranks = 0;                         // that have set it
    Place shared;                          // lowest rank that used the shared pointer in it
    bool used = false;
  };
  // One MPI_File_open, seen from all its processes.
  struct OpenFile {
    explicit OpenFile(const Members* m)
        : members(m), conflicts(m->size), pointer(m->size, conflicts) {}
    const Members* members;
    FileConflicts conflicts;
    SharedPointer pointer;
    std::map<std::uint32_t, View> views;  // by number; those that all set alike are dropped
    int closed = 0;
  };
  void set_view(OpenFile&, const FileNews&);
  void conclude(OpenFile&);
  void tell(const OpenFile&, const FileConflicts::Conflict&);
  void tell(const View&);

  Sink& sink_;
  std::map<std::uint64_t, std::unique_ptr<OpenFile>> files_;  // by identity
};

}  // namespace vouch
