#include "analysis/argument/plan.h"

#include <string_view>

#include "analysis/argument/checks.h"

namespace vouch {
namespace {

class Compiler {
 public:
  explicit Compiler(Proc proc) : info_(info(proc)) {}

  Plan run() {
    // Conversions take any handle, and the tool interface has objects of its own. MPI_Abort is not
    // worth a word more.
    if (info_.family == Family::conversion || info_.family == Family::tool ||
        info_.base == Proc::abort)
      return {};
    plan_.comm = info_.first(Kind::comm, Dir::in);
    plan_.root = info_.first(Kind::root, Dir::in);
    plan_.op = info_.first(Kind::op, Dir::in);
    plan_.leader = info_.param(Arg::local_leader);
    describe_buffers();
    for (int i = 0; i < size(); ++i) {
      if (at(i).dir != Dir::out || at(i).kind == Kind::buffer) input(i);
      pointer(i);
    }
    whole_call();
    glances();
    return std::move(plan_);
  }

 private:
  using Check = void (*)(Checker&, const Step&);

  int size() const { return static_cast<int>(info_.params.size()); }
  const Param& at(int i) const { return info_.params[static_cast<std::size_t>(i)]; }
  bool called(int i, Arg name) const { return at(i).arg == name; }
  bool constructs_type() const {
    return info_.family == Family::datatype && info_.has(kConstructor) &&
           info_.base != Proc::type_get_contents;
  }
  void add(Stage stage, Check check, int param, int other = -1) {
    plan_.stages[static_cast<std::size_t>(stage)].push_back({check, param, other});
  }

  void describe_buffers() {
    plan_.described.assign(static_cast<std::size_t>(size()), 0);
    for (int i = 0; i < size(); ++i) {
      if (at(i).kind != Kind::buffer) continue;
      for (int j : {static_cast<int>(at(i).count_param), static_cast<int>(at(i).type_param)}) {
        if (j >= 0) plan_.described[static_cast<std::size_t>(j)] |= 1u << i;
      }
    }
  }

  // A parameter the program gives a value for.
  void input(int i) {
    const Param& p = at(i);
    const bool freed = p.dir == Dir::inout && info_.has(kDestructor);
    switch (p.kind) {
      case Kind::comm:
        return freed ? add(Stage::handles, check_free, i) : communicator(i);
      case Kind::datatype:
        return freed ? add(Stage::handles, check_free, i) : datatype(i);
      case Kind::group:
        return add(Stage::handles, freed ? check_free : check_group, i);
      case Kind::op:
        return freed ? add(Stage::handles, check_free, i) : operation(i);
      case Kind::win:
        return add(Stage::handles, freed ? check_free : check_window, i);
      case Kind::file:
        return add(Stage::handles, freed ? check_free : check_file, i);
      case Kind::errhandler:
        return add(Stage::handles, freed ? check_free : check_errhandler, i);
      case Kind::keyval:
        return add(Stage::handles, freed ? check_free : check_keyval, i);
      case Kind::session:
        return add(Stage::handles, freed ? check_free : check_session, i);
      case Kind::info:
        if (p.is_array()) return add(Stage::handles, check_infos, i);
        if (freed) return add(Stage::handles, check_free, i);
        return add(Stage::handles, info_.family == Family::info ? check_own_info : check_info, i);
      case Kind::rank:
        return rank(i);
      case Kind::range:
        return add(Stage::ranges, check_group_ranges, i, info_.first(Kind::group, Dir::in));
      case Kind::tag:
        return tag(i);
      case Kind::count:
        return add(Stage::ranges, p.is_array() ? check_counts : check_count, i);
      case Kind::length:
        if (info_.base != Proc::dist_graph_create) add(Stage::ranges, check_count, i);
        return;
      case Kind::bytes:
      case Kind::buffer_size:
        return add(Stage::ranges, check_count, i);
      case Kind::partitions:
      case Kind::disp_unit:
        return add(Stage::ranges, check_positive, i);
      case Kind::root:
        return add(Stage::ranges, check_root, i);
      case Kind::color:
        return add(Stage::ranges, check_color, i);
      case Kind::lock_type:
      case Kind::thread_level:
      case Kind::whence:
      case Kind::order:
      case Kind::typeclass:
        return add(Stage::ranges, check_constant, i);
      case Kind::assert:
        return add(Stage::ranges, check_assert, i);
      case Kind::split_type:
        return add(Stage::ranges, check_split_type, i);
      case Kind::amode:
        return add(Stage::ranges, check_amode, i);
      case Kind::offset:
        if (called(i, Arg::size)) add(Stage::ranges, check_count, i);
        if (called(i, Arg::offset) && info_.first(Kind::whence, Dir::in) < 0)
          add(Stage::ranges, check_offset, i);
        return;
      case Kind::direction:
        return add(Stage::ranges, check_direction, i, plan_.comm);
      case Kind::coords:
        if (info_.family == Family::topology) add(Stage::ranges, check_coords, i, plan_.comm);
        return;
      case Kind::string:
        if (info_.family == Family::info && called(i, Arg::key))
          add(Stage::ranges, check_info_key, i);
        if (info_.family == Family::info && called(i, Arg::value))
          add(Stage::ranges, check_info_value, i);
        if (called(i, Arg::command)) add(Stage::ranges, check_command, i);
        return;
      case Kind::argv:
        if (called(i, Arg::array_of_commands)) add(Stage::ranges, check_command, i);
        return;
      case Kind::port_name:
        return add(Stage::ranges, check_port, i);
      case Kind::int_:
        if (called(i, Arg::maxprocs) || called(i, Arg::array_of_maxprocs))
          add(Stage::ranges, check_maxprocs, i);
        return;
      case Kind::buffer:
        return buffer(i);
      case Kind::pointer:
        if (called(i, Arg::base) && info_.first(Kind::bytes, Dir::in) >= 0) {
          add(Stage::buffers, check_memory, i, info_.first(Kind::bytes, Dir::in));
        }
        return;
      default:
        return;
    }
  }

  void communicator(int i) {
    const ProcInfo& base = info(info_.base);
    if (base.is(Trait::inter)) return add(Stage::handles, check_intercomm, i);
    if (base.is(Trait::intra)) return add(Stage::handles, check_intracomm, i);
    if (info_.base == Proc::intercomm_create)
      return add(Stage::handles, at(i).arg == Arg::local_comm ? check_intracomm : check_comm, i);
    if (info_.family == Family::window) return add(Stage::handles, check_intracomm, i);
    add(Stage::handles, check_comm, i);
    const bool needs_topology = info_.family == Family::neighbour ||
                                (info_.family == Family::topology && info_.base != Proc::topo_test);
    if (needs_topology) add(Stage::handles, check_topology, i);
  }

  void datatype(int i) {
    const bool array = at(i).is_array();
    if (constructs_type()) {
      if (array)
        return add(Stage::handles, check_old_datatypes, i, info_.param(Arg::array_of_blocklengths));
      return add(Stage::handles, check_old_datatype, i);
    }
    const int count = count_of_type(info_, i);
    add(Stage::handles, array ? check_datatypes : check_datatype, i, count);
    const bool moves_data = plan_.described[static_cast<std::size_t>(i)] != 0 ||
                            info_.family == Family::rma || info_.base == Proc::file_set_view;
    if (moves_data) add(Stage::types, check_committed, i, count);
  }

  void operation(int i) {
    add(Stage::handles, check_op, i);
    int type = info_.param(Arg::target_datatype);
    if (type < 0) type = info_.first(Kind::datatype, Dir::in);
    if (type < 0) return;
    add(Stage::types, info_.family == Family::rma ? check_accumulate : check_op_type, i, type);
  }

  // What a rank is a rank of.
  int scope(int i) const {
    if (at(i).arg == Arg::remote_leader)
      return info_.param(Arg::peer_comm) >= 0 ? info_.param(Arg::peer_comm)
                                              : info_.param(Arg::remote_group);
    if (const int win = info_.first(Kind::win, Dir::in); win >= 0) return win;
    if (plan_.comm >= 0) return plan_.comm;
    return info_.first(Kind::group, Dir::in);
  }

  void rank(int i) {
    const int other = scope(i);
    if (other < 0) return;  // MPI_Status_set_source
    if (info_.base == Proc::group_translate_ranks)
      return add(Stage::ranges, check_translated_ranks, i, other);
    if (at(i).is_array()) return add(Stage::ranges, check_group_ranks, i, other);
    add(Stage::ranges, check_rank, i, other);
    if (called(i, Arg::source)) add(Stage::ranges, check_promises, i, other);
  }

  void tag(int i) {
    if (plan_.comm < 0) return;  // MPI_Status_set_tag
    add(Stage::ranges, check_tag, i);
    add(Stage::ranges, check_promises, i, plan_.comm);
  }

  void buffer(int i) {
    const Param& p = at(i);
    if (p.count_param >= 0 && p.type_param < 0)
      return add(Stage::buffers, check_memory, i, p.count_param);
    add(Stage::buffers, check_buffer, i, peer(i));
  }

  // The process a buffer goes to or comes from.
  int peer(int i) const {
    if (info_.family == Family::rma) return info_.param(Arg::target_rank);
    if (info_.family != Family::p2p && info_.family != Family::partitioned) return -1;
    return at(i).dir == Dir::out ? info_.recv.peer : info_.send.peer;
  }

  // Addresses that must not be NULL.
  void pointer(int i) {
    const Param& p = at(i);
    if (p.optional || p.enter_word < 0) return;
    if (p.is_array()) {
      if (called(i, Arg::command)) return;
      const bool displacements = p.kind == Kind::displacement || p.kind == Kind::aint;
      const bool collective =
          info_.family == Family::collective || info_.family == Family::neighbour;
      add(Stage::ranges, check_array, i, displacements && collective ? counts_before(i) : -1);
      return;
    }
    const bool function = p.kind == Kind::function &&
                          (info_.family == Family::op || info_.family == Family::errhandler);
    const bool result = p.dir == Dir::out && (p.kind == Kind::attribute || p.kind == Kind::pointer);
    const bool status = p.kind == Kind::status;
    if (p.shape == Shape::pointer_out || p.shape == Shape::pointer_inout || function || result ||
        status) {
      add(Stage::ranges, check_pointer, i);
    }
  }

  int counts_before(int i) const {
    while (--i >= 0) {
      if (at(i).kind == Kind::count && at(i).is_array()) return i;
    }
    return -1;
  }

  // Rules about several parameters at once.
  void whole_call() {
    switch (info_.base) {
      case Proc::cart_create:
      case Proc::cart_map:
        return add(Stage::ranges, check_cart, -1, plan_.comm);
      case Proc::graph_create:
      case Proc::graph_map:
        return add(Stage::ranges, check_graph, -1, plan_.comm);
      case Proc::dist_graph_create:
      case Proc::dist_graph_create_adjacent:
        return add(Stage::ranges, check_dist_graph, -1, plan_.comm);
      case Proc::dims_create:
        return add(Stage::ranges, check_dims_create, -1);
      case Proc::cart_get:
      case Proc::cart_coords:
        return add(Stage::ranges, check_maxdims, info_.param(Arg::maxdims), plan_.comm);
      case Proc::type_create_subarray:
        return add(Stage::ranges, check_subarray, -1);
      case Proc::type_create_darray:
        return add(Stage::ranges, check_darray, -1);
      case Proc::comm_create:
      case Proc::comm_create_group:
        return add(Stage::ranges, check_subgroup, info_.first(Kind::group, Dir::in), plan_.comm);
      default:
        return;
    }
  }

  // The short way, for families that are called in loops. Anything it has no test for closes it.
  void glances() {
    switch (info_.family) {
      case Family::p2p:
      case Family::probe:
      case Family::completion:
      case Family::collective:
        break;
      default:
        return;
    }
    if (info_.base == Proc::scan || info_.base == Proc::exscan) return;
    std::vector<Glance> list;
    using What = Glance::What;
    if (plan_.comm >= 0) list.push_back(glance(What::comm, plan_.comm));
    for (int i = 0; i < size(); ++i) {
      const Param& p = at(i);
      if (i == plan_.comm) continue;
      if (p.is_array()) {
        if (p.kind != Kind::request && p.kind != Kind::status && p.kind != Kind::index) return;
        list.push_back(glance(What::pointer, i));
      } else if (p.dir != Dir::in && p.kind != Kind::buffer) {
        list.push_back(glance(What::pointer, i));
      } else if (!scalar_glance(i, list)) {
        return;
      }
    }
    for (const Glance& g : list) {
      if (g.word >= 32) return;
      const bool object = g.what == What::comm || g.what == What::datatype || g.what == What::op;
      plan_.objects |= std::uint32_t{object} << g.word;
    }
    plan_.glances = std::move(list);
  }

  bool scalar_glance(int i, std::vector<Glance>& list) const {
    using What = Glance::What;
    const Param& p = at(i);
    switch (p.kind) {
      case Kind::buffer:
        list.push_back(glance(p.in_place == InPlace::all || p.in_place == InPlace::any
                                  ? What::buffer_in_place
                                  : What::buffer,
                              i));
        return p.type_param >= 0;
      case Kind::count:
      case Kind::length:
        list.push_back(glance(What::count, i));
        return true;
      case Kind::datatype:
        list.push_back(glance(What::datatype, i));
        return true;
      case Kind::rank:
        list.push_back(glance(called(i, Arg::source) ? What::source : What::rank, i));
        return plan_.comm >= 0;
      case Kind::tag: {
        const bool receives = info_.recv.peer >= 0 && at(i).arg != Arg::sendtag;
        list.push_back(glance(receives ? What::any_tag : What::tag, i));
        return true;
      }
      case Kind::root:
        list.push_back(glance(What::root, i));
        return plan_.comm >= 0;
      case Kind::op:
        list.push_back(glance(What::op, i));
        return info_.first(Kind::datatype, Dir::in) >= 0 &&
               info_.first(Kind::datatype, Dir::in) < i;
      default:
        return false;
    }
  }

  Glance glance(Glance::What what, int i) const {
    return {what, static_cast<std::uint8_t>(at(i).enter_word), static_cast<std::uint8_t>(i)};
  }

  const ProcInfo& info_;
  Plan plan_;
};

}  // namespace

Plan compile_plan(Proc proc) { return Compiler(proc).run(); }

int count_of_type(const ProcInfo& info, int type_param) {
  for (const Param& p : info.params) {
    if (p.kind == Kind::buffer && p.type_param == type_param) return p.count_param;
  }
  // MPI_Put's target, MPI_Pack_size: the count stands before its datatype.
  if (type_param > 0) {
    const Param& before = info.params[static_cast<std::size_t>(type_param - 1)];
    if (before.kind == Kind::count && before.dir == Dir::in) return type_param - 1;
  }
  return -1;
}

}  // namespace vouch
