// Use of files (usage rules 5.10): what the access mode allows, views, split collectives, what is
// pending, and which bytes are touched by several processes.
//
// Calls are judged when they are made; what concerns several processes is kept per open file and
// told at the end, since the events of the processes come in any order.

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "analysis/analysis.h"
#include "analysis/io/conflict.h"
#include "analysis/io/view.h"
#include "model/file_call.h"

namespace vouch {

class Io : public Analysis {
 public:
  Io(World& world, Sink& sink) : Analysis(world, sink) {}
  Wants wants(Proc) const override;
  void on_enter(Process&, Call&) override;
  void on_leave(Process&, Call&, const Event& leave) override;
  void finish() override;

 private:
  // A view that some processes have set in common, or should have.
  struct View {
    std::map<std::uint64_t, Place> kinds;  // by fingerprint: where the lowest rank set it
    int ranks = 0;                         // that have set it
    Place shared;                          // lowest rank that used the shared pointer in it
    bool used = false;
  };
  // One MPI_File_open, seen from all its processes.
  struct Shared {
    explicit Shared(int members) : conflicts(members) {}
    FileConflicts conflicts;
    std::map<std::uint32_t, View> views;  // by number; those that all set alike are dropped
    std::uint64_t key = 0;
    const Members* members = nullptr;
    int closed = 0;
  };
  // A handle of one process.
  struct Handle {
    std::uint32_t generation = 0;
    Shared* shared = nullptr;  // nullptr: nobody else has it open
    int rank = -1;
    std::uint32_t synced = 0, settled = 0;
    std::uint64_t communications = 0;  // of the process, at the latest sync
  };

  bool check_access(Process&, Call&, const File&, const FileCall&);
  bool check_split(Process&, Call&, const File&, const FileCall&);
  bool check_pending(Process&, Call&, const File&);
  void check_view(Process&, Call&, const File&);
  void check_type(Process&, Call&, const File&, const FileCall&);
  void set_view(Process&, const Call&, const File&, Handle&);
  void access(Process&, const Call&, const File&, const FileCall&, Handle&);
  void sync(Process&, Handle&);
  Handle& handle(Process&, const File&);
  void not_checked(Site, const char* what, const char* why);
  void conclude(Shared&);
  void tell(const Shared&, const FileConflicts::Conflict&);
  void tell(const View&);

  std::vector<std::unordered_map<std::uint64_t, Handle>> handles_;  // by process, raw handle
  std::map<std::uint64_t, std::unique_ptr<Shared>> shared_;         // by identity of the open
  TileCache tiles_;
};

}  // namespace vouch
