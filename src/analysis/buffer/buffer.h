// Use of memory by the calls of one process: what one call may not do with memory that another,
// pending one holds, and what the buffers of one call may not do with each other
// [U59, U60].
//
// A conflict is a shared byte that one of the two writes. Bytes come from the layouts of the
// datatypes, so interleaved columns are no conflict. Everything here errs on the side of silence.
//
// Where the bounds of memory are known (model/memory.h) the bytes of a call must lie in the block
// that its buffer points into, and that block must live as long as anybody uses it.
//
// Misses: a pending send whose request shares its handle with a completed one (PendingSet); output
// arrays that overlap; arrays of Fortran calls, which may be copies of the library's.

#pragma once

#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "analysis/analysis.h"
#include "analysis/buffer/pending.h"
#include "analysis/damage.h"
#include "analysis/meta_listener.h"
#include "analysis/repeats.h"
#include "base/flat_map.h"
#include "event/plan_table.h"
#include "match/clocks.h"
#include "match/operation.h"
#include "memory/access.h"
#include "model/per_process.h"

namespace vouch {

class BufferUse : public Analysis,
                  public MatchObserver,
                  public MetaListener,
                  public Repeats,
                  public DamageUser {
 public:
  BufferUse(World& world, Sink& sink);
  Wants wants(Proc) const override;
  void on_enter(Process&, Call&) override;
  void on_leave(Process&, Call&, const Event& leave) override;
  void on_memory(Process&, int thread, const Event& meta) override;
  void on_clocks(Clocks& clocks) override { clocks_ = &clocks; }
  void on_match(const Match&) override;
  bool at_rest() override;
  void on_end(Process&) override;
  void finish() override;

 private:
  void hear_if_needed() { hear(beyond_.empty() && early_.empty() ? Hears::none : Hears::all); }
  enum class Does : std::uint8_t {
    nothing,
    access,  // and is done with it when it returns
    pend,    // until its request is complete
    init,    // says what MPI_Start will do
    start,
    complete,  // one request or an array, all of them or some
    free,
    pready,
    parrived,
    attach,
    detach,
    attach_other,  // to a communicator or session
    begin,         // a split collective
    end,
    close,
    outs,     // nothing, but it has several output arguments
    listens,  // nothing, but what it learns may prove that messages were delivered
    alloc_mem,
    free_mem,
    win_create,
    win_attach,
    win_free,
    move,         // data, one-sided: until the window says that they are there
    moves_there,  // a window says so
  };
  struct Plan {
    Does does = Does::nothing;
    bool quick = false;  // surely_fine() may be asked
    bool buffered = false;
    bool packs = false;
    bool learns = false;     // when it has returned, messages of others may have come
    bool arrays = false;     // counts, displacements or types are arrays
    bool receives = false;   // one buffer, which a message may fill in part
    bool recalls = false;    // one side: its region may be that of the last call at its place
    bool one_range = false;  // which is so many elements of a type, one behind the other
    std::int8_t request = -1, flag = -1, file = -1;
    AccessPlan access;
    std::vector<std::int8_t> outs;  // parameters that are pointers to one result each
  };
  struct State {
    PendingSet pending;
    // What must not be freed although no call minds it: windows, what persistent requests name,
    // sends whose request was freed, and what one-sided operations read or write here.
    PendingSet held;
    std::map<std::pair<std::uint64_t, std::int64_t>, int> moves;  // held, by window and target
    std::int64_t buffered = 0;  // bytes of buffered sends that nobody is known to have received
    bool told_buffered = false;
    bool attached = false, automatic = false, other_buffers = false;
    std::int64_t attached_bytes = 0;
    Site attached_at;
    // Elements of a type without holes, of a call on this communicator.
    struct Elements {
      std::uint64_t comm = 0, type = 0;  // raw handles
      std::uint32_t changes = 0;         // Process::changes at that time
      std::int64_t lo = 0, bytes = 0;    // of one; no bytes: not known
    };
    // The region of the last call at a place, by the process's number of the site.
    struct Recalled {
      Region region;
      Proc proc = Proc::none;  // none: not known
      Elements elements{};
    };
    std::vector<Recalled> recalled;
    // What the last call at a place said whose own buffers overlap: a digest, and Process::changes.
    // One that says the same need not be looked at again.
    std::unordered_map<std::uint32_t, std::pair<std::uint64_t, std::uint32_t>> overlapping;
  };

  static Plan plan(Proc);

  bool surely_fine(const Process&, const Event&, const Plan&, const State&) const;
  void touch(Process&, Call&, const Plan&, State&);
  void collect_regions(Process&, Call&, const Plan&, State&);
  static bool range_of(const Process&, const Event&, const Plan&, const State::Elements&, Region&);
  State::Elements elements_of(const Process&, const Event&, const Plan&) const;
  void start(Process&, Call&, const Plan&, State&);
  void pready(Process&, Call&, const Plan&, State&);
  void attach(Process&, Call&, State&);
  void completed(Process&, Call&, const Event& leave, const Plan&, State&);
  void make_pending(Process&, Call&, const Plan&, State&, std::uint64_t key);

  bool check_pending(Process&, Call&, State&, const Region&, Proc of);
  void check_twice(Process&, Call&);
  void check_blocks(Process&, Call&, std::size_t first, std::size_t last);
  void check_call(Process&, Call&);
  void check_bsend(Process&, Call&, State&, std::int64_t bytes);
  void check_pack(Process&, Call&, const Plan&);
  void check_together(Process&, Call&, State&, std::int64_t bytes);
  void check_outs(Process&, Call&, const Plan&);
  void check_bounds(Process&, Call&, const Plan&);
  void check_bounds(Process&, Call&, const Plan&, const Region&, const Block&);
  void check_given(Process&, Call&, const Region&);  // memory given to MPI as bytes
  void check_window(Process&, Call&);
  void check_freed(Process&, State&, std::int64_t lo, std::int64_t hi, const Place& by);
  // One-sided operations (origins.cc).
  void move(Process&, Call&, State&);
  static void moved(const Process&, const Call&, State&);
  void moved_before(const Process&, int thread, State&) const;
  void check_freed_start(Process&, Call&, State&, std::uint64_t raw);
  void tell_beyond(const Report&, Severity);
  void add_arrays(const Process&, const Call&);
  void learned(State&);
  void freed_request(const Process&, State&, std::uint64_t raw);
  void over_budget(const Call&, Site other);

  const std::vector<Plan>& plans_ = plan_table<plan>();
  PerProcess<State> states_;
  RegionTest test_;
  // Regions of the call that entered last.
  std::vector<Region> regions_;
  const Process* regions_of_ = nullptr;
  std::uint32_t regions_seq_ = 0;
  std::vector<std::uint32_t> order_;        // scratch of check_blocks
  FlatMap<std::uint64_t, Overlap> fine_;    // sets of blocks that were found to be apart, by digest
  std::unordered_set<std::uint64_t> told_;  // pairs of sites over budget
  // Receives with room beyond their block: whether the message reaches there tells its partner.
  struct Beyond {
    Report report;
    std::int64_t room = 0;  // bytes of data that fit
  };
  std::unordered_map<std::uint64_t, Beyond> beyond_;  // by process and call
  // Sends of what a pending receive writes: harmless if its message can only come after them.
  struct Early {
    Report report;
    std::uint32_t process = 0;
    std::uint32_t number = 0;  // of the point where the send was called
    MomentRef when;            // the message was sent
  };
  static bool can_be_early(const Call&, const Region&, Proc of, const PendingOperation&);
  void settle_early(const Match&);
  void settle_beyond(const Match&);
  void finish_early();
  void tell_early(const Early&);
  Clocks* clocks_ = nullptr;
  std::map<std::uint64_t, std::vector<Early>> early_;  // by process and call of the receive
  // Pending operations of overlaps that were told: (process, site of the start).
  std::unordered_set<std::uint64_t> overlapped_;
};

}  // namespace vouch
