// Text in, state out.

#include "model/world.h"

#include <gtest/gtest.h>

#include <charconv>

#include "model/effect.h"
#include "model/replay.h"

namespace vouch {
namespace {

struct Ran {
  World world;
  Replay replay{world};
  explicit Ran(std::string_view text) {
    const Result<TextTrace> trace = read_text(text);
    EXPECT_TRUE(trace.ok()) << (trace.ok() ? "" : trace.error());
    if (trace.ok()) replay.run(trace.value());
  }
  Process& operator[](int rank) { return replay.process(rank); }
};

std::string hex(std::uint64_t v) {
  char digits[16];
  return "0x" + std::string(digits, std::to_chars(digits, digits + 16, v, 16).ptr);
}

std::string join(const std::vector<int>& v) {
  std::string s;
  for (const int x : v) s += (s.empty() ? "" : ",") + std::to_string(x);
  return s;
}

std::string show(const Communicator& c) {
  static constexpr const char* kTopologies[] = {"", " cart", " graph", " dist_graph"};
  std::string s =
      "comm " + hex(c.raw) + " size=" + std::to_string(c.size) + " rank=" + std::to_string(c.rank);
  if (c.inter()) s += " remote=" + std::to_string(c.remote_size);
  s += kTopologies[static_cast<int>(c.topology)];
  for (std::size_t i = 0; i < c.dims.size(); ++i) {
    s += (i == 0 ? " " : "x") + std::to_string(c.dims[i]) + (c.periods[i] ? "p" : "");
  }
  if (c.topology == Topology::graph || c.topology == Topology::dist_graph) {
    s += " in=" + std::to_string(c.indegree) + " out=" + std::to_string(c.outdegree);
  }
  if (c.members != nullptr) s += " members=" + join(c.members->list());
  if (!c.ready) s += " not-ready";
  if (c.no_any_tag) s += " no_any_tag";
  if (c.no_any_source) s += " no_any_source";
  return s;
}
std::string show(const Group& g) {
  return "group " + hex(g.raw) + " " +
         (g.members != nullptr ? "{" + join(g.members->list()) + "}" : "unknown") +
         (g.refs > 1 ? " refs=" + std::to_string(g.refs) : "");
}
std::string show(const Datatype& d) {
  std::string s = "type " + hex(d.raw) + (d.committed ? " committed" : " uncommitted");
  if (!d.known()) return s + " unknown";
  return s + " size=" + std::to_string(d.size()) + " extent=" + std::to_string(d.extent());
}
std::string show(const Request& r) {
  static constexpr const char* kKinds[] = {"send",  "recv",  "collective",  "rma",  "io",
                                           "psend", "precv", "generalized", "idup", "other"};
  static constexpr const char* kStates[] = {"inactive", "active", "complete"};
  std::string s = "request " + hex(r.raw) + " " + kKinds[static_cast<int>(r.kind)] + " " +
                  kStates[static_cast<int>(r.state)];
  if (r.persistent) s += " persistent";
  if (r.cancelled) s += " cancelled";
  if (!r.ready.empty()) {
    s += " ready=";
    for (const bool b : r.ready) s += b ? '1' : '0';
  }
  if (!r.twins.empty()) s += " twins=" + std::to_string(r.twins.size());
  return s;
}
std::string show(const Op& o) { return "op " + hex(o.raw) + (o.commutes ? "" : " ordered"); }
std::string show(const Window& w) {
  return "win " + hex(w.raw) + " size=" + std::to_string(w.size) +
         " bytes=" + std::to_string(w.bytes);
}
std::string show(const File& f) { return "file " + hex(f.raw) + " " + f.name; }
std::string show(const Keyval& k) {
  return "keyval " + hex(k.raw) + " of " + std::string(kind_name(k.of));
}
std::string show(const Errhandler& e) {
  return "errhandler " + hex(e.raw) + (e.from_get ? " got" : "") +
         (e.refs > 1 ? " refs=" + std::to_string(e.refs) : "");
}
std::string show(const Info& i) { return "info " + hex(i.raw); }
std::string show(const Session& s) { return "session " + hex(s.raw); }
std::string show(const Message& m) {
  return "message " + hex(m.raw) + " source=" + std::to_string(m.source) +
         " tag=" + std::to_string(m.tag);
}

// What rank 0 has made and not freed.
std::string state(std::string_view text) {
  Ran ran(text);
  std::string result;
  const auto list = [&](const auto& table) {
    table.for_each([&](const auto& object) {
      if (!object.predefined()) result += show(object) + "\n";
    });
  };
  const Process& p = ran[0];
  list(p.comms);
  list(p.groups);
  list(p.datatypes);
  list(p.ops);
  list(p.requests);
  list(p.windows);
  list(p.files);
  list(p.keyvals);
  list(p.errhandlers);
  list(p.infos);
  list(p.sessions);
  list(p.messages);
  return result;
}

// Requests
// Whatever runs a list comes in, it is one.
TEST(Members, the_first_outside) {
  const auto outside = [](const std::vector<int>& some, const std::vector<int>& all) {
    return first_outside(Members::of(some), Members::of(all)).value;
  };
  EXPECT_EQ(outside({0, 1, 2}, {0, 1, 2, 3}), -1);
  EXPECT_EQ(outside({3, 1}, {0, 1, 2, 3}), -1);
  EXPECT_EQ(outside({0, 2, 4}, {0, 1, 2, 3}), 4);
  EXPECT_EQ(outside({0, 1, 2}, {0, 2, 4, 5}), 1);
  EXPECT_EQ(outside({0, 2, 4}, {4, 2, 0}), -1);
  EXPECT_EQ(outside({1, 2, 3, 4}, {1, 3, 2, 4}), -1);
  EXPECT_EQ(outside({-1, 7}, {7, 8}), -1);
  EXPECT_EQ(outside({}, {1}), -1);
  EXPECT_EQ(outside({0}, {}), 0);
  // A run that another holds is not gone through.
  Members some, all;
  some.runs = {{0, 2, 1 << 19}};
  all.runs = {{0, 1, 1 << 20}};
  for (int i = 0; i < 10'000; ++i) EXPECT_EQ(first_outside(some, all).value, -1);
}

TEST(Members, equal_lists_become_equal_runs) {
  std::uint32_t state = 7;
  const auto random = [&](std::uint32_t n) {
    state = state * 1664525 + 1013904223;
    return (state >> 9) % n;
  };
  for (int turn = 0; turn < 2000; ++turn) {
    Members some;
    for (std::uint32_t n = random(6); n > 0; --n) {
      if (random(5) == 0) {
        some.runs.push_back({-1, 0, 1 + static_cast<int>(random(3))});
      } else {
        some.runs.push_back({5 + static_cast<int>(random(4)), static_cast<int>(random(3)) - 1,
                             1 + static_cast<int>(random(4))});
      }
    }
    const Members whole = Members::of(some.list());
    some.normalize();
    ASSERT_EQ(some.runs, whole.runs);
    ASSERT_EQ(some.size, whole.size);
  }
}

TEST(Requests, nonblocking) {
  EXPECT_EQ(state("0 Isend request=0x60\n0 Irecv request=0x61\n0 Ibarrier request=0x62\n"),
            "request 0x60 send active\nrequest 0x61 recv active\nrequest 0x62 collective active\n");
  EXPECT_EQ(state("0 Isend request=0x60\n0 Wait request=0x60\n"), "");
  EXPECT_EQ(state("0 Isend request=0x60\n0 Test request=0x60 -> flag=0\n"),
            "request 0x60 send active\n");
  EXPECT_EQ(state("0 Isend request=0x60\n0 Test request=0x60\n"), "");
  EXPECT_EQ(state("0 Isend request=0x60\n0 Request_free request=0x60\n"), "");
  EXPECT_EQ(state("0 Irecv request=0x60\n0 Cancel request=0x60\n"),
            "request 0x60 recv active cancelled\n");
  EXPECT_EQ(state("0 Irecv request=0x60\n0 Request_get_status request=0x60\n"),
            "request 0x60 recv active\n");
  EXPECT_EQ(state("0 Isend request=0x60 !ERR_RANK\n"), "");
}

TEST(Requests, a_done_one_is_stale_until_reissued) {
  Ran ran(
      "0 Isend request=0x60 @a.c:1\n0 Wait request=0x60 @a.c:2\n0 Isend request=0x61\n0 Wait "
      "request=0x61\n0 Isend request=0x61\n");
  const Process& p = ran[0];
  ASSERT_NE(p.requests.stale(0x60), nullptr);
  EXPECT_EQ(p.requests.stale(0x60)->freed_by, Proc::wait);
  EXPECT_EQ(p.requests.stale(0x60)->made_by, Proc::isend);
  EXPECT_NE(p.requests.stale(0x60)->freed, p.requests.stale(0x60)->made);
  EXPECT_EQ(p.requests.stale(0x61), nullptr);
  EXPECT_EQ(p.requests.find(0x61)->generation, 2u);
  EXPECT_FALSE(p.requests.knows(0x62));
}

TEST(Requests, persistent) {
  const std::string made = "0 Send_init request=0x60\n";
  EXPECT_EQ(state(made), "request 0x60 send inactive persistent\n");
  EXPECT_EQ(state(made + "0 Start request=0x60\n"), "request 0x60 send active persistent\n");
  EXPECT_EQ(state(made + "0 Startall requests=[0x60]\n0 Waitall requests=[0x60]\n"),
            "request 0x60 send inactive persistent\n");
  EXPECT_EQ(state(made + "0 Request_free request=0x60\n"), "");
  EXPECT_EQ(state("0 Bcast_init request=0x60\n0 Start request=0x60\n0 Test request=0x60\n"),
            "request 0x60 collective inactive persistent\n");
}

// [U61]
TEST(Requests, only_the_named_entries_of_an_array_move) {
  const std::string three =
      "0 Isend request=0x60\n0 Irecv request=0x61\n0 Recv_init request=0x62\n0 Start "
      "request=0x62\n";
  const std::string a = "request 0x60 send active\n", b = "request 0x61 recv active\n",
                    c = "request 0x62 recv active persistent\n";
  const std::string all = "requests=[0x60,0x61,0x62]";
  EXPECT_EQ(state(three), a + b + c);
  EXPECT_EQ(state(three + "0 Waitany " + all + " -> index=1\n"), a + c);
  EXPECT_EQ(state(three + "0 Testany " + all + " -> index=UNDEFINED flag=1\n"),
            a + b + "request 0x62 recv inactive persistent\n");
  EXPECT_EQ(state(three + "0 Waitsome " + all + " -> outcount=2 indices=[0,2]\n"),
            b + "request 0x62 recv inactive persistent\n");
  EXPECT_EQ(state(three + "0 Testsome " + all + " -> outcount=0 indices=[]\n"), a + b + c);
  EXPECT_EQ(state(three + "0 Testsome " + all + " -> outcount=UNDEFINED\n"),
            a + b + "request 0x62 recv inactive persistent\n");
  EXPECT_EQ(state(three + "0 Waitall " + all + "\n"), "request 0x62 recv inactive persistent\n");
  EXPECT_EQ(state(three + "0 Testall " + all + " -> flag=0\n"), a + b + c);
}

// [U54]
TEST(Requests, errors_in_status) {
  const std::string three = "0 Isend request=0x60\n0 Irecv request=0x61\n0 Irecv request=0x62\n";
  EXPECT_EQ(
      state(three +
            "0 Waitall requests=[0x60,0x61,0x62] "
            "-> statuses=[(0,0,4),(0,0,4,ERR_TRUNCATE),(0,0,0,ERR_PENDING)] !ERR_IN_STATUS\n"),
      "request 0x62 recv active\n");
  // A truncated receive is over: the library took the message and cleared the handle.
  EXPECT_EQ(
      state("0 Irecv request=0x60\n0 Wait request=0x60 -> request=REQUEST_NULL !ERR_TRUNCATE\n"),
      "");
  EXPECT_EQ(state("0 Irecv request=0x60\n0 Wait request=0x60 -> request=0x60 !ERR_OTHER\n"),
            "request 0x60 recv active\n");
}

TEST(Requests, that_share_a_handle) {
  const std::string two = "0 Isend request=0x60&0x100\n0 Isend request=&0x108 -> request=0x60\n";
  EXPECT_EQ(state(two), "request 0x60 send active twins=1\n");
  EXPECT_EQ(state(two + "0 Wait request=0x60&0x100\n"), "request 0x60 send active\n");
  EXPECT_EQ(state(two + "0 Waitall requests=[0x60,0x60]&0x100\n"), "");
  Ran ran(two + "0 Wait request=0x60&0x100\n");
  EXPECT_EQ(ran[0].requests.find(0x60)->variable, 0x108u);
}

TEST(Requests, partitioned_and_generalized) {
  const std::string made = "0 Psend_init partitions=4 request=0x60\n0 Start request=0x60\n";
  EXPECT_EQ(state(made), "request 0x60 psend active persistent ready=0000\n");
  EXPECT_EQ(state(made + "0 Pready partition=1 request=0x60\n0 Pready_range partition_low=2 "
                         "partition_high=3 request=0x60\n"),
            "request 0x60 psend active persistent ready=0111\n");
  EXPECT_EQ(state(made + "0 Pready_list array_of_partitions=[0,3] request=0x60\n"),
            "request 0x60 psend active persistent ready=1001\n");
  EXPECT_EQ(state("0 Grequest_start request=0x60\n0 Grequest_complete request=0x60\n"),
            "request 0x60 generalized complete\n");
  EXPECT_EQ(
      state(
          "0 Grequest_start request=0x60\n0 Grequest_complete request=0x60\n0 Wait request=0x60\n"),
      "");
}

TEST(Requests, messages) {
  EXPECT_EQ(state("0 Mprobe source=1 tag=7 message=0x70 -> status=(1,7,4)\n"),
            "message 0x70 source=1 tag=7\n");
  EXPECT_EQ(state("0 Mprobe message=0x70\n0 Mrecv message=0x70\n"), "");
  EXPECT_EQ(state("0 Mprobe message=0x70\n0 Imrecv message=0x70 request=0x60\n"),
            "request 0x60 recv active\n");
  EXPECT_EQ(state("0 Improbe -> flag=0\n"), "");
  EXPECT_EQ(state("0 Mprobe -> message=MESSAGE_NO_PROC\n0 Mrecv message=MESSAGE_NO_PROC\n"), "");
}

// Communicators
TEST(Communicators, from_events_alone) {
  const std::string world = "0 world size=4\n";
  EXPECT_EQ(state(world + "0 Comm_dup newcomm=0x60\n"),
            "comm 0x60 size=4 rank=0 members=0,1,2,3\n");
  EXPECT_EQ(state(world + "0 Comm_dup newcomm=0x60\n0 Comm_free comm=0x60\n"), "");
  EXPECT_EQ(state(world + "0 Comm_dup comm=COMM_SELF newcomm=0x60\n"),
            "comm 0x60 size=1 rank=0 members=0\n");
  EXPECT_EQ(state(world + "0 Comm_split color=UNDEFINED\n"), "");
  EXPECT_EQ(state(world + "0 Comm_split newcomm=0x60\n0 comm 0x60 members=2,0\n"),
            "comm 0x60 size=2 rank=1 members=2,0\n");
  EXPECT_EQ(state(world + "0 Cart_create ndims=2 dims=[2,2] periods=[1,0] comm_cart=0x60\n"),
            "comm 0x60 size=4 rank=0 cart 2px2 members=0,1,2,3\n");
  EXPECT_EQ(
      state(world + "0 Cart_create ndims=1 dims=[2] periods=[0] comm_cart=0x60\n0 Comm_dup "
                    "comm=0x60 newcomm=0x61\n"),
      "comm 0x60 size=2 rank=0 cart 2 members=0,1\ncomm 0x61 size=2 rank=0 cart 2 members=0,1\n");
  EXPECT_EQ(
      state(world + "0 Cart_create ndims=2 dims=[2,2] periods=[1,0] comm_cart=0x60\n"
                    "0 Cart_sub comm=0x60 remain_dims=[1,0] newcomm=0x61\n0 Comm_free comm=0x60\n"),
      "comm 0x61 size=2 rank=0 cart 2p\n");
  EXPECT_EQ(
      state(world + "0 Graph_create nnodes=3 index=[2,3,4] edges=[1,2,0,0] comm_graph=0x60\n"),
      "comm 0x60 size=3 rank=0 graph in=2 out=2 members=0,1,2\n");
  EXPECT_EQ(
      state(world +
            "0 Dist_graph_create_adjacent sources=[1] destinations=[1,2] comm_dist_graph=0x60\n"),
      "comm 0x60 size=4 rank=0 dist_graph in=1 out=2 members=0,1,2,3\n");
  EXPECT_EQ(
      state(world + "0 Comm_group group=0x70\n0 Group_incl group=0x70 ranks=[2,0] newgroup=0x71\n"
                    "0 Comm_create group=0x71 newcomm=0x60\n0 Group_free group=0x70\n0 Group_free "
                    "group=0x71\n"),
      "comm 0x60 size=2 rank=1 members=2,0\n");
  EXPECT_EQ(state(world + "0 Intercomm_create local_comm=COMM_SELF newintercomm=0x60\n0 comm 0x60 "
                          "members=0 remote=3\n"),
            "comm 0x60 size=1 rank=0 remote=3 members=0\n");
}

TEST(Communicators, idup_is_valid_once_its_request_is_done) {
  EXPECT_EQ(state("0 Comm_idup newcomm=0x60 request=0x61\n"),
            "comm 0x60 size=2 rank=0 members=0,1 not-ready\nrequest 0x61 idup active\n");
  EXPECT_EQ(state("0 Comm_idup newcomm=0x60 request=0x61\n0 Wait request=0x61\n"),
            "comm 0x60 size=2 rank=0 members=0,1\n");
}

// Some libraries write the new handle only when the request is done; its facts come inside the
// completing call.
TEST(Communicators, idup_whose_handle_comes_late) {
  const std::string started = "0 Comm_idup newcomm=COMM_NULL request=0x61\n";
  EXPECT_EQ(state(started), "request 0x61 idup active\n");
  EXPECT_EQ(
      state(started +
            "0 Comm_dup ...\n0 comm 0x62 size=2 rank=0 members=0,1\n0 return -> newcomm=0x62\n"),
      "comm 0x62 size=2 rank=0 members=0,1\nrequest 0x61 idup active\n");
  EXPECT_EQ(
      state(started + "0 Wait request=0x61 ...\n0 comm 0x60 size=2 rank=0 members=0,1\n0 return\n"),
      "comm 0x60 size=2 rank=0 members=0,1\n");
  Ran ran(
      "0 Comm_idup newcomm=COMM_NULL request=0x61\n1 Comm_idup newcomm=0x60 request=0x61\n"
      "0 Wait request=0x61 ...\n0 comm 0x60 size=2 rank=0 members=0,1\n0 return\n");
  EXPECT_EQ(ran[0].comms.find(0x60)->id, ran[1].comms.find(0x60)->id);
  EXPECT_EQ(ran[0].comms.find(0x60)->made_by, Proc::comm_idup);
}

TEST(Communicators, hints) {
  const std::string info =
      "0 Info_create info=0x70\n0 Info_set info=0x70 key=\"mpi_assert_no_any_tag\" "
      "value=\"true\"\n";
  EXPECT_EQ(state(info + "0 Comm_dup_with_info info=0x70 newcomm=0x60\n0 Info_free info=0x70\n"),
            "comm 0x60 size=2 rank=0 members=0,1 no_any_tag\n");
  EXPECT_EQ(
      state(
          info +
          "0 Comm_dup newcomm=0x60\n0 Comm_set_info comm=0x60 info=0x70\n0 Info_free info=0x70\n"),
      "comm 0x60 size=2 rank=0 members=0,1 no_any_tag\n");
  EXPECT_EQ(state(info + "0 Comm_dup newcomm=0x60\n0 Info_free info=0x70\n"),
            "comm 0x60 size=2 rank=0 members=0,1\n");
}

// An id is equal in all members and differs from all others.
TEST(Communicators, identity) {
  Ran ran(
      "0 world size=4\n"
      "0 Comm_dup newcomm=a\n1 Comm_dup newcomm=a\n2 Comm_dup newcomm=a\n"
      "0 Comm_split color=1 newcomm=b\n1 Comm_split color=2 newcomm=b\n2 Comm_split color=1 "
      "newcomm=b\n"
      "3 Comm_dup newcomm=a\n3 Comm_split color=UNDEFINED\n"
      "0 Comm_dup newcomm=c\n1 Comm_dup newcomm=c\n2 Comm_dup newcomm=c\n3 Comm_dup newcomm=c\n");
  const auto id = [&](int rank, std::uint64_t raw) { return ran[rank].comms.find(raw)->id; };
  EXPECT_EQ(id(0, 0x51), id(1, 0x51));
  EXPECT_EQ(id(0, 0x51), id(3, 0x51));
  EXPECT_EQ(id(0, 0x52), id(2, 0x52));
  EXPECT_NE(id(0, 0x52), id(1, 0x52));
  EXPECT_EQ(id(0, 0x53), id(1, 0x53));
  // Rank 3 got no communicator from the split, so its second handle is the last dup.
  std::uint64_t last = 0;
  ran[3].comms.for_each([&](const Communicator& c) { last = c.id; });
  EXPECT_EQ(last, id(0, 0x53));
  EXPECT_NE(id(0, 0x51), id(0, 0x53));
  const auto predefined = [&](int rank, Constant c) {
    return ran[rank].comms.find(text_handle(c))->id;
  };
  EXPECT_EQ(predefined(0, Constant::comm_world), predefined(3, Constant::comm_world));
  EXPECT_NE(predefined(0, Constant::comm_self), predefined(3, Constant::comm_self));
}

TEST(Communicators, identity_of_a_group_constructor_needs_no_one_else) {
  const std::string groups =
      "{r} Comm_group group=g\n{r} Group_incl group=g ranks=[0,2] newgroup=h\n";
  std::string text = "0 world size=3\n1 Comm_dup newcomm=x\n";
  for (const char r : {'0', '2'}) {
    std::string mine = groups;
    for (std::size_t at; (at = mine.find("{r}")) != std::string::npos;) mine.replace(at, 3, 1, r);
    text += mine + r + " Comm_create_group group=h tag=3 newcomm=0x90\n" + r +
            " Comm_create_group group=h tag=3 newcomm=0x91\n";
  }
  Ran ran(text);
  EXPECT_EQ(ran[0].comms.find(0x90)->id, ran[2].comms.find(0x90)->id);
  EXPECT_NE(ran[0].comms.find(0x90)->id, ran[0].comms.find(0x91)->id);
  EXPECT_EQ(ran[0].comms.find(0x91)->id, ran[2].comms.find(0x91)->id);
}

// The two sides of an inter-communicator know each other only through their leaders.
TEST(Communicators, identity_across_an_inter_communicator) {
  std::string text = "0 world size=4\n";
  for (const char r : {'0', '1', '2', '3'}) {
    text += std::string(1, r) + " Comm_split color=" + (r < '2' ? "0" : "1") + " newcomm=0x60\n" +
            r + " comm 0x60 members=" + (r < '2' ? "0,1" : "2,3") + "\n";
  }
  // Members that are no leaders come first; what they pass for the peer is garbage.
  text +=
      "1 Intercomm_create local_comm=0x60 local_leader=0 peer_comm=0x999 remote_leader=77 tag=5 "
      "newintercomm=0x61\n"
      "3 Intercomm_create local_comm=0x60 local_leader=0 peer_comm=0x999 remote_leader=77 tag=5 "
      "newintercomm=0x61\n"
      "0 Intercomm_create local_comm=0x60 local_leader=0 remote_leader=2 tag=5 newintercomm=0x61\n"
      "2 Intercomm_create local_comm=0x60 local_leader=0 remote_leader=0 tag=5 newintercomm=0x61\n";
  Ran ran(text);
  for (int r = 1; r < 4; ++r) EXPECT_EQ(ran[r].comms.find(0x61)->id, ran[0].comms.find(0x61)->id);
}

TEST(Communicators, facts_may_come_before_the_call_returned) {
  EXPECT_EQ(state("0 Comm_split ...\n0 comm 0x60 members=1,0\n0 return -> newcomm=0x60\n"),
            "comm 0x60 size=2 rank=1 members=1,0\n");
}

// Groups
TEST(Groups, set_operations) {
  const std::string base =
      "0 world size=6\n0 Comm_group group=0x70\n0 Group_incl group=0x70 ranks=[4,2,0] "
      "newgroup=0x71\n"
      "0 Group_incl group=0x70 ranks=[0,1,2] newgroup=0x72\n";
  const auto result = [&](const std::string& call) {
    const std::string all = state(base + call);
    return all.substr(all.find("0x73") == std::string::npos ? all.size() : all.find("0x73") + 5);
  };
  EXPECT_EQ(result("0 Group_union group1=0x71 group2=0x72 newgroup=0x73\n"), "{4,2,0,1}\n");
  EXPECT_EQ(result("0 Group_intersection group1=0x71 group2=0x72 newgroup=0x73\n"), "{2,0}\n");
  EXPECT_EQ(result("0 Group_difference group1=0x71 group2=0x72 newgroup=0x73\n"), "{4}\n");
  EXPECT_EQ(result("0 Group_excl group=0x71 ranks=[1] newgroup=0x73\n"), "{4,0}\n");
  EXPECT_EQ(result("0 Group_range_incl group=0x70 ranges=[5,1,-2,0,0,1] newgroup=0x73\n"),
            "{5,3,1,0}\n");
  EXPECT_EQ(result("0 Group_range_excl group=0x70 ranges=[0,4,2] newgroup=0x73\n"), "{1,3,5}\n");
  EXPECT_EQ(result("0 Group_union group1=GROUP_EMPTY group2=0x72 newgroup=0x73\n"), "{0,1,2}\n");
  EXPECT_EQ(result("0 Group_difference group1=0x72 group2=0x72 -> newgroup=GROUP_EMPTY\n"), "");
  EXPECT_EQ(result("0 Group_union group1=0x99 group2=0x72 newgroup=0x73\n"), "unknown\n");
}

TEST(Groups, one_object_handed_out_twice_is_freed_twice) {
  const std::string two = "0 Comm_group group=0x70\n0 Comm_group group=0x70\n";
  EXPECT_EQ(state(two), "group 0x70 {0,1} refs=2\n");
  EXPECT_EQ(state(two + "0 Group_free group=0x70\n"), "group 0x70 {0,1}\n");
  EXPECT_EQ(state(two + "0 Group_free group=0x70\n0 Group_free group=0x70\n"), "");
}

TEST(Groups, runs) {
  EXPECT_EQ(Members::of({0, 1, 2, 3}).runs.size(), 1u);
  EXPECT_EQ(Members::of({0, 2, 4, 5}).runs.size(), 2u);
  const Members m = Members::of({7, 5, 3, -1, -1, 0});
  EXPECT_EQ(m.list(), (std::vector<int>{7, 5, 3, -1, -1, 0}));
  EXPECT_EQ(m.world(CommRank{1}).value, 5);
  EXPECT_EQ(m.world(CommRank{3}).value, -1);
  EXPECT_EQ(m.rank_of(WorldRank{3}).value, 2);
  EXPECT_EQ(m.rank_of(WorldRank{4}).value, -1);
  Members pieces;
  pieces.runs = {{0, 0, 1}, {1, 1, 2}, {3, 0, 1}};
  pieces.normalize();
  EXPECT_EQ(pieces, Members::of({0, 1, 2, 3}));
}

// Datatypes
TEST(Datatypes, from_events) {
  EXPECT_EQ(state("0 Type_contiguous count=3 newtype=0x80\n"),
            "type 0x80 uncommitted size=12 extent=12\n");
  EXPECT_EQ(state("0 Type_contiguous count=3 newtype=0x80\n0 Type_commit datatype=0x80\n"),
            "type 0x80 committed size=12 extent=12\n");
  EXPECT_EQ(state("0 Type_vector count=3 blocklength=1 stride=4 oldtype=DOUBLE newtype=0x80\n0 "
                  "Type_free datatype=0x80\n"),
            "");
  EXPECT_EQ(state("0 Type_vector_c count=3 blocklength=1 stride=4 oldtype=DOUBLE newtype=0x80\n"),
            "type 0x80 uncommitted size=24 extent=72\n");
  EXPECT_EQ(state("0 Type_create_struct array_of_blocklengths=[1,2] array_of_displacements=[0,8] "
                  "array_of_types=[CHAR,DOUBLE] "
                  "newtype=0x80\n"),
            "type 0x80 uncommitted size=17 extent=24\n");
  EXPECT_EQ(
      state(
          "0 Type_indexed array_of_blocklengths=[2,1] array_of_displacements=[0,4] newtype=0x80\n"),
      "type 0x80 uncommitted size=12 extent=20\n");
  EXPECT_EQ(state("0 Type_create_subarray array_of_sizes=[4,4] array_of_subsizes=[2,2] "
                  "array_of_starts=[1,1] newtype=0x80\n"),
            "type 0x80 uncommitted size=16 extent=64\n");
  EXPECT_EQ(state("0 Type_create_darray size=2 rank=1 array_of_gsizes=[5] "
                  "array_of_distribs=[DISTRIBUTE_BLOCK] "
                  "array_of_dargs=[DISTRIBUTE_DFLT_DARG] array_of_psizes=[2] newtype=0x80\n"),
            "type 0x80 uncommitted size=8 extent=20\n");
  EXPECT_EQ(state("0 Type_create_resized lb=-4 extent=16 newtype=0x80\n0 Type_dup oldtype=0x80 "
                  "newtype=0x81\n"),
            "type 0x80 uncommitted size=4 extent=16\ntype 0x81 uncommitted size=4 extent=16\n");
  EXPECT_EQ(state("0 Type_contiguous count=2 newtype=0x80\n0 Type_commit datatype=0x80\n0 Type_dup "
                  "oldtype=0x80 newtype=0x81\n"
                  "0 Type_free datatype=0x80\n"),
            "type 0x81 committed size=8 extent=8\n");
  EXPECT_EQ(state("0 Type_create_f90_real p=15 r=300 newtype=0x80\n"),
            "type 0x80 committed size=8 extent=8\n");
  EXPECT_EQ(state("0 Type_contiguous count=2 oldtype=0x99 newtype=0x80\n"),
            "type 0x80 uncommitted unknown\n");
  EXPECT_EQ(state("0 Type_contiguous count=-1 newtype=0x80 !ERR_COUNT\n"), "");
}

TEST(Datatypes, parts_outlive_their_handles) {
  EXPECT_EQ(state("0 Type_contiguous count=2 newtype=0x80\n0 Type_contiguous count=3 oldtype=0x80 "
                  "newtype=0x81\n"
                  "0 Type_free datatype=0x80\n0 Type_get_contents datatype=0x81 max_datatypes=1 "
                  "array_of_datatypes=[0x82]\n"),
            "type 0x81 uncommitted size=24 extent=24\ntype 0x82 committed size=8 extent=8\n");
}

// The rest
TEST(Others, birth_and_death) {
  EXPECT_EQ(state("0 Op_create commute=0 op=0x60\n"), "op 0x60 ordered\n");
  EXPECT_EQ(state("0 Op_create op=0x60\n0 Op_free op=0x60\n"), "");
  EXPECT_EQ(state("0 Win_create size=64 win=0x60\n"), "win 0x60 size=2 bytes=64\n");
  EXPECT_EQ(state("0 Win_create win=0x60\n0 Win_free win=0x60\n"), "");
  EXPECT_EQ(state("0 File_open filename=\"out\" fh=0x60\n"), "file 0x60 out\n");
  EXPECT_EQ(state("0 File_open fh=0x60\n0 File_close fh=0x60\n"), "");
  EXPECT_EQ(state("0 Type_create_keyval type_keyval=17\n"), "keyval 0x11 of DATATYPE\n");
  EXPECT_EQ(state("0 Comm_create_keyval comm_keyval=17\n0 Comm_free_keyval comm_keyval=17\n"), "");
  EXPECT_EQ(state("0 Comm_create_errhandler errhandler=0x60\n"), "errhandler 0x60\n");
  EXPECT_EQ(state("0 Comm_create_errhandler errhandler=0x60\n0 Comm_get_errhandler "
                  "errhandler=0x60\n0 Errhandler_free errhandler=0x60\n"),
            "errhandler 0x60\n");
  EXPECT_EQ(state("0 Comm_get_errhandler -> errhandler=ERRORS_ARE_FATAL\n0 Errhandler_free "
                  "errhandler=ERRORS_ARE_FATAL\n"),
            "");
  EXPECT_EQ(
      state("0 Info_create info=0x60\n0 Info_dup info=0x60 newinfo=0x61\n0 Info_free info=0x60\n"),
      "info 0x61\n");
}

// Every procedure with defaults: the model knows its parameters by their names.
TEST(Others, every_procedure_has_an_effect_that_fits_its_parameters) {
  for (int i = 1; i < static_cast<int>(Proc::count_); ++i) {
    const ProcInfo& about = info(static_cast<Proc>(i));
    Ran ran(std::string("0 Isend\n0 Send_init request=p\n0 ") + about.name + "\n");
    if (about.family != Family::datatype || !about.has(kConstructor) ||
        about.base == Proc::type_get_contents)
      continue;
    int types = 0;
    ran[0].datatypes.for_each([&](const Datatype& d) {
      EXPECT_TRUE(d.known()) << about.name;
      types += !d.predefined();
    });
    EXPECT_EQ(types, 1) << about.name;
  }
}

TEST(Others, predefined_objects_are_live) {
  Ran ran("0 Barrier\n");
  EXPECT_TRUE(ran[0].comms.find(text_handle(Constant::comm_world))->predefined());
  EXPECT_EQ(ran[0].datatypes.find(text_handle(Constant::double_))->size(), 8);
  EXPECT_NE(ran[0].ops.find(text_handle(Constant::sum)), nullptr);
  EXPECT_EQ(ran[0].comms.find(text_handle(Constant::comm_null)), nullptr);
  EXPECT_TRUE(ran[0].is_null(Kind::comm, text_handle(Constant::comm_null)));
  EXPECT_EQ(ran[0].constant_of(Kind::error_class, ran[0].raw_of(Constant::err_truncate)),
            Constant::err_truncate);
}

TEST(Others, life_of_a_process) {
  Ran ran(
      "0 Init_thread required=THREAD_FUNNELED @a.c:1\n0 Finalize @a.c:9\n1 raw\n1 Session_init "
      "session=0x60\n2 Barrier\n2 Abort ...\n"
      "3 Finalize ...\n");
  EXPECT_EQ(ran[0].phase, Phase::finalized);
  EXPECT_EQ(ran[0].end, End::exited);
  EXPECT_EQ(ran[0].requested_level, Constant::thread_funneled);
  EXPECT_EQ(ran[0].thread_level, Constant::thread_multiple);
  EXPECT_NE(ran[0].init_site, Site{});
  EXPECT_NE(ran[0].finalize_site, Site{});
  EXPECT_EQ(ran[1].phase, Phase::before_init);
  EXPECT_EQ(ran[1].live_sessions, 1);
  EXPECT_TRUE(ran[2].aborted);
  EXPECT_EQ(ran[3].phase, Phase::finalizing);
  EXPECT_EQ(ran[3].end, End::alive);
}

// A library may give the value of a freed handle to another thread before the call that freed it is
// back.
TEST(Others, a_handle_that_is_issued_again_while_its_free_is_under_way) {
  const struct {
    const char *make, *free, *alive;
  } cases[] = {
      {"Comm_dup newcomm=0x61", "Comm_free comm=0x61", "comm 0x61 size=2 rank=0 members=0,1\n"},
      {"Type_dup newtype=0x61", "Type_free datatype=0x61", "type 0x61 committed size=4 extent=4\n"},
      {"Op_create op=0x61", "Op_free op=0x61", "op 0x61 ordered\n"},
      {"Info_create info=0x61", "Info_free info=0x61", "info 0x61\n"},
      {"Win_create win=0x61", "Win_free win=0x61", "win 0x61 size=2 bytes=64\n"},
  };
  for (const auto& c : cases) {
    const std::string made = std::string("0 ") + c.make + "\n",
                      begins = std::string("0.1 ") + c.free;
    EXPECT_EQ(state(made + begins + " ...\n" + made + "0.1 return\n"), c.alive) << c.make;
    EXPECT_EQ(state(made + begins + " ...\n0.1 return\n" + made), c.alive) << c.make;
    EXPECT_EQ(state(made + begins + " ...\n0.1 return\n"), "") << c.make;
    EXPECT_EQ(state(made + made + begins + "\n"), "") << c.make;
  }
}

}  // namespace
}  // namespace vouch
