// The concurrent trace program: what each process did, without the accident of when.
//
// One branch-free list of operations per process, kept from one run. What the run decided by chance
// (which message a receive got) is left open; what the program itself fixes (the order of its own
// operations, sources, tags, communicators) stays. All questions of prediction are questions about
// this program.
//
// How it runs (the explorer, the replay and the encodings all mean this):
// - A process does its operations in order. A send becomes available when it is issued, a receive
//   is posted when it is reached; neither stops the process. A blocking receive is a receive
//   followed at once by its wait.
// - A match step gives a posted, unmatched receive r the first unmatched issued message of a
//   channel (source, destination, communicator) among those r accepts, provided no receive of that
//   process posted earlier and still unmatched accepts that message.
// - A wait is passed when everything it completes is complete: receives matched, rendezvous sends
//   matched, collectives complete, other sends always.
// - A rendezvous send (zero buffering or synchronous mode) is matched only; a blocking one keeps
//   its process until then. A buffered one is complete when issued; its message crosses barriers.
// - A collective is complete for a member when the members it needs have entered it (`needs`). With
//   zero buffering every collective needs all members: an implementation may synchronise.
// - A probe is passed when a posted receive in its place could be matched; it takes nothing.
// - Deadlock: nothing can happen and some process has not finished. Messages left over are none.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/result.h"

namespace vouch::predict {

using OpId = std::uint32_t;    // index into Program::ops
using ExprId = std::uint32_t;  // index into Program::exprs
inline constexpr OpId kNoOp = ~0u;
inline constexpr ExprId kNoExpr = ~0u;
inline constexpr int kAny = -1;  // any source, any tag

enum class Buffering : std::uint8_t { infinite, zero };
enum class OpKind : std::uint8_t { send, receive, wait, sync, probe, assume, assertion };
enum class SendMode : std::uint8_t { standard, synchronous, buffered };
// Who needs whom in a collective: everybody all; the others the root; the root all; each member the
// members before it; each member those it names (Operation::sources).
enum class SyncKind : std::uint8_t { all, from_root, to_root, prefix, listed };

struct Operation {
  OpKind kind = OpKind::send;
  SendMode mode = SendMode::standard;
  bool blocking = true;  // send, sync: the process stays here until it is complete
  bool by_test = false;  // wait, probe: a test said so: it asked, and went on since it was told yes
  int process = 0;       // whose operation this is
  int peer = 0;          // send: destination; receive, probe: source or kAny (process numbers)
  int tag = 0;           // receive, probe: or kAny
  int comm = 0;          // context; 0 is the world
  OpId wait = kNoOp;     // send, receive, sync: its own wait, if it has one
  std::uint32_t group = 0;        // sync: index into Program::groups
  ExprId expr = kNoExpr;          // send: the value sent; assume, assertion: the condition
  std::vector<OpId> completes{};  // wait: of these operations, all of them
  std::vector<int> sources{};     // sync, SyncKind::listed: the processes whose entry it needs
  std::string name{};             // unique in the program
  // receive: the program variable it writes, "": its name; assume, assertion: as the program has it
  std::string variable{};
  Site site{};  // index into Program::sites
};

// The calls of all members that make one collective.
struct SyncGroup {
  std::string name{};
  SyncKind kind = SyncKind::all;
  int root = 0;  // process number
  int comm = 0;
  std::vector<int> members{};  // process numbers, in the order of their ranks
  std::vector<OpId> ops{};     // per member; kNoOp: the member never calls it
  // SyncKind::listed: per member, the processes that it needs; a member that never comes has none.
  std::vector<std::vector<int>> sources{};
};

// Conditions and values, over integers. A variable is the value a certain receive got: the trace is
// in single assignment form.
struct Expr {
  enum class Kind : std::uint8_t {
    constant,
    variable,
    add,
    subtract,
    multiply,
    negate,
    equal,
    unequal,
    less,
    less_equal,
    both,
    either,
    no
  };
  Kind kind = Kind::constant;
  std::int64_t value = 0;
  OpId receive = kNoOp;
  ExprId left = kNoExpr, right = kNoExpr;
};

struct Program {
  std::vector<Operation> ops{};  // process by process, each in program order
  std::vector<OpId> first{0};    // process p has ops first[p] .. first[p + 1] - 1
  std::vector<SyncGroup> groups{};
  std::vector<Expr> exprs{};
  std::vector<std::string> sites{"unknown place"};  // "ring.c:31"

  int processes() const { return static_cast<int>(first.size()) - 1; }
  std::span<const Operation> of(int process) const {
    return {ops.data() + first[process], ops.data() + first[process + 1]};
  }
  const Operation& operator[](OpId id) const { return ops[id]; }
  // In one process, by program order.
  bool before(OpId a, OpId b) const { return ops[a].process == ops[b].process && a < b; }
  OpId find(std::string_view name) const;  // kNoOp: there is none
  std::vector<OpId> all(OpKind) const;     // in the order of ops
};

// r (a receive or a probe) could take the message of s, as far as their envelopes say.
inline bool accepts(const Operation& r, const Operation& s) {
  return s.peer == r.process && s.comm == r.comm && (r.peer == kAny || r.peer == s.process) &&
         (r.tag == kAny || r.tag == s.tag);
}
inline bool same_channel(const Operation& s, const Operation& t) {
  return s.process == t.process && s.peer == t.peer && s.comm == t.comm;
}
// The send is complete only when its message is received.
inline bool rendezvous(const Operation& s, Buffering b) {
  return s.mode == SendMode::synchronous || (s.mode == SendMode::standard && b == Buffering::zero);
}
// The members whose entry `member` needs before it can leave, itself not among them: indices into
// group.members.
std::vector<std::size_t> needs(const SyncGroup&, std::size_t member, Buffering);

// Everything r' accepts is accepted by r: so r, if earlier, is matched when r' is.
inline bool covers(const Operation& r, const Operation& later) {
  return r.process == later.process && r.comm == later.comm &&
         (r.peer == kAny || r.peer == later.peer) && (r.tag == kAny || r.tag == later.tag);
}

// The nearest-enclosing wait of each receive (kNoOp elsewhere): the first wait of its process that
// certifies it delivered. A wait on a later receive does so only if the earlier one covers it; the
// dissertation leaves that condition out, `literal` does as well.
std::vector<OpId> nearest_waits(const Program&, bool literal = false);
// The nearest-enclosing barrier of each receive (kNoOp: none): its member in the same process.
std::vector<OpId> nearest_barriers(const Program&, const std::vector<OpId>& nearest_waits);

// The value of an expression when receive r got values[r]; conditions give 0 or 1. Arithmetic
// wraps.
std::int64_t evaluate(const Program&, ExprId, std::span<const std::int64_t> values);

// Which receive took which send, and what happened in which order.
struct Match {
  OpId receive = kNoOp, send = kNoOp;
  auto operator<=>(const Match&) const = default;
};
struct Step {
  // issue: a send, receive or collective is reached and becomes visible to others.
  // match: a receive takes a message. pass: a process goes beyond a wait, a probe, a blocking
  // collective or a blocking rendezvous send. (A blocking buffered send is passed when issued.)
  enum class What : std::uint8_t { issue, match, pass };
  What what = What::issue;
  OpId op = kNoOp;    // match: the receive
  OpId send = kNoOp;  // of a match
  bool operator==(const Step&) const = default;
};
using Schedule = std::vector<Step>;

// Puts a program together, operations of each process in order, processes in any order.
class Builder {
 public:
  explicit Builder(int processes) : lists_(processes) {}

  // Handles of this builder, not OpIds: the place of an operation is known at the end.
  using Handle = std::uint32_t;
  Handle send(int process, int dest, Operation rest = {});
  Handle receive(int process, int source, Operation rest = {});  // does not wait
  Handle wait(int process, std::vector<Handle> completes, bool by_test = false);
  Handle wait(int process, Handle completes) { return wait(process, std::vector{completes}); }
  Handle blocking_receive(int process, int source, Operation rest = {});  // gives the receive
  Handle probe(int process, int source, Operation rest = {});
  // The n-th call of a process on `comm` belongs to the n-th of the others.
  Handle sync(int process, int comm = 0, SyncKind = SyncKind::all, int root = 0,
              Operation rest = {});
  Handle assume(int process, ExprId condition, Operation rest = {});
  Handle assertion(int process, ExprId condition, Operation rest = {});
  // Operations of this process so far.
  std::size_t length(int process) const { return lists_.at(process).size(); }
  // Members of a communicator, in rank order; without it: comm 0 has all processes, another one
  // those that call a collective on it.
  void communicator(int comm, std::vector<int> members);
  Site site(std::string place);
  // Name and place of an operation that is already there; "" leaves the name as it is.
  void describe(Handle, const std::string& name, Site);

  ExprId constant(std::int64_t);
  ExprId variable(Handle receive);
  ExprId make(Expr::Kind, ExprId left, ExprId right = kNoExpr);

  // Fails with one sentence: a name twice, an impossible peer, a wait before what it completes, a
  // receive that no wait certifies, a value read before it is there, ...
  Result<Program> build() &&;

 private:
  Handle add(int process, Operation);

  struct Entry {
    Operation op;
    std::vector<Handle> completes;
  };
  struct Members {
    int comm;
    std::vector<int> members;
  };
  std::vector<Entry> entries_;              // by handle
  std::vector<std::vector<Handle>> lists_;  // by process
  std::vector<Expr> exprs_;                 // variables hold handles until build
  std::vector<Members> members_;
  std::vector<std::string> sites_{"unknown place"};
};

// Every reason why this is no program, or "" (also used on what comes from elsewhere).
std::string defect(const Program&);

// ---- text (text.cc) ----
// Compact, one process after the other, separated by `|`, `;` starts a comment:
//
//     s0>1 is1>2 r0* r1<2 ir2*:7 w(2) | b | p<0 assume(r0 > 0)
//
//     s0>1    send s0 to process 1; s0>>1 synchronous, s0>~1 buffered; is0>1 does not block, its
//             name is s0
//     r0* r0<1  receive and wait, from any or from 1; ir0* only posts it, its name is r0; p0* probe
//     w(x,y)  wait for all of these, by name or by the name without its first letter; w alone: for
//             the latest that has no wait; t(x): a test said so
//     b       barrier; also allreduce, bcast(root), reduce(root), scan, needs(0,2): a collective in
//             which this member needs 0 and 2; ib, ibcast(0) do not block
//     assume(a > 0)  assert(a == 4 && !(b < 2))
//
// after an operation: `:7` tag (`:*` any; none: 0), `/2` communicator, `=4` or `=(a+1)` the value
// sent, `=a` the variable a receive writes, `#x` a name, `@ring.c:31` a place. `comm(2)=0,1` before
// the first operation names members. Variables are the latest receive that wrote them.
//
// The s-expressions of the dissertation, with `:key value` for what it does not have:
//
//     (((s s0 0 1) (r r0 * 0 w0) (w w0) ⊥) ((b b0) ⊥))
Result<Program> parse(std::string_view text);  // either; the error starts with line:column
std::string print_compact(const Program&);
std::string print_sexpr(const Program&);
std::string print_expr(const Program&, ExprId);

}  // namespace vouch::predict
