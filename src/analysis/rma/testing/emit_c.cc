#include "analysis/rma/testing/emit_c.h"

#include <algorithm>

namespace vouch::rma_programs {
namespace {

std::string number(int n) { return std::to_string(n); }
bool derived(int type) { return *types()[static_cast<std::size_t>(type)].constructor != 0; }
std::string type_name(int type) {
  return (derived(type) ? "" : "MPI_") + std::string(types()[static_cast<std::size_t>(type)].name);
}

class CWriter {
 public:
  CWriter(const Program& program, std::string name) : program_(program), name_(std::move(name)) {}

  std::string write() {
    text_ =
        "static char memory_" + name_ + "[" + number(kMemory) + "] __attribute__((aligned(16)));\n";
    text_ += "static void " + name_ + "(void) {\n";
    line("char* const memory = memory_" + name_ + ";");
    line("char* segment = memory;  // that MPI allocates");
    line("MPI_Aint here, all_addresses[8];");
    line("MPI_Group everybody;");
    for (std::size_t w = 0; w < program_.windows.size(); ++w)
      line("MPI_Win w" + number(static_cast<int>(w)) + ";");
    line("MPI_Request q[" + number(requests() + 1) + "];");
    line("MPI_Comm_group(MPI_COMM_WORLD, &everybody);");
    line("MPI_Get_address(memory, &here);");
    line("MPI_Allgather(&here, 1, MPI_AINT, all_addresses, 1, MPI_AINT, MPI_COMM_WORLD);");
    make_types();
    for (int r = 0; r < program_.ranks; ++r) {
      line("if (rank == " + number(r) + ") {");
      for (const Call& c : program_.calls) {
        if (c.rank == r) call(c);
      }
      line("}");
    }
    for (int t = 0; t < static_cast<int>(types().size()); ++t) {
      if (derived(t)) line("MPI_Type_free(&" + type_name(t) + ");");
    }
    line("MPI_Group_free(&everybody);");
    line("(void)segment;");
    return text_ + "}\n";
  }

 private:
  void line(const std::string& l) { text_ += "  " + l + "\n"; }
  // What a test looks for.
  void marked(const Call& c, const std::string& l) { line(l + ";  // @" + name_ + "." + c.site); }
  int requests() const {
    int most = 0;
    for (const Call& c : program_.calls) most = std::max(most, c.request);
    return most;
  }
  void make_types() {
    for (int t = 0; t < static_cast<int>(types().size()); ++t) {
      if (!derived(t)) continue;
      std::string made = types()[static_cast<std::size_t>(t)].c;
      made.replace(made.find("%s"), 2, "&" + type_name(t));
      line("MPI_Datatype " + type_name(t) + ";");
      line(made + ";");
      line("MPI_Type_commit(&" + type_name(t) + ");");
    }
  }

  static std::string at(int offset) {
    return offset >= kArray && offset < kPrivate ? "segment + " + number(offset - kArray)
                                                 : "memory + " + number(offset);
  }
  static std::string win(const Call& c) { return "w" + number(c.window); }
  static std::string data(int offset, int count, int type) {
    return at(offset) + ", " + number(count) + ", " + type_name(type);
  }
  static std::string buffer(const Call& c) { return data(c.buffer, c.buffer_count, c.buffer_type); }
  static std::string request(const Call& c) { return "&q[" + number(c.request) + "]"; }
  std::string target(const Call& c) const {
    const Window& w = program_.windows[static_cast<std::size_t>(c.window)];
    const std::string t = number(c.target);
    const bool dynamic = w.flavour == Window::Flavour::dynamic;
    return t + ", " + (dynamic ? "all_addresses[" + t + "] + " : "") + number(c.disp);
  }

  void create(const Call& c) {
    const Window& w = program_.windows[static_cast<std::size_t>(c.window)];
    const auto r = static_cast<std::size_t>(c.rank);
    const std::string memory =
        number(w.size[r]) + ", " + number(w.unit[r]) + ", MPI_INFO_NULL, MPI_COMM_WORLD, ";
    if (w.flavour == Window::Flavour::create)
      return marked(c, "MPI_Win_create(" + at(w.base[r]) + ", " + memory + "&" + win(c) + ")");
    if (w.flavour == Window::Flavour::allocate) {
      marked(c, "MPI_Win_allocate(" + memory + "&segment, &" + win(c) + ")");
      // MPI-4.1 12.2.2: nobody accesses it before this is over.
      line("memset(segment, 0, " + number(w.size[r]) + ");");
      return line("MPI_Barrier(MPI_COMM_WORLD);");
    }
    marked(c, "MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &" + win(c) + ")");
    line("MPI_Win_attach(" + win(c) + ", " + at(w.base[r]) + ", " + number(w.size[r]) + ");");
    line("MPI_Barrier(MPI_COMM_WORLD);");
  }
  void free(const Call& c) {
    const Window& w = program_.windows[static_cast<std::size_t>(c.window)];
    if (w.flavour == Window::Flavour::dynamic) {
      line("MPI_Barrier(MPI_COMM_WORLD);");
      line("MPI_Win_detach(" + win(c) + ", " + at(w.base[static_cast<std::size_t>(c.rank)]) + ");");
    }
    marked(c, "MPI_Win_free(&" + win(c) + ")");
  }
  void group(const Call& c, const char* name) {
    std::string ranks;
    for (const int r : c.group) ranks += (ranks.empty() ? "" : ", ") + number(r);
    line("{ MPI_Group group;");
    line("MPI_Group_incl(everybody, " + number(static_cast<int>(c.group.size())) + ", (int[]){" +
         ranks + "}, &group);");
    marked(c, std::string(name) + "(group, 0, " + win(c) + ")");
    line("MPI_Group_free(&group); }");
  }

  std::string operation(const Call& c) const {
    const std::string op = std::string(", MPI_") + name_of(c.op);
    const std::string there = target(c) + ", " + number(c.count) + ", " + type_name(c.type);
    const std::string end = ", " + win(c) + (c.request < 0 ? "" : ", " + request(c)) + ")";
    const auto name = [&](const char* plain, const char* with_request) {
      return std::string("MPI_") + (c.request < 0 ? plain : with_request) + "(";
    };
    const std::string one = at(c.buffer) + ", ";
    switch (c.what) {
      case What::put:
        return name("Put", "Rput") + buffer(c) + ", " + there + end;
      case What::get:
        return name("Get", "Rget") + buffer(c) + ", " + there + end;
      case What::accumulate:
        return name("Accumulate", "Raccumulate") + buffer(c) + ", " + there + op + end;
      case What::get_accumulate:
        return name("Get_accumulate", "Rget_accumulate") + buffer(c) + ", " +
               data(c.result, c.count, c.type) + ", " + there + op + end;
      case What::fetch_and_op:
        return "MPI_Fetch_and_op(" + one + at(c.result) + ", " + type_name(c.type) + ", " +
               target(c) + op + end;
      default:
        return "MPI_Compare_and_swap(" + one + at(c.compare) + ", " + at(c.result) + ", " +
               type_name(c.type) + ", " + target(c) + end;
    }
  }

  void call(const Call& c) {
    if (is_operation(c.what)) return marked(c, operation(c));
    const std::string ends_at_win = ", " + win(c) + ")", rank = number(c.target);
    const std::string message = buffer(c) + ", " + rank + ", " + number(c.meeting);
    switch (c.what) {
      case What::create:
        return create(c);
      case What::free:
        return free(c);
      case What::fence:
        return marked(c, std::string("MPI_Win_fence(") + (c.opens ? "MPI_MODE_NOPRECEDE" : "0") +
                             (c.closes ? " | MPI_MODE_NOSUCCEED" : "") + ends_at_win);
      case What::post:
        return group(c, "MPI_Win_post");
      case What::start:
        return group(c, "MPI_Win_start");
      case What::complete:
        return marked(c, "MPI_Win_complete(" + win(c) + ")");
      case What::wait:
        return marked(c, "MPI_Win_wait(" + win(c) + ")");
      case What::test:
        line("for (int done = 0; !done;)");
        return marked(c, "  MPI_Win_test(" + win(c) + ", &done)");
      case What::lock:
        return marked(c, std::string("MPI_Win_lock(") +
                             (c.exclusive ? "MPI_LOCK_EXCLUSIVE, " : "MPI_LOCK_SHARED, ") + rank +
                             ", 0" + ends_at_win);
      case What::unlock:
        return marked(c, "MPI_Win_unlock(" + rank + ends_at_win);
      case What::lock_all:
        return marked(c, "MPI_Win_lock_all(0" + ends_at_win);
      case What::unlock_all:
        return marked(c, "MPI_Win_unlock_all(" + win(c) + ")");
      case What::flush:
        return marked(c, "MPI_Win_flush(" + rank + ends_at_win);
      case What::flush_all:
        return marked(c, "MPI_Win_flush_all(" + win(c) + ")");
      case What::flush_local:
        return marked(c, "MPI_Win_flush_local(" + rank + ends_at_win);
      case What::flush_local_all:
        return marked(c, "MPI_Win_flush_local_all(" + win(c) + ")");
      case What::sync:
        return marked(c, "MPI_Win_sync(" + win(c) + ")");
      case What::wait_requests:
        return wait(c);
      default:
        return two_sided(c, message);
    }
  }
  void wait(const Call& c) {
    if (c.requests.size() == 1)
      return marked(c, "MPI_Wait(&q[" + number(c.requests.front()) + "], MPI_STATUS_IGNORE)");
    std::string list;
    for (const int r : c.requests) list += (list.empty() ? "" : ", ") + ("q[" + number(r) + "]");
    marked(c, "MPI_Waitall(" + number(static_cast<int>(c.requests.size())) + ", (MPI_Request[]){" +
                  list + "}, MPI_STATUSES_IGNORE)");
  }
  void two_sided(const Call& c, const std::string& message) {
    const std::string world = ", MPI_COMM_WORLD", root = number(c.target);
    const std::string reduced = at(c.buffer) + ", " + at(c.result) + ", " + number(c.buffer_count) +
                                ", " + type_name(c.buffer_type) + ", MPI_SUM";
    switch (c.what) {
      case What::send:
        return marked(c, "MPI_Send(" + message + world + ")");
      case What::ssend:
        return marked(c, "MPI_Ssend(" + message + world + ")");
      case What::isend:
        return marked(c, "MPI_Isend(" + message + world + ", " + request(c) + ")");
      case What::recv:
        return marked(c, "MPI_Recv(" + message + world + ", MPI_STATUS_IGNORE)");
      case What::irecv:
        return marked(c, "MPI_Irecv(" + message + world + ", " + request(c) + ")");
      case What::barrier:
        return marked(c, "MPI_Barrier(MPI_COMM_WORLD)");
      case What::bcast:
        return marked(c, "MPI_Bcast(" + buffer(c) + ", " + root + world + ")");
      case What::reduce:
        return marked(c, "MPI_Reduce(" + reduced + ", " + root + world + ")");
      case What::allreduce:
        return marked(c, "MPI_Allreduce(" + reduced + world + ")");
      case What::load:
        return marked(c, "sink = *(volatile int*)(" + at(c.buffer) + ")");
      default:
        return marked(c, "*(volatile int*)(" + at(c.buffer) + ") = 1");
    }
  }

  const Program& program_;
  std::string name_, text_;
};

}  // namespace

std::string c_of(const Program& program, const std::string& name) {
  return CWriter(program, name).write();
}

}  // namespace vouch::rma_programs
