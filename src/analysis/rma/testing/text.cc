#include "analysis/rma/testing/text.h"

#include <algorithm>
#include <set>

namespace vouch::rma_programs {
namespace {

std::string number(int n) { return std::to_string(n); }
// The same in all processes, as address space randomisation may have it at worst.
std::string address(int offset) { return number(0x200000 + offset); }
std::string type_name(int type) { return types()[static_cast<std::size_t>(type)].name; }
std::string list(const std::vector<int>& values, const std::string& before = "") {
  std::string text;
  for (const int v : values) text += (text.empty() ? "" : ",") + before + number(v);
  return "[" + text + "]";
}

class Writer {
 public:
  explicit Writer(const Program& program) : program_(program) {}

  // What a rank calls before all else.
  std::vector<std::string> preamble() const {
    std::vector<std::string> lines{"Comm_group -> group=everybody"};
    for (int i = 0; i < static_cast<int>(types().size()); ++i) {
      const Type& t = types()[static_cast<std::size_t>(i)];
      if (*t.constructor == 0 || !used(i)) continue;
      lines.emplace_back(t.constructor);
      lines.push_back(std::string("Type_commit datatype=") + t.name);
    }
    return lines;
  }

  // Some calls need another before them.
  std::vector<std::string> lines(const Call& c) const {
    std::vector<std::string> all;
    const std::string group = "s" + number(c.meeting) + (c.what == What::post ? "p" : "a");
    if (c.what == What::post || c.what == What::start)
      all.push_back("Group_incl group=everybody ranks=" + list(c.group) + " -> newgroup=" + group);
    all.push_back(line(c, group));
    if (!c.site.empty()) {
      const std::size_t results = std::min(all.back().find(" ->"), all.back().size());
      all.back().insert(results, " @" + c.site);
    }
    const Window* w =
        c.window < 0 ? nullptr : &program_.windows[static_cast<std::size_t>(c.window)];
    if (c.what == What::create && w->flavour == Window::Flavour::dynamic) {
      const auto r = static_cast<std::size_t>(c.rank);
      all.push_back("Win_attach " + win(c) + " base=" + address(w->base[r]) +
                    " size=" + number(w->size[r]));
    }
    return all;
  }

 private:
  bool used(int type) const {
    return std::any_of(program_.calls.begin(), program_.calls.end(),
                       [&](const Call& c) { return c.type == type || c.buffer_type == type; });
  }
  static std::string win(const Call& c) { return "win=w" + number(c.window); }
  static std::string rank(const Call& c) { return " rank=" + number(c.target); }
  static std::string part(const char* side, int offset, int count, int type) {
    const std::string s = side;
    return " " + s + "_addr=" + address(offset) + " " + s + "_count=" + number(count) + " " + s +
           "_datatype=" + type_name(type);
  }
  static std::string buffer(const Call& c) {
    return " buf=" + address(c.buffer) + " count=" + number(c.buffer_count) +
           " datatype=" + type_name(c.buffer_type);
  }
  static std::string reduced(const Call& c) {
    return " sendbuf=" + address(c.buffer) + " recvbuf=" + address(c.result) +
           " count=" + number(c.buffer_count) + " datatype=" + type_name(c.buffer_type);
  }
  static std::string request(const Call& c) {
    return c.request < 0 ? "" : " -> request=q" + number(c.request);
  }
  std::string target(const Call& c) const {
    const Window& w = program_.windows[static_cast<std::size_t>(c.window)];
    const int base = w.flavour == Window::Flavour::dynamic ? 0x200000 : 0;
    return " target_rank=" + number(c.target) + " target_disp=" + number(base + c.disp);
  }
  static std::string fetched(const Call& c) { return part("result", c.result, c.count, c.type); }

  std::string create(const Call& c) const {
    const Window& w = program_.windows[static_cast<std::size_t>(c.window)];
    const auto r = static_cast<std::size_t>(c.rank);
    const std::string memory = " size=" + number(w.size[r]) + " disp_unit=" + number(w.unit[r]);
    switch (w.flavour) {
      case Window::Flavour::create:
        return "Win_create base=" + address(w.base[r]) + memory + " -> " + win(c);
      case Window::Flavour::allocate:
        return "Win_allocate" + memory + " -> " + win(c) + " baseptr=" + address(kArray);
      case Window::Flavour::dynamic:
        return "Win_create_dynamic -> " + win(c);
    }
    return "";
  }
  std::string operation(const Call& c) const {
    const std::string r = c.request < 0 ? "" : "R";
    const auto name = [&](const char* plain) { return r + plain + " " + win(c) + target(c); };
    const std::string origin = part("origin", c.buffer, c.buffer_count, c.buffer_type);
    const std::string count =
        " target_count=" + number(c.count) + " target_datatype=" + type_name(c.type);
    const std::string op = std::string(" op=") + name_of(c.op);
    const std::string one = " origin_addr=" + address(c.buffer) +
                            " result_addr=" + address(c.result) + " datatype=" + type_name(c.type);
    switch (c.what) {
      case What::put:
        return name("Put") + origin + count + request(c);
      case What::get:
        return name("Get") + origin + count + request(c);
      case What::accumulate:
        return name("Accumulate") + origin + count + op + request(c);
      case What::get_accumulate:
        return name("Get_accumulate") + origin + fetched(c) + count + op + request(c);
      case What::fetch_and_op:
        return "Fetch_and_op " + win(c) + target(c) + one + op;
      default:
        return "Compare_and_swap " + win(c) + target(c) + one +
               " compare_addr=" + address(c.compare);
    }
  }
  std::string line(const Call& c, const std::string& group) const {
    if (is_operation(c.what)) return operation(c);
    const std::string tag = " tag=" + number(c.meeting);
    switch (c.what) {
      case What::create:
        return create(c);
      case What::free:
        return "Win_free " + win(c);
      case What::fence: {
        const int no_precede = 8192, no_succeed = 16384;  // as read_text announces them
        return "Win_fence " + win(c) +
               " assert=" + number((c.opens ? no_precede : 0) + (c.closes ? no_succeed : 0));
      }
      case What::post:
        return "Win_post " + win(c) + " group=" + group;
      case What::start:
        return "Win_start " + win(c) + " group=" + group;
      case What::complete:
        return "Win_complete " + win(c);
      case What::wait:
        return "Win_wait " + win(c);
      case What::test:
        return "Win_test " + win(c) + " -> flag=1";
      case What::lock:
        return "Win_lock " + win(c) + rank(c) +
               " lock_type=" + (c.exclusive ? "LOCK_EXCLUSIVE" : "LOCK_SHARED");
      case What::unlock:
        return "Win_unlock " + win(c) + rank(c);
      case What::lock_all:
        return "Win_lock_all " + win(c);
      case What::unlock_all:
        return "Win_unlock_all " + win(c);
      case What::flush:
        return "Win_flush " + win(c) + rank(c);
      case What::flush_all:
        return "Win_flush_all " + win(c);
      case What::flush_local:
        return "Win_flush_local " + win(c) + rank(c);
      case What::flush_local_all:
        return "Win_flush_local_all " + win(c);
      case What::sync:
        return "Win_sync " + win(c);
      case What::send:
        return "Send" + buffer(c) + " dest=" + number(c.target) + tag;
      case What::ssend:
        return "Ssend" + buffer(c) + " dest=" + number(c.target) + tag;
      case What::isend:
        return "Isend" + buffer(c) + " dest=" + number(c.target) + tag + request(c);
      case What::recv:
        return "Recv" + buffer(c) + " source=" + number(c.target) + tag;
      case What::irecv:
        return "Irecv" + buffer(c) + " source=" + number(c.target) + tag + request(c);
      case What::wait_requests:
        return c.requests.size() == 1 ? "Wait request=q" + number(c.requests.front())
                                      : "Waitall array_of_requests=" + list(c.requests, "q");
      case What::barrier:
        return "Barrier";
      case What::bcast:
        return "Bcast buffer=" + address(c.buffer) + " count=" + number(c.buffer_count) +
               " datatype=" + type_name(c.buffer_type) + " root=" + number(c.target);
      case What::reduce:
        return "Reduce" + reduced(c) + " root=" + number(c.target);
      default:
        return "Allreduce" + reduced(c);
    }
  }

  const Program& program_;
};

}  // namespace

std::string text_of(const Program& program) {
  const Writer writer(program);
  std::string text;
  for (int r = 0; r < program.ranks; ++r) {
    for (const std::string& line : writer.preamble()) text += number(r) + " " + line + "\n";
  }
  for (const Call& c : program.calls) {
    for (const std::string& line : writer.lines(c)) text += number(c.rank) + " " + line + "\n";
  }
  return text;
}

std::string text_in_any_order(const Program& program, std::mt19937& random) {
  const Writer writer(program);
  std::vector<std::vector<std::string>> lines(static_cast<std::size_t>(program.ranks),
                                              writer.preamble());
  for (const Call& c : program.calls) {
    for (std::string& line : writer.lines(c))
      lines[static_cast<std::size_t>(c.rank)].push_back(std::move(line));
  }
  std::string text = "0 world size=" + number(program.ranks) + "\n";
  std::vector<std::size_t> at(lines.size());
  std::vector<bool> inside(lines.size());
  std::vector<std::string> given(lines.size());  // results of the open call
  std::vector<std::size_t> left(lines.size());
  for (std::size_t r = 0; r < left.size(); ++r) left[r] = r;
  // Now one rank is read alone for a while, now they take turns.
  std::size_t run = 0, r = 0;
  while (!left.empty()) {
    if (run == 0 || std::find(left.begin(), left.end(), r) == left.end()) {
      r = left[random() % left.size()];
      run = random() % 4 == 0 ? 1 + random() % 40 : 1 + random() % 3;
    }
    --run;
    const std::string rank = std::to_string(r) + " ";
    if (inside[r]) {
      text += rank + "return" + given[r] + "\n";
      inside[r] = false;
    } else {
      // A call whose return comes only with the next line that is drawn of its rank.
      const std::string& line = lines[r][at[r]++];
      const std::size_t results = std::min(line.find(" ->"), line.size());
      inside[r] = random() % 4 == 0;
      text += rank + (inside[r] ? line.substr(0, results) + " ..." : line) + "\n";
      if (inside[r]) given[r] = line.substr(results);
    }
    if (!inside[r] && at[r] == lines[r].size()) std::erase(left, r);
  }
  return text;
}

}  // namespace vouch::rma_programs
