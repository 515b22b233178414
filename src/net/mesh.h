// The agents of a job, and what they say to each other (docs/design/006-tree.md).
//
// The root founds the mesh; others join with its invitation and get a number. Until the root opens
// it, only the root and each of the others can talk; from then on any two can, and nobody joins any
// more. Messages between two agents come in order in each lane; urgent ones are handed over first.
// The root watches all others and tells of every death, so that all learn the same.
//
// Nothing here waits or runs by itself but ZeroMQ's own threads: pump() does what is due.
// It knows nothing of MPI; bytes of messages belong to those who send them.

#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "net/address.h"
#include "net/frame.h"
#include "net/gate.h"
#include "net/key.h"
#include "net/link.h"

namespace vouch::net {

struct Tuning {
  std::string interface;           // which addresses to use (choose() of address.h)
  std::size_t window = 256 << 10;  // bytes of the regular lane on the way to one agent
  std::size_t backlog = 1 << 20;   // bytes waiting for one agent, above which there is no room
  Patience patience;
  std::chrono::milliseconds joining{20000};  // until the root must have answered
  // Which of an agent's addresses to use (address.h); tests without a network have another.
  Result<std::string> (*reach)(const std::vector<std::string>& endpoints, int ms) = reachable;
};

// What happens. Called by pump() and take() only; may call anything of the mesh but these.
class Listener {
 public:
  virtual ~Listener() = default;
  // On the root: somebody has joined. Elsewhere: we have.
  virtual void on_joined(int /*node*/, const std::string& /*host*/) {}
  // All may talk to all. `plan`: what the root gave to open().
  virtual void on_open(std::string_view /*plan*/) {}
  virtual void on_message(int from, Type, std::string_view bytes) = 0;
  // It says nothing any more, and nothing that is sent to it arrives. Of node 0: we are alone, or
  // were not let in.
  virtual void on_lost(int node, const std::string& why) = 0;
  // The root has all it wants: messages to it that are sent now still arrive.
  virtual void on_end() {}
};

class Mesh {
 public:
  static Result<std::unique_ptr<Mesh>> found(const Tuning& = {});
  static Result<std::unique_ptr<Mesh>> join(const Invitation&, const Tuning& = {});
  ~Mesh();
  Mesh(const Mesh&) = delete;
  Mesh& operator=(const Mesh&) = delete;

  enum class State : std::uint8_t {
    joining,  // no number yet
    waiting,  // to be opened
    open,
    ending,  // what is left is being sent
    closed,
  };
  State state() const { return state_; }
  int self() const { return self_; }  // -1 while joining
  int nodes() const { return static_cast<int>(peers_.size()); }
  bool lost(int node) const { return peers_[static_cast<std::size_t>(node)].lost; }
  std::size_t strangers() const { return gate_.refused() + strange_; }
  const std::vector<std::string>& addresses() const { return addresses_; }

  // The root's part ------------------------------------------------
  Invitation invitation() const;
  // Nobody joins any more; all learn of each other.
  void open(std::string plan);
  // All are to say their last and go.
  void end();

  // To send while joining is an error of ours; to one that is lost does nothing.
  void send(int node, Lane, Type, std::string_view bytes);
  // There is little waiting in front of every link. If not, make no more.
  bool room() const;
  // Sends, receives, answers strangers; waits at most `timeout` for something to happen. True:
  // something did. Of regular messages about `budget` bytes are handed over.
  bool pump(Listener&, std::chrono::milliseconds timeout, std::size_t budget = 64 << 10);
  // A frame of the one that the gate knows by this name. pump() takes what comes over the network.
  void take(Listener&, std::string_view name, std::string_view bytes);
  // Becomes readable when there may be something for pump(); then pump until it says false.
  int descriptor() const;

 private:
  struct Peer {
    Key key;
    std::vector<std::string> addresses;
    std::string host;
    std::unique_ptr<Link> link;
    bool lost = false, left = false, has_book = false;
    bool reported = false;  // we have told the root that we cannot reach it
    // At the end: since when its link is broken, and why.
    std::optional<std::pair<std::chrono::steady_clock::time_point, std::string>> broke;
    std::uint64_t expected[kLanes] = {};
    std::deque<std::string> held;  // regular frames not handed over yet
    std::size_t held_bytes = 0, owed = 0;
  };
  enum Own : Type {
    hello,        // to the root, by one without a number: key, addresses, host
    welcome,      // number, window
    book,         // all agents; the plan
    have_book,    // to the root
    go,           // all have it
    unreachable,  // to the root: number, why
    death,        // from the root: number, why
    refund,       // bytes handed over
    finish,       // from the root
    bye,          // to the root: nothing follows
  };

  Mesh(KeyPair mine, const Tuning&);
  std::optional<Error> bind();
  Peer& peer(int node) { return peers_[static_cast<std::size_t>(node)]; }
  bool is_root() const { return self_ == 0; }
  Link* link(int node);
  void own(int node, Own type, std::string_view bytes = {});
  std::string write_book() const;
  bool all_others(bool (*fits)(const Peer&)) const;

  bool receive(Listener&);
  void take_hello(Listener&, const Frame&);
  void take_own(Listener&, int from, const Packet&);
  void read_book(Listener&, ByteReader&);
  bool hand_over(Listener&, std::size_t budget);
  void look_after(Listener&);
  void cannot_reach(Listener&, int node, const std::string& why);
  void lose(Listener&, int node, const std::string& why);
  void proceed(Listener&);
  void become_open(Listener&);

  const Tuning tuning_;
  const KeyPair mine_;
  KeyPair joining_;  // root: of the invitation; others: the one they joined with
  Context context_;
  Gate gate_;
  Socket socket_;
  std::vector<std::string> addresses_;
  State state_ = State::joining;
  int self_ = -1;
  std::size_t window_;
  std::vector<Peer> peers_;
  std::unique_ptr<Link> knock_;  // before we have a number
  std::string plan_;
  bool opening_ = false;  // root: the book is out; others: it has come
  bool said_bye_ = false;
  std::size_t turn_ = 0, strange_ = 0;
  std::chrono::steady_clock::time_point looked_, give_up_;
};

}  // namespace vouch::net
