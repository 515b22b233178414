// Correct calls by the thousand must be silent, and the short way must see what the long way sees.

#include <fmt/format.h>

#include <map>
#include <random>
#include <set>

#include "analysis/argument/argument.h"
#include "analysis/testing/cases.h"

namespace vouch {
namespace {

class Thorough : public Argument {
 public:
  Thorough(World& world, Sink& sink) : Argument(world, sink, false) {}
};

// One object of each kind, for what a call needs; rank 0 of 4.
constexpr const char* kObjects =
    "0 world size=4\n"
    "0 Comm_dup newcomm=dup\n"
    "0 Comm_split color=0 newcomm=half\n0 comm half size=2 rank=0 members=0,2\n"
    "0 Comm_dup newcomm=inter\n0 comm inter size=1 rank=0 remote=3 members=0\n"
    "0 Cart_create dims=[2,2] periods=[1,0] comm_cart=grid\n"
    "0 Type_vector count=3 blocklength=2 stride=4 newtype=vector\n0 Type_commit datatype=vector\n"
    "0 Type_create_hindexed array_of_blocklengths=[2] array_of_displacements=[1099511627776] "
    "newtype=absolute\n"
    "0 Type_commit datatype=absolute\n"
    "0 Op_create op=own\n"
    "0 Win_allocate win=win\n0 File_open fh=file\n0 Info_create info=info\n0 Comm_group "
    "group=group\n";

class Calls {
 public:
  explicit Calls(unsigned seed) : random_(seed) {}

  std::string next() {
    switch (pick(6)) {
      case 0:
      case 1:
        return p2p();
      case 2:
      case 3:
        return collective();
      case 4:
        return reduction();
      default:
        return other();
    }
  }

 private:
  struct Comm {
    const char* name;
    int peers;
    int rank;
    bool inter;
  };

  int pick(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  template <std::size_t N>
  const char* one(const char* const (&list)[N]) {
    return list[pick(static_cast<int>(N))];
  }
  Comm comm() {
    static constexpr Comm kComms[] = {{"COMM_WORLD", 4, 0, false}, {"COMM_SELF", 1, 0, false},
                                      {"dup", 4, 0, false},        {"half", 2, 0, false},
                                      {"inter", 3, 0, true},       {"grid", 4, 0, false}};
    return kComms[pick(6)];
  }
  std::string type() {
    return one({"MPI_INT", "MPI_DOUBLE", "MPI_CHAR", "vector", "MPI_BYTE", "MPI_2INT"});
  }
  int count() { return pick(4) == 0 ? 0 : pick(3) == 0 ? 2147483647 : pick(1000); }
  std::string peer(const Comm& c, bool any) {
    if (pick(6) == 0) return "PROC_NULL";
    if (any && pick(4) == 0) return "ANY_SOURCE";
    return std::to_string(pick(c.peers));
  }
  std::string tag(bool any) {
    return any && pick(4) == 0 ? "ANY_TAG" : std::to_string(pick(32768));
  }
  // A buffer that fits count and datatype: NULL only for nothing, MPI_BOTTOM only for absolute
  // types.
  std::string data(const char* buf, const char* count_name, const char* type_name, bool to_nobody) {
    if (pick(8) == 0)
      return fmt::format("{}=BOTTOM {}={} {}=absolute", buf, count_name, count(), type_name);
    const int n = count();
    const bool null = (n == 0 || to_nobody) && pick(2) == 0;
    return fmt::format("{}={} {}={} {}={}", buf, null ? "NULL" : "b", count_name, n, type_name,
                       type());
  }

  std::string p2p() {
    const Comm c = comm();
    const std::string to = peer(c, false), from = peer(c, true);
    switch (pick(4)) {
      case 0:
        return fmt::format("0 {} {} dest={} tag={} comm={}\n",
                           one({"Send", "Ssend", "Isend", "Send_init", "Send_c", "Bsend"}),
                           data("buf", "count", "datatype", to == "PROC_NULL"), to, tag(false),
                           c.name);
      case 1:
        return fmt::format(
            "0 {} {} source={} tag={} comm={}\n", one({"Recv", "Irecv", "Recv_init", "Recv_c"}),
            data("buf", "count", "datatype", from == "PROC_NULL"), from, tag(true), c.name);
      case 2:
        return fmt::format("0 {} source={} tag={} comm={}\n", one({"Probe", "Iprobe", "Mprobe"}),
                           from, tag(true), c.name);
      default:
        return fmt::format(
            "0 Sendrecv {} dest={} sendtag={} {} source={} recvtag={} comm={}\n",
            data("sendbuf", "sendcount", "sendtype", to == "PROC_NULL"), to, tag(false),
            data("recvbuf", "recvcount", "recvtype", from == "PROC_NULL"), from, tag(true), c.name);
    }
  }

  std::string collective() {
    const Comm c = comm();
    const int root = pick(c.peers);
    const std::string as_root = c.inter ? one({"ROOT", "PROC_NULL", "2"}) : std::to_string(root);
    const bool in_place = !c.inter && root == c.rank && pick(3) == 0;
    switch (pick(5)) {
      case 0:
        return fmt::format("0 {} {} root={} comm={}\n", one({"Bcast", "Ibcast", "Bcast_init"}),
                           data("buffer", "count", "datatype", false), as_root, c.name);
      case 1: {
        const std::string send = in_place ? "sendbuf=IN_PLACE sendcount=-3 sendtype=0x77"
                                          : data("sendbuf", "sendcount", "sendtype", false);
        return fmt::format("0 {} {} {} root={} comm={}\n", one({"Gather", "Igather"}), send,
                           data("recvbuf", "recvcount", "recvtype", false), as_root, c.name);
      }
      case 2: {
        const std::string receive = in_place ? "recvbuf=IN_PLACE recvcount=-3 recvtype=0x77"
                                             : data("recvbuf", "recvcount", "recvtype", false);
        return fmt::format("0 {} {} {} root={} comm={}\n", one({"Scatter", "Iscatter"}),
                           data("sendbuf", "sendcount", "sendtype", false), receive, as_root,
                           c.name);
      }
      case 3:
        return fmt::format("0 {} {} {} comm={}\n", one({"Allgather", "Alltoall", "Iallgather"}),
                           !c.inter && pick(3) == 0
                               ? "sendbuf=IN_PLACE sendcount=-3 sendtype=0x77"
                               : data("sendbuf", "sendcount", "sendtype", false),
                           data("recvbuf", "recvcount", "recvtype", false), c.name);
      default: {
        std::string counts, types;
        for (int i = 0; i < c.peers; ++i) {
          const bool none = pick(2) == 0;
          counts += fmt::format("{}{}", i > 0 ? "," : "", none ? 0 : pick(9));
          types += fmt::format("{}{}", i > 0 ? "," : "", none ? "DATATYPE_NULL" : type());
        }
        // A zero count may stand beside a good type as well.
        std::string good = types;
        return fmt::format(
            "0 Alltoallw sendbuf=b sendcounts=[{}] sendtypes=[{}] recvbuf=c recvcounts=[{}] "
            "recvtypes=[{}] comm={}\n",
            counts, types, counts, good, c.name);
      }
    }
  }

  std::string reduction() {
    Comm c = comm();
    static const std::pair<const char*, const char*> kPairs[] = {
        {"MPI_SUM", "MPI_INT"},     {"MPI_MAX", "MPI_DOUBLE"},
        {"MPI_BAND", "MPI_BYTE"},   {"MPI_LOR", "MPI_C_BOOL"},
        {"MPI_MINLOC", "MPI_2INT"}, {"own", "vector"},
        {"own", "MPI_CHAR"},        {"MPI_PROD", "MPI_C_DOUBLE_COMPLEX"},
        {"MPI_SUM", "MPI_AINT"},    {"own", "MPI_PACKED"},
    };
    const auto [op, type] = kPairs[pick(static_cast<int>(std::size(kPairs)))];
    const int how = pick(3);
    const char* send = !c.inter && pick(2) == 0 ? "IN_PLACE" : "b";
    if (how == 0) {
      return fmt::format(
          "0 Reduce sendbuf={} recvbuf=c count={} datatype={} op={} root=0 comm={}\n",
          c.inter ? "b" : send, count(), type, op, c.name);
    }
    if (how == 1) {
      return fmt::format("0 {} sendbuf={} recvbuf=c count={} datatype={} op={} comm={}\n",
                         one({"Allreduce", "Iallreduce"}), send, count(), type, op, c.name);
    }
    if (c.inter) c.name = "dup";
    return fmt::format("0 {} sendbuf={} recvbuf=c count={} datatype={} op={} comm={}\n",
                       one({"Scan", "Exscan"}), send, count(), type, op, c.name);
  }

  std::string other() {
    switch (pick(7)) {
      case 0:
        return fmt::format("0 Cart_shift comm=grid direction={} disp={}\n", pick(2), pick(9) - 4);
      case 1:
        return fmt::format("0 Cart_rank comm=grid coords=[{},{}]\n", pick(99) - 50, pick(2));
      case 2:
        return fmt::format(
            "0 Type_create_subarray ndims=1 array_of_sizes=[8] array_of_subsizes=[{}] "
            "array_of_starts=[{}]\n",
            1 + pick(4), pick(5));
      case 3:
        return fmt::format("0 Type_vector count={} blocklength={} stride={} oldtype={}\n", pick(5),
                           pick(5), pick(9) - 4, type());
      case 4:
        return fmt::format("0 Group_incl group=group ranks=[{}]\n",
                           one({"", "0", "3,1", "2,0,1,3"}));
      case 5:
        return fmt::format(
            "0 Put win=win origin_addr=b origin_count={} target_rank={} target_count={} "
            "origin_datatype={}\n",
            count(), one({"0", "3", "PROC_NULL"}), count(), type());
      default:
        return fmt::format("0 Comm_split color={} key={}\n", one({"UNDEFINED", "0", "7"}),
                           pick(9) - 4);
    }
  }

  std::mt19937 random_;
};

TEST(ArgumentRandom, correct_calls_are_silent) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    Calls calls(seed);
    std::string text = kObjects;
    for (int i = 0; i < 100; ++i) text += calls.next();
    const std::string found = run<Argument>(text);
    ASSERT_EQ(found, "") << run_messages<Argument>(text) << text;
    ASSERT_EQ(run<Thorough>(text), "") << seed;
  }
}

// Any words in any place: whatever the long way finds, the short way must not hide.
TEST(ArgumentRandom, the_short_way_hides_nothing) {
  std::mt19937 random(11);
  const auto pick = [&](const std::vector<std::string>& words) {
    return words[random() % words.size()];
  };
  const std::map<Kind, std::vector<std::string>> words{
      {Kind::buffer, {"b", "NULL", "IN_PLACE", "BOTTOM"}},
      {Kind::count, {"0", "1", "-1", "7"}},
      {Kind::length, {"0", "1", "-1"}},
      {Kind::datatype,
       {"MPI_INT", "DATATYPE_NULL", "vector", "0x77", "absolute", "MPI_CHAR", "MPI_2INT"}},
      {Kind::rank, {"0", "3", "4", "-1", "PROC_NULL", "ANY_SOURCE", "ROOT"}},
      {Kind::tag, {"0", "32767", "40000", "-1", "ANY_TAG", "2000000000"}},
      {Kind::comm, {"COMM_WORLD", "COMM_SELF", "COMM_NULL", "inter", "half", "0x77", "grid"}},
      {Kind::root, {"0", "1", "4", "ROOT", "PROC_NULL"}},
      {Kind::op, {"MPI_SUM", "MPI_MINLOC", "own", "OP_NULL", "MPI_REPLACE"}},
  };
  int tried = 0;
  for (int n = 1; n < static_cast<int>(Proc::count_); ++n) {
    const ProcInfo& proc = info(static_cast<Proc>(n));
    if (proc.family != Family::p2p && proc.family != Family::probe &&
        proc.family != Family::collective)
      continue;
    for (int repeat = 0; repeat < 6; ++repeat) {
      std::string text = kObjects;
      for (int i = 0; i < 8; ++i) {
        text += fmt::format("0 {}", proc.name);
        for (const Param& p : proc.params) {
          const auto known = words.find(p.kind);
          if (p.is_array() || known == words.end() || random() % 3 == 0) continue;
          if (p.dir != Dir::in && p.kind != Kind::buffer) continue;
          text += fmt::format(" {}={}", p.name, pick(known->second));
        }
        text += fmt::format(" @l{}\n", i);
      }
      ASSERT_EQ(run<Argument>(text), run<Thorough>(text)) << text;
      ++tried;
    }
  }
  EXPECT_GT(tried, 300);
}

// What the defaults of a text do not have: an object of the right kind.
std::string before(const ProcInfo& proc) {
  const std::string_view name = proc.name;
  std::string text;
  if (proc.first(Kind::session, Dir::in) >= 0 || proc.first(Kind::session, Dir::inout) >= 0) {
    text += "0 Session_init session=s\n";
  }
  if (proc.first(Kind::keyval, Dir::in) >= 0 || proc.first(Kind::keyval, Dir::inout) >= 0) {
    text += name.starts_with("MPI_Type")  ? "0 Type_create_keyval\n"
            : name.starts_with("MPI_Win") ? "0 Win_create_keyval\n"
                                          : "0 Comm_create_keyval\n";
  }
  if (name == "MPI_Type_free") text += "0 Type_dup\n";
  return text;
}

std::string with(const ProcInfo& proc) {
  const std::string_view name = proc.name;
  if (name == "MPI_Cart_coords" || name == "MPI_Cart_get") return " comm=grid maxdims=2";
  if (name.starts_with("MPI_Graph") && !proc.has(kConstructor) && name != "MPI_Graph_map")
    return " comm=net";
  if (name.starts_with("MPI_Dist_graph_neighbors")) return " comm=web";
  if (name.starts_with("MPI_Cart_s") || name == "MPI_Cart_rank" || name == "MPI_Cartdim_get")
    return " comm=grid";
  if (proc.family == Family::neighbour) return " comm=grid";
  if (proc.base == Proc::comm_remote_size || proc.base == Proc::comm_remote_group)
    return " comm=inter";
  if (name == "MPI_Intercomm_merge") return " intercomm=inter";
  if (name == "MPI_Comm_free" || name == "MPI_Comm_disconnect") return " comm=dup";
  if (name == "MPI_Type_free") return " datatype=vector";
  if (proc.base == Proc::win_create || name == "MPI_Win_attach") return " base=b";
  if (name == "MPI_Comm_spawn_multiple") return " array_of_commands=0x100";
  if (name == "MPI_Dims_create") return " nnodes=4";
  return "";
}

// What a text leaves out is filled in correctly, for every procedure: so each must be silent.
TEST(ArgumentRandom, every_procedure_with_its_defaults) {
  std::string noisy;
  for (int n = 1; n < static_cast<int>(Proc::count_); ++n) {
    const ProcInfo& proc = info(static_cast<Proc>(n));
    if (proc.family == Family::lifecycle || proc.family == Family::tool) continue;
    const std::string text =
        kObjects + std::string("0 Graph_create nnodes=2 index=[1,2] edges=[1,0] comm_graph=net\n") +
        "0 Dist_graph_create_adjacent indegree=1 sources=[1] outdegree=0 destinations=[] "
        "comm_dist_graph=web\n" +
        before(proc) + fmt::format("0 {}{}\n", proc.name, with(proc));
    if (!run<Argument>(text).empty()) {
      noisy +=
          fmt::format("{}: {}{}", proc.name, run<Argument>(text), run_messages<Argument>(text));
    }
  }
  EXPECT_EQ(noisy, "");
}

}  // namespace
}  // namespace vouch
