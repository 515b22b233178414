// A small MPI in the test: runs random programs by the standard's rules and writes down what each
// rank's calls were.
//
// It knows nothing of queues by key: messages travel one by one along (communicator, sender,
// receiver), a message that arrives is taken by the first posted receive that fits, a receive that
// is posted takes the first fitting message of a sender picked at random. What met is kept beside
// the text, by the labels of the calls.

#pragma once

#include <algorithm>
#include <deque>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace vouch {

class ReferenceMpi {
 public:
  using Pair = std::pair<std::string, std::string>;  // labels of send and receive

  ReferenceMpi(std::uint64_t seed, int ranks)
      : random_(seed), size_(ranks), lines_(static_cast<std::size_t>(ranks)) {
    pending_.resize(static_cast<std::size_t>(ranks));
    messages_.resize(static_cast<std::size_t>(ranks));
    persistent_.resize(static_cast<std::size_t>(ranks));
    unused_.resize(static_cast<std::size_t>(ranks));
  }

  // One program on communicators of its own, run to its end.
  void program(int steps) {
    make_comms();
    for (int r = 0; r < size_; ++r) make_persistent(r);
    for (int s = 0; s < steps; ++s) step();
    end_program();
  }

  // The ranks' lines in some order that respects each rank's own.
  std::string text() {
    std::vector<std::size_t> next(lines_.size());
    std::string all = "0 world size=" + std::to_string(size_) + "\n";
    const std::size_t burst = std::size_t{1} << pick(12);
    for (;;) {
      std::vector<std::size_t> left;
      for (std::size_t r = 0; r < lines_.size(); ++r) {
        if (next[r] < lines_[r].size()) left.push_back(r);
      }
      if (left.empty()) return all;
      const std::size_t r = left[pick(left.size())];
      for (std::size_t n = 1 + pick(burst); n > 0 && next[r] < lines_[r].size(); --n) {
        all += std::to_string(r) + " " + lines_[r][next[r]++] + "\n";
      }
    }
  }

  std::multiset<Pair> met, seen;  // seen: by probes
  std::multiset<std::string> unmatched;

 private:
  struct Comm {
    std::string name;
    std::vector<int> group;   // world ranks
    std::vector<int> remote;  // of an inter-communicator: the other group
  };
  struct Message {
    std::string label;
    int comm, from, to;  // ranks of the world
    int source, tag;     // in the communicator
    bool arrived = false, taken = false, cancelled = false, probed = false;
  };
  struct Receive {
    std::string label;
    int comm, me, source, tag;  // -1: any
    int got = -1;               // message
    bool cancelled = false;
  };
  struct Request {
    std::string name;
    int message = -1, receive = -1;
    bool synchronous = false, persistent = false, cancel_tried = false;
  };
  struct Persistent {
    std::string name, label;
    int comm, peer, tag;
    bool sends, synchronous, active = false;
  };
  struct Held {
    std::string name;
    int message;
  };

  std::size_t pick(std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_);
  }
  bool chance(int percent) { return static_cast<int>(pick(100)) < percent; }
  std::string label() { return "p:" + std::to_string(++labels_); }
  void say(int rank, std::string line) {
    lines_[static_cast<std::size_t>(rank)].push_back(std::move(line));
  }
  // A call that waits, in one line or in two.
  void say_call(int rank, const std::string& call, const std::string& at,
                const std::string& result) {
    if (chance(30)) {
      say(rank, call + " @" + at + " ...");
      say(rank, "return" + result);
    } else {
      say(rank, call + " @" + at + result);
    }
  }
  static std::string num(int n) { return std::to_string(n); }
  static std::string any(int n, const char* word) { return n < 0 ? word : num(n); }

  // ---- Communicators ----
  void make_comms() {
    comms_.clear();
    const std::string n = num(++programs_);
    std::vector<int> world;
    for (int r = 0; r < size_; ++r) world.push_back(r);
    comms_.push_back({"dup" + n, world, {}});
    for (const int r : world) say(r, "Comm_dup comm=COMM_WORLD newcomm=dup" + n);
    std::vector<int> half[2];
    for (const int r : world) half[r % 2].push_back(r);
    for (const int c : {0, 1}) {
      comms_.push_back({"half" + n, half[c], {}});
      for (const int r : half[c]) {
        say(r, "Comm_split comm=dup" + n + " color=" + num(c) + " newcomm=half" + n);
        say(r, "comm half" + n + " size=" + num(static_cast<int>(half[c].size())) +
                   " members=" + list(half[c]));
      }
    }
    if (chance(50)) {
      for (const int c : {0, 1}) {
        comms_.push_back({"inter" + n, half[c], half[1 - c]});
        for (const int r : half[c]) {
          // The leader of a group is its first rank; only it says who the other is.
          say(r, "Intercomm_create local_comm=half" + n + " local_leader=0 peer_comm=dup" + n +
                     " remote_leader=" + num(half[1 - c][0]) + " tag=9 newintercomm=inter" + n);
          say(r, "comm inter" + n + " size=" + num(static_cast<int>(half[c].size())) + " remote=" +
                     num(static_cast<int>(half[1 - c].size())) + " members=" + list(half[c]));
        }
      }
      // And what is made from it, perhaps before its leaders' calls are read.
      std::vector<int> both = half[0];
      both.insert(both.end(), half[1].begin(), half[1].end());
      comms_.push_back({"both" + n, both, {}});
      for (const int r : both) {
        say(r, "Intercomm_merge intercomm=inter" + n + " newintracomm=both" + n);
        say(r, "comm both" + n + " size=" + num(size_) + " members=" + list(both));
      }
    }
  }
  static std::string list(const std::vector<int>& v) {
    std::string s = "[";
    for (const int x : v) s += (s.size() > 1 ? "," : "") + num(x);
    return s + "]";
  }
  int a_comm(int rank) {
    for (;;) {
      const int c = static_cast<int>(pick(comms_.size()));
      if (index_of(comms_[static_cast<std::size_t>(c)].group, rank) >= 0) return c;
    }
  }
  const Comm& comm(int c) const { return comms_[static_cast<std::size_t>(c)]; }
  static int index_of(const std::vector<int>& v, int x) {
    const auto at = std::find(v.begin(), v.end(), x);
    return at == v.end() ? -1 : static_cast<int>(at - v.begin());
  }
  const std::vector<int>& peers(int c) const {
    return comm(c).remote.empty() ? comm(c).group : comm(c).remote;
  }
  // Both sides of an inter-communicator are one.
  int other_side(int c) const {
    if (comm(c).remote.empty()) return c;
    for (std::size_t i = 0; i < comms_.size(); ++i) {
      if (comms_[i].name == comm(c).name && comms_[i].group == comm(c).remote)
        return static_cast<int>(i);
    }
    return c;
  }

  // ---- The network ----
  int send(int rank, int c, int dest, int tag, const std::string& at) {
    Message m;
    m.label = at;
    m.comm = other_side(c);  // as the receiver sees it
    m.from = rank;
    m.to = peers(c)[static_cast<std::size_t>(dest)];
    m.source = index_of(comm(c).group, rank);
    m.tag = tag;
    all_.push_back(m);
    transit_[{m.comm, m.from, m.to}].push_back(static_cast<int>(all_.size()) - 1);
    return static_cast<int>(all_.size()) - 1;
  }
  bool fits(const Receive& r, const Message& m) const {
    return r.comm == m.comm && r.me == m.to && (r.source < 0 || r.source == m.source) &&
           (r.tag < 0 || r.tag == m.tag);
  }
  void deliver() {
    std::vector<std::deque<int>*> ways;
    for (auto& [key, way] : transit_) {
      if (!way.empty()) ways.push_back(&way);
    }
    if (ways.empty()) return;
    std::deque<int>& way = *ways[pick(ways.size())];
    const int m = way.front();
    way.pop_front();
    Message& message = all_[static_cast<std::size_t>(m)];
    if (message.cancelled) return;
    message.arrived = true;
    for (const int r : posted_) {
      if (!fits(receives_[static_cast<std::size_t>(r)], message)) continue;
      take(r, m);
      return;
    }
    unexpected_.push_back(m);
  }
  void take(int r, int m) {
    Receive& receive = receives_[static_cast<std::size_t>(r)];
    receive.got = m;
    all_[static_cast<std::size_t>(m)].taken = true;
    std::erase(posted_, r);
    std::erase(unexpected_, m);
    if (!receive.label.empty())
      met.insert({all_[static_cast<std::size_t>(m)].label, receive.label});
  }
  // A message that a receive posted now would take: the first one that fits, of some sender. -1:
  // none has arrived.
  int candidate(const Receive& r) {
    std::map<int, int> first;
    for (const int m : unexpected_) {
      if (fits(r, all_[static_cast<std::size_t>(m)]))
        first.emplace(all_[static_cast<std::size_t>(m)].from, m);
    }
    if (first.empty()) return -1;
    return std::next(first.begin(), static_cast<std::ptrdiff_t>(pick(first.size())))->second;
  }
  // Until it has its message; if all went to receives posted before, somebody sends another.
  void await(int r) {
    while (!has(r)) {
      const bool on_the_way = std::any_of(transit_.begin(), transit_.end(),
                                          [](const auto& w) { return !w.second.empty(); });
      if (on_the_way) {
        deliver();
      } else {
        feed(receives_[static_cast<std::size_t>(r)]);
      }
    }
  }
  // Whether its rank may block in it: a message is there, or another rank can send one.
  bool may_wait(const Receive& r) {
    if (candidate(r) >= 0) return true;
    return will_come(r) && feeder(r) != r.me;
  }
  int feeder(const Receive& w) const {
    const std::vector<int>& senders = comm(other_side(w.comm)).group;
    if (w.source >= 0) return senders[static_cast<std::size_t>(w.source)];
    return senders[0] == w.me ? senders.back() : senders[0];
  }
  bool will_come(const Receive& r) const {
    return std::any_of(all_.begin(), all_.end(),
                       [&](const Message& m) { return !m.taken && !m.cancelled && fits(r, m); });
  }
  int post(const Receive& r) {
    receives_.push_back(r);
    const int index = static_cast<int>(receives_.size()) - 1;
    const int m = candidate(r);
    if (m >= 0) {
      take(index, m);
    } else {
      posted_.push_back(index);
    }
    return index;
  }
  const Message& got(int r) const {
    return all_[static_cast<std::size_t>(receives_[static_cast<std::size_t>(r)].got)];
  }
  bool has(int r) const { return receives_[static_cast<std::size_t>(r)].got >= 0; }
  static std::string status(const Message& m, const char* error = "0") {
    return "(" + num(m.source) + "," + num(m.tag) + ",4," + error + ",0)";
  }

  // ---- Calls ----
  int a_tag() { return static_cast<int>(pick(3)); }
  int a_peer(int c) { return static_cast<int>(pick(peers(c).size())); }
  Receive pattern(int rank, const std::string& at) {
    Receive r;
    r.label = at;
    r.comm = a_comm(rank);
    r.me = rank;
    r.source = chance(35) ? -1 : a_peer(r.comm);
    r.tag = chance(35) ? -1 : a_tag();
    return r;
  }
  std::string from(const Receive& r, const char* tag = "tag") const {
    return " source=" + any(r.source, "ANY_SOURCE") + " " + tag + "=" + any(r.tag, "ANY_TAG") +
           " comm=" + comm(r.comm).name;
  }
  // Names of completed requests are given out again: libraries reuse handles.
  std::string a_name(int rank) {
    std::vector<std::string>& free = unused_[static_cast<std::size_t>(rank)];
    if (!free.empty() && chance(80)) {
      const std::string name = free.back();
      free.pop_back();
      return name;
    }
    return "r" + num(++names_);
  }
  void release(int rank, const std::string& name) {
    unused_[static_cast<std::size_t>(rank)].push_back(name);
  }

  void step() {
    const int rank = static_cast<int>(pick(static_cast<std::size_t>(size_)));
    switch (pick(13)) {
      case 0:
      case 1:
        return blocking_send(rank);
      case 2:
      case 3:
        return isend(rank);
      case 4:
        return blocking_recv(rank);
      case 5:
      case 6:
        return irecv(rank);
      case 7:
        return sendrecv(rank);
      case 8:
        return probe(rank);
      case 9:
        return start(rank);
      case 10:
        return odd_call(rank);
      default:
        deliver();
        return complete(rank);
    }
  }

  void blocking_send(int rank) {
    static const char* const kNames[] = {"Send", "Bsend", "Rsend"};
    const int c = a_comm(rank), dest = a_peer(c), tag = a_tag();
    const std::string at = label();
    send(rank, c, dest, tag, at);
    say_call(rank,
             std::string(kNames[pick(3)]) + " dest=" + num(dest) + " tag=" + num(tag) +
                 " comm=" + comm(c).name,
             at, "");
  }

  void isend(int rank) {
    static const char* const kNames[] = {"Isend", "Ibsend", "Irsend", "Issend"};
    const int c = a_comm(rank), dest = a_peer(c), tag = a_tag();
    const std::size_t mode = pick(4);
    Request q;
    q.name = a_name(rank);
    q.synchronous = mode == 3;
    const std::string at = label();
    q.message = send(rank, c, dest, tag, at);
    say(rank, std::string(kNames[mode]) + " dest=" + num(dest) + " tag=" + num(tag) +
                  " comm=" + comm(c).name + " request=" + q.name + " @" + at);
    pending(rank).push_back(q);
  }

  void blocking_recv(int rank) {
    const std::string at = label();
    const Receive r = pattern(rank, at);
    if (!may_wait(r)) return;
    const int index = post(r);
    await(index);
    const bool wild = r.source < 0 || r.tag < 0;
    const bool truncated = chance(10);
    say_call(rank, "Recv" + from(r), at,
             (truncated ? " !ERR_TRUNCATE" : "") +
                 (wild ? " -> status=" + status(got(index)) : std::string()));
  }

  void irecv(int rank) {
    const std::string at = label();
    const Receive r = pattern(rank, at);
    Request q;
    q.name = a_name(rank);
    q.receive = post(r);
    say(rank, "Irecv" + from(r) + " request=" + q.name + " @" + at);
    pending(rank).push_back(q);
  }

  void sendrecv(int rank) {
    const std::string at = label();
    Receive r = pattern(rank, at);
    const int dest = a_peer(r.comm), tag = a_tag();
    const std::string to = " dest=" + num(dest) + " sendtag=" + num(tag);
    if (chance(50)) {
      Request q;
      q.name = a_name(rank);
      q.message = send(rank, r.comm, dest, tag, at);
      q.receive = post(r);
      say(rank, (chance(50) ? "Isendrecv" : "Isendrecv_replace") + to + from(r, "recvtag") +
                    " request=" + q.name + " @" + at);
      pending(rank).push_back(q);
      return;
    }
    if (!may_wait(r)) return;
    send(rank, r.comm, dest, tag, at);
    const int index = post(r);
    await(index);
    const bool wild = r.source < 0 || r.tag < 0;
    say_call(rank, (chance(50) ? "Sendrecv" : "Sendrecv_replace") + to + from(r, "recvtag"), at,
             wild ? " -> status=" + status(got(index)) : std::string());
  }

  void probe(int rank) {
    std::vector<Held>& held = messages_[static_cast<std::size_t>(rank)];
    if (!held.empty() && chance(50)) {
      const std::size_t i = pick(held.size());
      const std::string at = label();
      met.insert({all_[static_cast<std::size_t>(held[i].message)].label, at});
      if (chance(50)) {
        say_call(rank, "Mrecv message=" + held[i].name, at,
                 " -> status=" + status(all_[static_cast<std::size_t>(held[i].message)]));
      } else {
        const std::string name = "i" + num(++names_);
        say(rank, "Imrecv message=" + held[i].name + " request=" + name + " @" + at);
        say(rank, "Wait request=" + name);
      }
      held.erase(held.begin() + static_cast<std::ptrdiff_t>(i));
      return;
    }
    const std::string at = label();
    Receive r = pattern(rank, "");
    const bool keeps = chance(50), waits = chance(50);
    int m = candidate(r);
    while (m < 0 && waits && will_come(r)) {
      deliver();
      m = candidate(r);
      // It may have gone to a receive posted before.
    }
    if (m < 0) {
      if (!waits)
        say(rank,
            std::string(keeps ? "Iprobe" : "Improbe") + from(r) + " @" + at + " -> flag=false");
      return;
    }
    const Message& message = all_[static_cast<std::size_t>(m)];
    const std::string result = " -> status=" + status(message);
    if (keeps) {
      seen.insert({message.label, at});
      all_[static_cast<std::size_t>(m)].probed = true;
      const bool wild = r.source < 0 || r.tag < 0;
      if (waits) {
        say_call(rank, "Probe" + from(r), at, wild ? result : "");
      } else {
        say(rank, "Iprobe" + from(r) + " @" + at + result);
      }
      return;
    }
    const std::string name = "m" + num(++names_);
    all_[static_cast<std::size_t>(m)].taken = true;
    std::erase(unexpected_, m);
    held.push_back({name, m});
    say(rank, std::string(waits ? "Mprobe" : "Improbe") + from(r) + " message=" + name + " @" + at +
                  result);
  }

  // What takes no part: MPI_PROC_NULL, failures.
  void odd_call(int rank) {
    const std::string at = label();
    const int c = a_comm(rank);
    const std::string to =
        " dest=" + num(a_peer(c)) + " tag=" + num(a_tag()) + " comm=" + comm(c).name;
    Receive r = pattern(rank, at);
    switch (pick(7)) {
      case 0:
        return say(rank, "Send dest=PROC_NULL tag=1 comm=" + comm(c).name + " @" + at);
      case 1:
        return say(rank, "Recv source=PROC_NULL tag=ANY_TAG comm=" + comm(c).name + " @" + at);
      case 2:
        return say(rank, "Send" + to + " @" + at + " !ERR_OTHER");
      case 3:
        return say(rank, "Recv" + from(r) + " @" + at + " !ERR_OTHER");
      case 4:
        return say(rank, "Irecv" + from(r) + " @" + at + " !ERR_OTHER");
      case 5:
        return partitioned(rank, c, at);
      default: {
        // A send whose request is freed at once.
        const int dest = a_peer(c), tag = a_tag();
        send(rank, c, dest, tag, at);
        const std::string name = a_name(rank);
        say(rank, "Isend dest=" + num(dest) + " tag=" + num(tag) + " comm=" + comm(c).name +
                      " request=" + name + " @" + at);
        say(rank, "Request_free request=" + name);
        release(rank, name);
      }
    }
  }

  // Matched by order of initialisation, with nothing but their like.
  void partitioned(int rank, int c, const std::string& at) {
    const int peer = a_peer(c), tag = a_tag();
    const bool sends = chance(50);
    say(rank, std::string(sends ? "Psend_init dest=" : "Precv_init source=") + num(peer) +
                  " tag=" + num(tag) + " comm=" + comm(c).name + " partitions=2 request=q" +
                  num(++names_) + " @" + at);
    const int me = index_of(comm(c).group, rank);
    // Source, destination and the side of the receiver name the two ends.
    const std::vector<int> key =
        sends ? std::vector<int>{other_side(c), me, peer, tag} : std::vector<int>{c, peer, me, tag};
    partitioned_[key][sends ? 0 : 1].push_back(at);
  }

  void make_persistent(int rank) {
    std::vector<Persistent>& mine = persistent_[static_cast<std::size_t>(rank)];
    for (std::size_t i = 0; i < 2; ++i) {
      Persistent p;
      p.name = "s" + num(++names_);
      p.label = label();
      p.sends = chance(50);
      p.synchronous = chance(30);
      const Receive r = pattern(rank, "");
      p.comm = r.comm;
      p.peer = p.sends ? a_peer(r.comm) : r.source;
      p.tag = p.sends ? a_tag() : r.tag;
      say(rank, (p.sends ? std::string(p.synchronous ? "Ssend_init" : "Send_init") + " dest=" +
                               num(p.peer) + " tag=" + num(p.tag) + " comm=" + comm(p.comm).name
                         : "Recv_init" + from(r)) +
                    " request=" + p.name + " @" + p.label);
      mine.push_back(p);
    }
  }

  void start_one(int rank, Persistent& p, const std::string& at) {
    const std::string name = p.label + "/" + at;
    Request q;
    q.name = p.name;
    q.persistent = true;
    q.synchronous = p.synchronous;
    if (p.sends) {
      q.message = send(rank, p.comm, p.peer, p.tag, name);
    } else {
      Receive r;
      r.label = name;
      r.comm = p.comm;
      r.me = rank;
      r.source = p.peer;
      r.tag = p.tag;
      q.receive = post(r);
    }
    p.active = true;
    pending(rank).push_back(q);
  }

  void start(int rank) {
    std::vector<Persistent>& mine = persistent_[static_cast<std::size_t>(rank)];
    std::vector<Persistent*> idle;
    for (Persistent& p : mine) {
      if (!p.active) idle.push_back(&p);
    }
    if (idle.empty()) return;
    const std::string at = label();
    if (chance(50)) {
      Persistent& p = *idle[pick(idle.size())];
      say(rank, "Start request=" + p.name + " @" + at);
      return start_one(rank, p, at);
    }
    std::string names;
    for (Persistent* p : idle) names += (names.empty() ? "" : ",") + p->name;
    say(rank, "Startall requests=[" + names + "] @" + at);
    for (Persistent* p : idle) start_one(rank, *p, at);
  }

  // ---- Completion ----
  std::vector<Request>& pending(int rank) { return pending_[static_cast<std::size_t>(rank)]; }
  bool complete(const Request& q) const {
    if (q.receive >= 0 && !has(q.receive) &&
        !receives_[static_cast<std::size_t>(q.receive)].cancelled)
      return false;
    if (q.message >= 0 && q.synchronous) {
      const Message& m = all_[static_cast<std::size_t>(q.message)];
      return m.taken || m.cancelled;
    }
    return true;
  }
  std::string status_of(const Request& q) const {
    if (q.receive >= 0) {
      if (!has(q.receive)) return "(-1,-1,0,0,1)";
      return status(got(q.receive));
    }
    return all_[static_cast<std::size_t>(q.message)].cancelled ? "(-1,-1,0,0,1)" : "(-1,-1,0,0,0)";
  }
  void gone(int rank, std::size_t i) {
    Request& q = pending(rank)[i];
    if (q.persistent) {
      for (Persistent& p : persistent_[static_cast<std::size_t>(rank)])
        p.active = p.active && p.name != q.name;
    } else {
      release(rank, q.name);
    }
    pending(rank).erase(pending(rank).begin() + static_cast<std::ptrdiff_t>(i));
  }

  void try_cancel(int rank, Request& q) {
    if (q.receive >= 0 && q.message >= 0) return;
    q.cancel_tried = true;
    say(rank, "Cancel request=" + q.name);
    if (q.receive >= 0 && !has(q.receive)) {
      receives_[static_cast<std::size_t>(q.receive)].cancelled = true;
      std::erase(posted_, q.receive);
    } else if (q.message >= 0 && !all_[static_cast<std::size_t>(q.message)].taken &&
               !all_[static_cast<std::size_t>(q.message)].probed && chance(50)) {
      all_[static_cast<std::size_t>(q.message)].cancelled = true;
      std::erase(unexpected_, q.message);
    }
  }

  void complete(int rank) {
    std::vector<Request>& mine = pending(rank);
    if (mine.empty()) return;
    if (chance(15)) {
      Request& q = mine[pick(mine.size())];
      if (!q.cancel_tried) try_cancel(rank, q);
    }
    const std::size_t one = pick(mine.size());
    if (chance(50)) {
      const bool done = complete(mine[one]);
      if (!done) {
        if (chance(30)) say(rank, "Test request=" + mine[one].name + " -> flag=false");
        return;
      }
      if (mine[one].receive >= 0 && !mine[one].persistent && has(mine[one].receive) && chance(10)) {
        say(rank, "Wait request=" + mine[one].name +
                      " !ERR_TRUNCATE -> status=" + status_of(mine[one]) + " request=REQUEST_NULL");
      } else {
        say(rank, std::string(chance(50) ? "Wait" : "Test") + " request=" + mine[one].name +
                      " -> status=" + status_of(mine[one]));
      }
      return gone(rank, one);
    }
    std::string names, statuses, indices, some;
    std::vector<std::size_t> done;
    for (std::size_t i = 0; i < mine.size(); ++i) {
      names += (i > 0 ? "," : "") + mine[i].name;
      if (!complete(mine[i])) continue;
      indices += (done.empty() ? "" : ",") + num(static_cast<int>(i));
      some += (done.empty() ? "" : ",") + status_of(mine[i]);
      done.push_back(i);
    }
    if (done.empty()) return;
    const std::string requests = " requests=[" + names + "]";
    switch (pick(4)) {
      case 0: {
        const std::size_t i = done[pick(done.size())];
        say(rank, std::string(chance(50) ? "Waitany" : "Testany") + requests +
                      " -> index=" + num(static_cast<int>(i)) + " status=" + status_of(mine[i]));
        return gone(rank, i);
      }
      case 1:
        if (done.size() == mine.size()) {
          say(rank, std::string(chance(50) ? "Waitall" : "Testall") + requests + " -> statuses=[" +
                        some + "]");
          while (!mine.empty()) gone(rank, mine.size() - 1);
        }
        return;
      case 2: {  // some entries failed, others are still pending
        std::string all;
        for (std::size_t i = 0; i < mine.size(); ++i) {
          all += (i > 0 ? "," : "");
          all += complete(mine[i]) ? status_of(mine[i]) : "(-1,-1,0,ERR_PENDING,0)";
        }
        if (done.size() == mine.size()) return;
        say(rank, "Waitall" + requests + " !ERR_IN_STATUS -> statuses=[" + all + "]");
        break;
      }
      default:
        say(rank, std::string(chance(50) ? "Waitsome" : "Testsome") + requests +
                      " -> outcount=" + num(static_cast<int>(done.size())) + " indices=[" +
                      indices + "] statuses=[" + some + "]");
    }
    for (auto i = done.rbegin(); i != done.rend(); ++i) gone(rank, *i);
  }

  void end_program() {
    for (auto& [key, way] : transit_) {
      while (!way.empty()) deliver();
    }
    for (int r = 0; r < size_; ++r) {
      while (!pending(r).empty()) {
        const std::size_t i = pick(pending(r).size());
        Request& q = pending(r)[i];
        if (!complete(q)) {
          if (q.message >= 0 && q.receive >= 0) {
            // An MPI_Isendrecv is not cancelled; somebody sends what it waits for.
            const Receive w = receives_[static_cast<std::size_t>(q.receive)];
            feed(w);
          } else if (!q.cancel_tried) {
            try_cancel(r, q);
          }
          if (!complete(q) && q.message >= 0)
            feed_synchronous(all_[static_cast<std::size_t>(q.message)]);
        }
        if (!complete(q)) continue;
        say(r, "Wait request=" + q.name + " -> status=" + status_of(q));
        gone(r, i);
      }
    }
    for (int r = 0; r < size_; ++r) {
      for (const Persistent& p : persistent_[static_cast<std::size_t>(r)]) {
        say(r, "Request_free request=" + p.name);
      }
      persistent_[static_cast<std::size_t>(r)].clear();
      messages_[static_cast<std::size_t>(r)].clear();
      if (chance(50)) say(r, "Comm_free comm=" + comms_[0].name);
    }
    for (const Message& m : all_) {
      if (!m.taken && !m.cancelled) unmatched.insert(m.label);
    }
    for (auto& [key, ends] : partitioned_) {
      const std::size_t n = std::min(ends[0].size(), ends[1].size());
      for (std::size_t i = 0; i < n; ++i) met.insert({ends[0][i], ends[1][i]});
      for (auto& end : ends)
        unmatched.insert(end.begin() + static_cast<std::ptrdiff_t>(n), end.end());
    }
    partitioned_.clear();
    all_.clear();
    receives_.clear();
    posted_.clear();
    unexpected_.clear();
    transit_.clear();
  }

  void feed(const Receive w) {
    const int c = other_side(w.comm);
    const int sender = feeder(w);
    const int dest = index_of(comm(w.comm).group, w.me);
    const std::string at = label();
    const int tag = w.tag >= 0 ? w.tag : 0;
    send(sender, c, dest, tag, at);
    say(sender,
        "Send dest=" + num(dest) + " tag=" + num(tag) + " comm=" + comm(c).name + " @" + at);
    for (auto& [key, way] : transit_) {
      while (!way.empty()) deliver();
    }
  }
  void feed_synchronous(const Message& m) {
    const std::string at = label();
    Receive r;
    r.label = at;
    r.comm = m.comm;
    r.me = m.to;
    r.source = m.source;
    r.tag = m.tag;
    const int index = post(r);
    if (!has(index)) {  // cancelled
      std::erase(posted_, index);
      return;
    }
    say(m.to, "Recv" + from(r) + " @" + at);
  }

  std::mt19937_64 random_;
  int size_;
  std::vector<std::vector<std::string>> lines_;
  std::vector<Comm> comms_;
  std::vector<Message> all_;
  std::vector<Receive> receives_;
  std::vector<int> posted_, unexpected_;
  std::map<std::array<int, 3>, std::deque<int>> transit_;
  std::map<std::vector<int>, std::array<std::vector<std::string>, 2>> partitioned_;
  std::vector<std::vector<Request>> pending_;
  std::vector<std::vector<Held>> messages_;
  std::vector<std::vector<Persistent>> persistent_;
  std::vector<std::vector<std::string>> unused_;
  int labels_ = 0, names_ = 0, programs_ = 0;
};

}  // namespace vouch
