// The agent without its surroundings: bytes of rings in, findings out.
//
// Knows no sockets, no time and no processes of the system, so that tests and benchmarks drive it
// by hand. The agent (agent.h) finds the rings, says when a process is gone, and passes on what the
// ring headers say.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "agent/dispatch.h"
#include "agent/intake.h"
#include "agent/record_copy.h"
#include "agent/sites.h"
#include "model/world.h"
#include "report/sink.h"
#include "trace/writer.h"

namespace vouch {

class Pipeline {
 public:
  Pipeline(World&, SiteTable&, Sink&, Analyses);

  // From now on all that comes goes to this trace as well.
  void trace_to(trace::Writer* writer) { trace_ = writer; }

  // A process, by its number in World. Its threads (one ring each) come one by one; the result is
  // the thread's lane.
  std::size_t add_process(int pid, WorldRank hint);
  std::size_t add_thread(std::size_t process, int thread);

  // Whatever is fed must be nobody else's: rings are copied first, to here.
  RecordCopy& copy() { return copy_; }
  // As Intake::feed.
  std::size_t feed(std::size_t process, std::size_t lane, std::span<const std::byte> bytes,
                   std::size_t limit = std::numeric_limits<std::size_t>::max());
  // The same, but a call that ends a round (rounds.h) is the last one taken; then `gate` is its
  // number.
  std::size_t feed_round(std::size_t process, std::size_t lane, std::span<const std::byte> bytes,
                         std::size_t limit, std::uint32_t& gate, bool& at_gate);
  // Called when a process that nobody spawned has told its rank and the size of its world. True:
  // the processes are not one program; nothing is judged from there on.
  void on_world(std::function<bool(const Process&)> hook) { on_world_ = std::move(hook); }
  bool judges() const { return judges_; }
  bool at_rest() const { return dispatch_.at_rest(); }
  void repeated(const Process& process, Site site, Proc proc, std::uint64_t times) {
    dispatch_.repeated(process, site, proc, times);
  }
  void pass(std::size_t process, std::uint64_t records, std::uint64_t bytes) {
    feeds_[process]->intake.pass(records, bytes);
  }
  bool traces() const { return trace_ != nullptr; }
  // A ring's memory is malformed.
  void damaged(std::size_t process);
  // It has stopped recording, because we did nothing for too long.
  void gave_up(std::size_t process);
  // The record numbered `seq` is the next one that a stuck process has: what should come before is
  // lost.
  void skip_to(std::size_t process, std::uint32_t seq);
  // A poll that the process is (or died) inside: the bytes of an enter record that was never
  // published. One that is torn says nothing about those that were.
  void tentative(std::size_t process, std::size_t lane, std::span<const std::byte> record);
  // RingHeader::polls of a thread that records nothing more. It announces its polls when it next
  // records one, or when it exits; one that is killed before that leaves only this count.
  void polls(std::size_t process, std::size_t lane, std::uint64_t count);
  // RingHeader::left: the number of the thread's last call that returned.
  void returned(std::size_t process, std::size_t lane, std::uint32_t left);

  // Nothing is left to read, or a while has passed. True: some ranks are stuck for good.
  // `Pause` must live as long.
  Task<bool> pause(const Pause&);
  const std::vector<int>& stuck() const { return dispatch_.stuck(); }
  // Its records had better wait; they must not wait any longer.
  bool ahead(std::size_t process) { return judges_ && dispatch_.ahead(world_.process(process)); }
  Task<> let_go(std::size_t process) { return dispatch_.let_go(world_.process(process)); }

  // The kernel says how the process ended. What it told itself counts more: it is the same.
  void learn(std::size_t process, int wait_status);
  // How it ended, as far as is known. exited, signalled: it said so. killed: it said nothing;
  // `signal` tells by which signal, 0 if that is not known. detached: it exited after calls that
  // were not recorded.
  End told(std::size_t process) const;
  int signal(std::size_t process) const { return feeds_[process]->signal; }
  int exit_status(std::size_t process) const { return feeds_[process]->status; }
  // It was ended inside MPI_Finalize, as far as is known, or after it; takes it as returned. False:
  // it was somewhere else.
  bool leave_finalize(std::size_t process);
  // All its records were read.
  void end(std::size_t process, End, bool from_outside);
  // All processes are gone. Gaps that only show at the end are named now.
  void finish();

  World& world() { return world_; }
  const World& world() const { return world_; }
  Facts& facts() { return dispatch_.facts(); }
  const Analyses& analyses() const { return dispatch_.analyses(); }
  Process& process(std::size_t i) { return world_.process(i); }
  const Intake& intake(std::size_t process) const { return feeds_[process]->intake; }
  // Events, calls, records' bytes, and the calls of each procedure seen.
  std::vector<std::pair<std::string, std::uint64_t>> statistics(std::uint64_t polls,
                                                                std::uint64_t full_waits) const;
  std::uint64_t events() const;
  // Of all processes.
  ProgramParts parts() const {
    ProgramParts parts;
    for (const auto& feed : feeds_) feed->sites.add_parts(parts);
    return parts;
  }

 private:
  struct Feed {
    Intake intake;
    SiteReader sites;
    bool told_exit = false, told_signal = false;
    bool exited = false;  // the kernel says so
    int status = 0, signal = 0;
    bool known_library = true;
    std::uint64_t lost[5] = {};        // by wire::LossReason
    std::vector<std::uint64_t> polls;  // by thread: how many Meta::polls has announced
    std::uint64_t gaps = 0;
  };

  template <typename Take>
  std::size_t feed_with(std::size_t process, std::size_t lane, std::span<const std::byte>,
                        std::size_t limit, Take&&);
  static bool ends_round(const Process&, const Event&);
  bool take(Process&, Feed&, int thread, const Event&);  // false: it is malformed
  bool take_leave(Process&, int thread, const Event&);
  void take_meta(Process&, Feed&, int thread, const Event&);
  void name_losses(const Process&, const Feed&);
  void name_switched_off();

  World& world_;
  SiteTable& sites_;
  Sink& sink_;
  Dispatch dispatch_;
  trace::Writer* trace_ = nullptr;
  std::function<bool(const Process&)> on_world_;
  bool judges_ = true;
  std::vector<std::unique_ptr<Feed>> feeds_;
  RecordCopy copy_;
};

}  // namespace vouch
