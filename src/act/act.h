// What a call does to messages and requests, understood once.
//
// An act is a step in the life of an operation (a send, a receive, a probe): the call asks for it,
// it is posted, it is complete, it was withdrawn. The reader makes acts of a call's records, the
// API table and the model; whoever follows operations (matching, waiting, trace programs,
// schedules) consumes acts and keeps what it needs by OperationKey. No consumer decodes a call by
// itself.
//
// When an operation counts as posted is decided here. A blocking call posts when it is entered,
// since it may never return; one that makes a request when it has returned. A poisoned call posts
// when it has returned with success: the library took it. Where that is later than the call,
// `called` comes first, for those who number what a program asks for.
//
// Calls within callbacks and of several threads have acts like any other; who cannot follow them
// leaves them out (Thread::depth, Call::unordered).

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "event/plan_table.h"
#include "model/world.h"

namespace vouch {

// One side of a message, as its call says. Where the call has no such side, only `there` and
// `sound` mean anything.
struct Transfer {
  bool there = false;              // the call has this side, and its peer is not MPI_PROC_NULL
  bool sound = false;              // and peer and tag are such as a library could have taken
  std::int64_t peer = 0, tag = 0;  // wildcards in canonical form
  std::int64_t count = 0;
  std::uint64_t type = 0;              // raw handle; 0 with count 0: a probe
  const Datatype* datatype = nullptr;  // nullptr: not known

  void name(std::int64_t of_peer, std::int64_t of_tag) {
    peer = of_peer;
    tag = of_tag;
    there = peer != wire::kProcNull;
    const auto known = [](std::int64_t v, std::int64_t any) {
      return v == any || (v >= 0 && v <= INT32_MAX);
    };
    sound = there && known(peer, wire::kAnySource) && known(tag, wire::kAnyTag);
  }
};

// A request that the call names.
struct NamedPart {
  const Request* request = nullptr;
  OperationKey op = 0;
  std::uint32_t place = 0;  // in the call's array
  bool certain = true;      // it means this request and none that shares its handle
  bool done = false;        // completed: by this call; then:
  int error = 0;            // of the operation
  wire::Status status{-1, -1, 0, wire::kStatusUndefined, 0};
};

// All of an act but the sides of its message.
struct ActFields {
  enum class What : std::uint8_t {
    called,     // it is asked for, and posted when the call has returned
    posted,     // a send, a receive or both; a probe
    returned,   // a blocking call, or a probe that saw something: its operation is done
    withdrawn,  // it failed, or it never came about
    prepared,   // a persistent request: what each start begins
    started,    // one that begins, from its pattern
    received,   // a message that was matched by a probe
    ready,      // partitions of a started send
    awaited,    // the call waits for requests: `parts` are those that are active
    completed,  // the call has completed requests: those of `parts`, all active ones, that are done
    asked,      // the call has asked for a message, or for the active requests `parts`, in vain
    cancelled,  // MPI_Cancel was called (left: it has returned, whether it came in time or not)
    freed,      // a request (left: it is gone)
  };
  What what = What::called;
  bool left = false;         // seen when the call returned
  bool blocking = false;     // the call returns when the operation is done
  bool told = false;         // left: there are results
  bool status_seen = false;  // the program gets a status
  bool polls = false;        // the call may return without, or with others than, what it asked for
  SendMode mode = SendMode::standard;
  int error = 0;  // left: class
  OperationKey op = 0, pattern = 0;
  std::uint64_t comm = 0;       // raw handle
  std::int64_t partitions = 0;  // prepared: of a partitioned one; ready: how many became so
  wire::Status status{-1, -1, 0, wire::kStatusUndefined, 0};
  std::span<const NamedPart> parts{};
};

struct Act : ActFields {
  Transfer send, recv;
};

class ActReader {
 public:
  ActReader() = default;
  ActReader(const ActReader&) = delete;
  ActReader& operator=(const ActReader&) = delete;
  // Whether calls of this role have acts.
  static constexpr bool sees(CallRole role) {
    switch (role) {
      case CallRole::post:
      case CallRole::probe:
      case CallRole::mprobe:
      case CallRole::mrecv:
      case CallRole::complete:
      case CallRole::start:
      case CallRole::ready:
      case CallRole::cancel:
      case CallRole::free:
        return true;
      default:
        return false;
    }
  }
  // Before the model takes the record over. What is returned lives until the next call.
  std::span<const Act> enter(const Process&, const Call&);
  std::span<const Act> leave(const Process&, const Call&, const Event& leave);

  // What the call asks for; of those that post, probe or prepare.
  static Act message(const Process&, const Call&);
  // The active requests that a call names.
  static std::vector<NamedPart> active(const Process&, const Call&);
  // A call that only asks whether something is done, and one that has got no for an answer.
  static bool asks(const ProcInfo& about) {
    return !about.has(kBlocking) && (about.at.flag >= 0 || about.has(kPoll));
  }
  static bool asked_in_vain(const Call&, const Event& leave);
  // The operation that Meta::decided is about.
  static OperationKey decided(const Call& call, std::uint64_t place) {
    const bool starts = call.info().role == CallRole::start;
    return operation_key(call.seq(), starts ? static_cast<std::uint32_t>(place) + 1 : 0);
  }

 private:
  // Where the words of a procedure stand in its records, -1: nowhere.
  struct SideWords {
    std::int8_t peer = -1, tag = -1, count = -1, type = -1;
  };
  struct Words {
    CallRole role = CallRole::none;
    bool blocking = false, persistent = false, polls = false;
    SendMode mode = SendMode::standard;
    std::int8_t comm = -1, partitions = -1;
    std::int8_t status_address = -1, status = -1;  // the latter of the leave record
    SideWords send, recv;
  };
  static Words words_of(Proc);
  const Datatype* datatype(const Process&, std::uint64_t raw);
  void read(Transfer&, const Process&, const Event& enter, const SideWords&);
  static void describe_call(Act&, const Event& enter, const Words&);
  void describe(Act&, const Process&, const Event& enter, const Words&);

  std::span<const Act> acts() const { return {first_, count_}; }
  void make_room();
  Act& add(Act::What, const Call&);
  Act& add_left(Act::What, const Call&, const Event& leave);
  void name(const Process&, const Call&);  // fills parts_ with all requests of the call
  void name_active(const Process&, const Call&);
  void begin(const Process&, const Call&, bool late);
  void mark_ready(const Process&, const Call&);
  void leave_post(const Process&, const Call&, const Event&, const Words&);
  void leave_probe(const Process&, const Call&, const Event&, const Words&);
  void leave_completion(const Process&, const Call&, const Event&);
  NamedPart* part_at(std::uint64_t place);

  const std::vector<Words>& words_ = plan_table<words_of>();
  std::vector<Act> acts_;  // the first `count_` are of the call at hand
  Act* first_ = nullptr;
  std::size_t count_ = 0, room_ = 0;
  std::vector<NamedPart> parts_;
  // The datatype that was looked up last; most calls name the one before.
  struct {
    const Process* process = nullptr;
    std::uint32_t changes = 0;  // Process::changes at that time
    std::uint64_t raw = 0;
    const Datatype* found = nullptr;
  } latest_;
};

// A consumer: the reader runs once per record, for all of them (match/facts.h).
class ActListener {
 public:
  struct WantsActs {
    bool enter = false, leave = false;
  };
  virtual ~ActListener() = default;
  virtual WantsActs wants_acts(Proc) const = 0;
  // The model is still as before the record. There may be no acts.
  virtual void on_enter_acts(Process&, Call&, std::span<const Act>) = 0;
  virtual void on_leave_acts(Process&, Call&, const Event& leave, std::span<const Act>) = 0;
};

}  // namespace vouch
