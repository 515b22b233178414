// One rank: its objects, its threads' open calls, how far it got.

#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/harm.h"
#include "base/hash.h"
#include "event/event.h"
#include "model/memory.h"
#include "model/objects.h"
#include "model/table.h"

namespace vouch {

// What a handle means that several requests share (named_request.h).
struct Meant {
  std::uint32_t call = 0;  // that made the request; 0: the handle or its variable tells
  bool certain = true;
};

// A call between its enter and leave records (or the last one of a thread). Holds a copy of the
// enter record.
class Call {
 public:
  void open(const Event& enter, Site site, int thread) {
    header_ = enter.header();
    info_ = &enter.info();
    site_ = site;
    thread_ = thread;
    is_open = plain = true;
    harms = {};
    poisoned = broken = unordered = repeated = usual = false;
    changed = ~std::uint32_t{0};
    unseen = 0;
    if (!meant.empty()) [[unlikely]]
      meant.clear();
    large_ = header_.words > std::size(small_) || (header_.flags & wire::kFlagBlob) != 0;
    if (large_) [[unlikely]]
      return open_large(enter);
    for (std::uint32_t i = 0; i < header_.words; ++i) small_[i] = enter.words()[i];
  }
  Event enter() const { return large_ ? enter_large() : Event(&header_, small_); }
  Proc proc() const { return static_cast<Proc>(header_.proc); }
  const ProcInfo& info() const { return *info_; }
  std::uint32_t seq() const { return header_.seq; }
  Site site() const { return site_; }
  int thread() const { return thread_; }
  bool fortran() const { return (header_.flags & wire::kFlagFortran) != 0; }
  bool held() const { return (header_.flags & wire::kFlagHeld) != 0; }
  // It has returned with this error class, by a process that does what most do; nothing is wrong
  // about it.
  bool fine(int error_class) const {
    return usual && error_class == 0 && harms.empty() && unseen == 0;
  }
  bool in_callback() const { return (header_.flags & wire::kFlagCallback) != 0; }

  bool is_open = false;  // no leave seen; the ring's `left` may say that it returned all the same
  // It has a finding: what can follow from it (report/harm.h). `error`: the finding is one.
  void spoil(Harms, bool error);
  Harms harms;
  bool poisoned = false;  // Harm::meaning: later stages skip it, nobody is compared with it
  bool broken = false;  // Harm::failure of an error: what the library does in it follows from that
  // A call of another thread that asks for the same messages was open at the same time: which of
  // them was first only the library knows.
  bool unordered = false;
  // Words that differ from those of the last call at its place, which was plain, as bits. All of
  // them unless no object but requests has changed since (Process::changes): what only looks at
  // the others is fine.
  std::uint32_t changed = ~std::uint32_t{0};
  bool repeated = false;  // there are none
  bool usual = false;     // its process did what most do when it was entered (Process::usual)
  bool plain = true;      // nobody found anything about it worth a word, and at the first glance
  // Parameters, as bits, with a handle that no call was seen to make. What the call does with it
  // settles whether it is one (analysis/argument/unseen.h).
  std::uint64_t unseen = 0;
  mutable std::vector<Meant> meant;  // its requests, once somebody had to find out

 private:
  void open_large(const Event& enter);
  Event enter_large() const;
  wire::RecordHeader header_{};
  const ProcInfo* info_ = &vouch::info(Proc::none);
  Site site_;
  int thread_ = 0;
  bool large_ = false;  // its words are in `words_`, and its tails may have come apart from it
  std::uint64_t small_[24];
  std::vector<std::uint64_t> words_;
  std::vector<std::byte> tails_;
};

enum class Phase : std::uint8_t { before_init, running, finalizing, finalized };
// killed: vanished without a word.
enum class End : std::uint8_t { alive, exited, signalled, killed, detached };

struct Thread {
  int number = 0;
  bool main = false;        // called MPI_Init(_thread)
  std::vector<Call> calls;  // open calls; more than one inside user callbacks. The last one stays
                            // after it returned.
  int depth = 0;            // open ones
  // Number of its open call, while that has not been passed on to the library yet: what another
  // thread enters meanwhile is ordered neither before nor after it. 0: none.
  std::uint32_t held = 0;

  Call* find(std::uint32_t seq);  // the call with this number, if it is open or was the last one
};

// How the launcher calls a process, its world and the process that spawned that; as hashes, 0: it
// does not say.
struct LaunchNames {
  std::uint64_t world = 0, process = 0, parent = 0;
  int rank = -1, size = 0;  // in its world
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
  bool spawned = false;  // has a parent: its MPI_COMM_WORLD is one of its own
  LaunchNames launch;
  int first = 0;  // number of its world's first process; 0 also where that world is not known
  // Spawned, and who else belongs to its world is not known: its ranks say nothing.
  bool stranger() const { return spawned && first == 0; }
  std::int64_t tag_ub = 32767;
  Constant thread_level = Constant::none;  // provided
  Constant requested_level = Constant::none;
  Phase phase = Phase::before_init;
  Site init_site, finalize_site;
  Proc init_call = Proc::none;
  int live_sessions = 0;
  End end = End::alive;
  int exit_status = 0, signal = 0;
  Site signal_site;
  int end_thread = -1;   // that called exit or raised the signal (meta records), -1: unknown
  bool aborted = false;  // called MPI_Abort
  std::uint64_t communications = 0;  // grows with each call that may order it after another process
  bool lossy = false;  // calls of it were not recorded: nothing that counts them can be trusted
  bool killed_from_outside = false;  // ended by the launcher because another rank failed

  std::vector<Thread> threads;
  int held_calls = 0;       // threads with a call held back
  bool threaded = false;    // the program has other threads, whether they call MPI or not
  std::vector<Site> sites;  // local site number -> global
  Site site(std::uint32_t local) const { return local < sites.size() ? sites[local] : Site{}; }
  // It does what most do: MPI is initialized and not finalized, and one thread makes all calls.
  bool usual() const {
    return phase == Phase::running && threads.size() == 1 && held_calls == 0 &&
           live_sessions == 0 && thread_level != Constant::thread_multiple;
  }

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
  Memory memory;  // blocks whose bounds are known
  // Grows when objects may have become others, save requests and messages: what was found out about
  // a handle holds until then.
  std::uint32_t changes = 0;

  // Raw value of a predefined handle, or number of a named value (error classes, keyvals, bits), in
  // this process's library, and back. Constant::none / 0 if not announced. Canonical values are
  // known too.
  Constant constant_of(Kind kind, std::uint64_t raw) const;
  // The operations of a call that returned this class have happened, error or not: a message that
  // was too long is consumed all the same.
  bool took(int error_class) const { return error_class == 0 || truncated(error_class); }
  bool truncated(int error_class) const {
    return error_class != 0 &&
           constant_of(Kind::error_class, static_cast<std::uint64_t>(error_class)) ==
               Constant::err_truncate;
  }
  // The library ended it, since a message was longer than the receive that took it: the exit status
  // is the error class, of MPICH its low seven bits.
  bool ended_by_truncation() const {
    return end == End::exited && !killed_from_outside && truncated(exit_status & 0x7f);
  }
  std::uint64_t raw_of(Constant c) const { return values_[static_cast<std::size_t>(c)]; }
  bool has(Constant c) const { return announced_[static_cast<std::size_t>(c)]; }
  bool is_null(Kind kind, std::uint64_t raw) const {  // MPI_COMM_NULL and the like
    const Null& null = nulls_[static_cast<std::size_t>(kind)];
    return null.known && null.raw == raw;
  }
  std::uint64_t null_of(Kind kind) const { return nulls_[static_cast<std::size_t>(kind)].raw; }
  void announce(Constant, std::uint64_t value);

  // Communicators, by id, on which every receive is promised to be as long as its message.
  struct Promise {
    std::uint32_t seq;  // of the call: what was posted before is not bound by it
    Site site;
  };
  std::unordered_map<std::uint64_t, Promise> exact_lengths;

  // What the library says of a communicator (Meta::communicator) may come before the call that made
  // it has left.
  struct CommFacts {
    int size, rank, remote_size;
    Topology topology;
    int indegree, outdegree;
    const Members* members;
    const Members* others;  // remote group; nullptr: not told
  };
  void tell_facts(std::uint64_t raw, const CommFacts&, int thread);
  void take_facts(Communicator&);
  // A library may write the handle of MPI_Comm_idup only once it is done: such a communicator is
  // born with its facts.
  void expect(Communicator);
  // Communicators made without a parent that all members have: from groups of sessions, by ports.
  Occurrences from_groups;

 private:
  struct Null {
    std::uint64_t raw = 0;
    bool known = false;
  };
  struct Named {
    std::uint64_t raw = 0;
    Kind kind = Kind::none;
    Constant constant = Constant::none;  // none: empty
  };
  static constexpr std::size_t kNamed = 1024;  // a power of two, well above the number of constants
  static std::size_t home(Kind kind, std::uint64_t raw) {
    return static_cast<std::size_t>(((raw + static_cast<std::uint64_t>(kind)) * kGolden) >> 54);
  }
  std::array<std::uint64_t, static_cast<std::size_t>(Constant::count_)> values_{};
  std::array<bool, static_cast<std::size_t>(Constant::count_)> announced_{};
  std::array<Null, static_cast<std::size_t>(Kind::count_)> nulls_{};
  std::array<Named, kNamed> named_{};
  std::unordered_map<std::uint64_t, CommFacts> facts_;  // of communicators not born yet
  std::vector<Communicator> expected_;
};

// The two calls of a Meta::inside record: that of the thread that told it and the one it met.
// nullptr if one of them is over and forgotten.
std::pair<Call*, Call*> meet(Process&, int thread, const Event& inside);

}  // namespace vouch
