// Calls of all members that belong together.
//
// Collectives are matched by order (MPI-4.1 6.14): the k-th of each member on a communicator,
// window or file forms wave k; nonblocking ones count when they are called, persistent ones when
// they are initialised. So each member has a counter, and nothing else decides. A wave is told when
// all have come, or at the end of the run with those that came. Waves of one assembly are told in
// order.
//
// A wave keeps one class per distinct set of values, with the members that gave them: a wave in
// agreement has few classes, whatever its size. What depends on who came first is never told.
//
// A call counts when it is entered, since it may not return. One that failed may not have taken
// part: what its assembly does later is doubtful. Communicators with processes that are not seen
// take no part.

#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

#include "event/plan_table.h"
#include "match/operation.h"
#include "match/remote.h"
#include "model/per_process.h"
#include "model/world.h"

namespace vouch {

// Data for one peer: count elements of a type.
struct Payload {
  std::uint64_t count = 0;
  SignatureRef type;  // nullptr: not known
  Digest digest;      // of all
  bool known() const { return type != nullptr; }
};

// One side of a collective call.
struct Portion {
  enum class What : std::uint8_t { none, in_place, data };  // none: not significant here
  What what = What::none;
  bool per_peer = false;   // a block for each peer, else one for all
  bool known = true;       // all its types are
  std::uint64_t hash = 0;  // of the blocks
  std::vector<Payload> blocks;
  bool data() const { return what == What::data; }
  const Payload& to(std::size_t peer) const { return blocks[per_peer ? peer : 0]; }
};

// What a member said.
struct Said {
  Proc proc = Proc::none;
  std::int8_t side = 0;  // of an inter-communicator: which group
  bool rooted = false, at_root = false;
  std::int64_t root = 0;  // canonical
  bool reduces = false;
  Constant op = Constant::none;  // none: the user's
  Portion send, recv;            // a broadcast or reduction has its data in `send`
  bool in_place = false;
  const Members* group = nullptr;  // MPI_Comm_create
  // In the order of ProcInfo::agree; MPI_File_set_view: and the etype's extent.
  std::vector<std::vector<std::int64_t>> args;
  std::uint64_t hash = 0;
  bool same(const Said&) const;
};

struct Attendee {
  std::uint32_t process = 0;
  WorldRank rank;
  int me = -1;  // in its group
  std::uint32_t seq = 0;
  Site site;
};

struct Assembly;
class Waves;

struct Wave {
  struct Class {
    Said said;
    std::vector<Attendee> members;
  };
  const Assembly* assembly = nullptr;
  std::uint64_t index = 0;
  std::vector<Class> classes;
  int arrived = 0;
  bool poisoned = false;  // a call of it had a finding: not to be compared
  bool doubtful = false;  // an earlier call of a member failed, or calls were lost
  bool sent = false;      // to its home
  bool complete = false;  // all members came
  bool told = false;
  const Waves* all = nullptr;  // to look for what its members have called elsewhere
};

// Those who take part.
struct Assembly {
  std::uint64_t id = 0;  // of the communicator it is or was made from
  std::uint64_t key = 0;
  Kind kind = Kind::comm;
  Constant constant = Constant::none;
  Site made;
  bool inter = false;
  const Members* groups[2] = {nullptr, nullptr};
  int total = 0;
  // For neighbours: of a grid, or the edges.
  Topology topology = Topology::none;
  std::vector<std::int64_t> dims;
  std::vector<bool> periods;
  std::shared_ptr<const Graph> graph;
  int home = -1;  // the agent that compares, if its members are on several; -1: this one
  int here = 0;   // then: members that are this agent's
  // Members that have freed it, and how many of its waves they had joined by then.
  struct Freed {
    Attendee who;
    std::uint64_t joined = 0;
  };
  std::vector<Freed> freed;

 private:
  friend class Waves;
  std::uint64_t first_ = 0;  // index of the first wave kept
  std::deque<std::unique_ptr<Wave>> waves_;
  std::uint64_t trusted_ = ~std::uint64_t{0};       // waves up to this index
  std::uint64_t least_joined_ = ~std::uint64_t{0};  // of those that have freed it
  bool doubtful_ = false;                           // all of them
  bool abandoned_ = false;                          // no more waves are kept
};

class Waves {
 public:
  static constexpr std::size_t kInFlight = std::size_t{1} << 18;  // waves of one assembly

  explicit Waves(World&);
  ~Waves();
  void observe(MatchObserver* o) { observers_.push_back(o); }
  bool sees_enter(Proc proc) const { return plan(proc).object >= 0; }
  bool sees_leave(Proc proc) const { return plan(proc).object >= 0 || plan(proc).joins; }
  bool enter(Process&, Call&);  // true: it is part of a wave, which will be told
  void leave(Process&, Call&, const Event&);
  // These ranks are stuck for good: the waves that they are in, each once.
  void tell_waiting(const std::vector<int>& ranks);
  void finish();

  // Several agents. `home`: which of them compares what these members call.
  void spread(RemoteWaves* remote, std::function<int(const Members&)> home) {
    remote_ = remote;
    home_ = std::move(home);
  }
  // We are its home, and another agent's members have called this. `like` has all of an assembly
  // that its members know.
  void take(const Assembly& like, std::uint64_t index, bool poisoned, bool doubtful,
            std::vector<Wave::Class> classes);
  // No more members of ours will come, or not these: their homes are told.
  void send_open(const std::vector<int>* ranks);

  std::size_t in_flight() const { return in_flight_; }
  // Waves that not all members have joined, in any order.
  void for_each_open(const std::function<void(const Wave&)>&) const;
  // How many collectives the process has called on this communicator, up to a number that is the
  // same for all.
  std::uint64_t position(std::size_t process, std::uint64_t comm) const {
    const Local* mine = locals_.find(process);
    if (mine == nullptr) return 0;
    const auto found = mine->comms.find(comm);
    return found == mine->comms.end() ? 0 : found->second.next;
  }
  std::size_t assemblies() const { return assemblies_.size(); }

 private:
  struct Side {
    std::int8_t buffer = -1, count = -1, type = -1;  // parameters
    std::int8_t buffer_word = -1, count_word = -1, type_word = -1;
    bool counts = false, types = false;  // arrays
    Significant buffer_matters = Significant::everywhere, count_matters = Significant::everywhere;
    bool there() const { return buffer >= 0; }
    bool counted() const { return buffer >= 0 && count >= 0 && type >= 0; }
  };
  struct Plan {
    std::int8_t object = -1;  // parameter: communicator, window or file
    Kind kind = Kind::none;
    std::int8_t root = -1, op = -1, group = -1;
    std::int8_t object_word = -1, root_word = -1, op_word = -1;
    Significant op_matters = Significant::everywhere;
    Side send, recv;
    bool makes_window = false, makes_file = false, joins = false;
    bool leaves = false;  // when it returns with success there is something to do
  };
  // A member on an assembly.
  struct Door {
    Assembly* assembly = nullptr;
    std::uint32_t generation = 0;
    std::uint64_t next = 0;
    std::int8_t side = 0;
    int me = -1;
  };
  struct Open {
    std::uint32_t seq;
    std::uint64_t key, index;
  };
  struct Local {
    std::unordered_map<std::uint64_t, Door> comms, windows, files;
    std::vector<Open> open;
    // What the latest call at a place said, by the process's number of the site.
    struct Place {
      Proc proc = Proc::none;  // none: not known
      Said said{};
    };
    std::vector<Place> places;
    struct {  // the communicator used last, as long as no object but requests has changed
      std::uint64_t raw = 0;
      std::uint32_t changes = 0;
      Door* door = nullptr;
    } latest;
  };
  struct Memory;

  static Plan make_plan(Proc);
  const Plan& plan(Proc proc) const { return plans_[static_cast<std::size_t>(proc)]; }
  Door* door(Process&, Local&, const Plan&, std::uint64_t raw, const Call&);
  Door* comm_door(Process&, Local&, std::uint64_t raw, const Call&);
  Door* open_door(Process&, Local&, const Communicator&, const Call&);
  const Said& said_by(const Process&, const Call&, const Plan&, const Door&, Local&);
  void say(const Process&, const Call&, const Plan&, const Door&, Said&);
  void fill(const Process&, const Event&, const Side&, bool significant, Portion&);
  void fill(Payload&, const Process&, std::int64_t count, std::uint64_t type);
  static void add_args(const Process&, const Call&, Said&);
  void add(Assembly&, std::uint64_t index, const Said&, const Attendee&, bool poisoned);
  void told(Assembly&);
  void give_back(std::unique_ptr<Wave>);
  void tell(Wave&);
  static void sort_classes(Wave&);
  void tell_open(const std::vector<int>* ranks);
  void close(Process&, const Call&, const Plan&, Assembly&);
  static int gone(const Assembly&);
  void rejoin();
  void not_compared(const Call&, const char* why);
  static bool away(const Assembly& a) { return a.home >= 0; }
  static bool all_closed(const Assembly&);
  void send(Wave&);

  World& world_;
  std::vector<MatchObserver*> observers_;
  const std::vector<Plan>& plans_ = plan_table<make_plan>();
  PerProcess<Local> locals_;
  std::unordered_map<std::uint64_t, std::unique_ptr<Assembly>> assemblies_;  // by key
  std::vector<std::unique_ptr<Wave>> spare_;
  std::vector<Wave::Class> spare_classes_;
  std::unique_ptr<Memory> memory_;  // of digests
  static constexpr std::uint32_t kPlaces = 256;
  Said said_;  // of a call at a place beyond these
  std::size_t in_flight_ = 0;
  bool joined_ = false;
  RemoteWaves* remote_ = nullptr;
  std::function<int(const Members&)> home_;
};

}  // namespace vouch
