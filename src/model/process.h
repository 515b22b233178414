// One rank: its objects, its threads' open calls, how far it got.

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "event/event.h"
#include "model/objects.h"
#include "model/table.h"

namespace vouch {

// A call between its enter and leave records (or the last one of a thread). Holds a copy of the enter record.
class Call {
 public:
  void open(const Event& enter, Site site, int thread);
  Event enter() const { return Event(&header_, words(), tails_.empty() ? nullptr : tails_.data()); }
  Proc proc() const { return static_cast<Proc>(header_.proc); }
  const ProcInfo& info() const { return vouch::info(proc()); }
  std::uint32_t seq() const { return header_.seq; }
  Site site() const { return site_; }
  int thread() const { return thread_; }
  bool fortran() const { return (header_.flags & wire::kFlagFortran) != 0; }

  bool is_open = false;    // no leave seen; the ring's `left` may say that it returned all the same
  bool poisoned = false;   // an earlier stage had a finding: later stages skip it (usage rules 1.2)

 private:
  const std::uint64_t* words() const { return large_.empty() ? small_ : large_.data(); }
  wire::RecordHeader header_{};
  Site site_;
  int thread_ = 0;
  std::uint64_t small_[24];
  std::vector<std::uint64_t> large_;
  std::vector<std::byte> tails_;
};

enum class Phase : std::uint8_t { before_init, running, finalizing, finalized };
enum class End : std::uint8_t { alive, exited, signalled, killed, detached };  // killed: vanished without a word

struct Thread {
  int number = 0;
  bool main = false;           // called MPI_Init(_thread)
  std::vector<Call> calls;     // open calls; more than one inside user callbacks. The last one stays after it returned.
  int depth = 0;               // open ones
};

class Process {
 public:
  Process(std::size_t index, int pid, WorldRank hint);

  std::size_t index;
  int pid;
  WorldRank rank;
  wire::Library library = wire::Library::unknown;
  std::string library_version;
  int world_size = 0;
  std::int64_t tag_ub = 32767;
  Constant thread_level = Constant::none;      // provided
  Constant requested_level = Constant::none;
  Phase phase = Phase::before_init;
  Site init_site, finalize_site;
  Proc init_call = Proc::none;
  int live_sessions = 0;
  End end = End::alive;
  int exit_status = 0, signal = 0;
  Site signal_site;
  int end_thread = -1;                         // that called exit or raised the signal (meta records), -1: unknown
  bool aborted = false;                        // called MPI_Abort
  bool killed_from_outside = false;            // ended by the launcher because another rank failed

  std::vector<Thread> threads;
  std::vector<Site> sites;                     // local site number -> global
  Site site(std::uint32_t local) const { return local < sites.size() ? sites[local] : Site{}; }

  Table<Communicator> comms;
  Table<Group> groups;
  Table<Datatype> datatypes;
  Table<Op> ops;
  Table<Request> requests;
  Table<Window> windows;
  Table<File> files;
  Table<Keyval> keyvals;
  Table<Errhandler> errhandlers;
  Table<Info> infos;
  Table<Session> sessions;
  Table<Message> messages;

  // Raw value of a predefined handle in this process, and back. Constant::none / 0 if not announced.
  Constant constant_of(Kind kind, std::uint64_t raw) const;
  std::uint64_t raw_of(Constant) const;
  bool is_null(Kind kind, std::uint64_t raw) const;  // MPI_COMM_NULL and the like
};

}  // namespace vouch
