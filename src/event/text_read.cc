// From text to records: what a line leaves out is filled in so that the call would be correct.

#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>

#include "event/text.h"
#include "event/text_line.h"

namespace vouch {
namespace {

constexpr std::uint64_t kFirstHandle = 0x51;
constexpr std::uint64_t kFirstBuffer = 0x10000000;
constexpr std::uint64_t kBufferStep = 0x100000;
constexpr std::uint64_t kFirstVariable = 0x7fff0000;

struct Fail {
  std::string text;
};

[[noreturn]] void fail(const TextLine& line, int column, const std::string& what) {
  throw Fail{std::to_string(line.number) + ":" + std::to_string(column) + ": " + what};
}

// One rank's memory between lines.
struct Rank {
  bool started = false;      // the preamble is out
  bool world_told = false;   // its place in MPI_COMM_WORLD too
  std::uint32_t seq = 0;
  std::uint64_t next_handle = kFirstHandle;
  std::uint64_t next_buffer = kFirstBuffer;
  std::uint64_t next_variable = kFirstVariable;
  std::unordered_map<std::string, std::uint64_t> names;
  std::map<Kind, std::uint64_t> latest;       // made last, of that kind
  std::set<std::uint64_t> persistent;         // raw requests that stay after completion
  std::map<int, std::size_t> open;            // thread -> header of its open call's enter record
  std::set<int> threads;
};

class Reader {
 public:
  TextTrace read(std::string_view text) {
    std::vector<TextLine> lines;
    int number = 0, ranks = 2, size = 0;
    while (!text.empty()) {
      const std::size_t end = text.find('\n');
      TextLine line;
      if (std::string wrong; !split_line(text.substr(0, end), ++number, line, wrong)) throw Fail{wrong};
      text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
      if (line.word.empty()) continue;
      ranks = std::max(ranks, line.rank + 1);
      if (line.word == "world") {
        for (const TextArgument& a : line.arguments) {
          if (a.name == "size") size = static_cast<int>(number_of(line, a.value));
        }
      }
      lines.push_back(std::move(line));
    }
    trace_.world_size = size > 0 ? size : ranks;
    trace_.sites.emplace_back();
    for (const TextLine& line : lines) take(line);
    return std::move(trace_);
  }

 private:
  // Lines ---------------------------------------------------------------------------------------------------------------
  void take(const TextLine& line) {
    Rank& rank = ranks_[line.rank];
    if (line.word == "world" || line.word == "raw") {
      if (line.word == "raw") start(line, rank, false);
      return;
    }
    if (line.word == "exit" || line.word == "signal" || line.word == "killed" || line.word == "comm") {
      start(line, rank, true);
      return take_meta(line, rank);
    }
    if (line.word == "return" || line.word == "leave") return take_return(line, rank);
    const Proc proc = proc_by_name(line.word);
    if (proc == Proc::none) fail(line, line.column, "no procedure is called " + line.word);
    start(line, rank, info(proc).family != Family::lifecycle && info(proc).family != Family::session);
    if (rank.threads.insert(line.thread).second) {
      meta(line, wire::Meta::thread, {static_cast<std::uint64_t>(line.thread), line.thread == 0});
    }
    const std::size_t enter = take_enter(line, rank, proc);
    if (line.no_return) {
      rank.open[line.thread] = enter;
    } else {
      take_leave(line, rank, enter);
    }
  }

  void take_return(const TextLine& line, Rank& rank) {
    const auto open = rank.open.find(line.thread);
    if (open == rank.open.end()) fail(line, line.column, "no call of this thread is open");
    const std::size_t enter = open->second;
    rank.open.erase(open);
    TextLine results = line;
    results.arguments.clear();  // "return Isend": the name is for people
    take_leave(results, rank, enter);
  }

  void take_meta(const TextLine& line, Rank& rank) {
    const auto number = [&](std::size_t i, std::int64_t otherwise) {
      return line.arguments.size() > i && line.arguments[i].name.empty()
                 ? static_cast<std::uint64_t>(number_of(line, line.arguments[i].value))
                 : static_cast<std::uint64_t>(otherwise);
    };
    if (line.word == "exit") return meta(line, wire::Meta::exit, {number(0, 0), 0});
    if (line.word == "signal") return meta(line, wire::Meta::signal, {number(0, 11), 0, 0, 0, 0});
    if (line.word == "killed") {
      trace_.items.push_back({TextItem::What::killed, line.rank, line.thread, 0, line.number});
      return;
    }
    if (line.arguments.empty() || !line.arguments[0].name.empty()) fail(line, line.column, "which communicator?");
    std::map<std::string, std::int64_t> given{{"size", -1}, {"rank", -1}, {"remote", -1}, {"topology", 0},
                                              {"indegree", 0}, {"outdegree", 0}};
    std::vector<std::int64_t> members;
    for (std::size_t i = 1; i < line.arguments.size(); ++i) {
      const TextArgument& a = line.arguments[i];
      if (a.name == "members") {
        std::vector<TextValue> items = a.value.items;
        if (a.value.what != TextValue::What::list) items = {a.value};
        for (const TextValue& v : items) members.push_back(number_of(line, v));
      } else if (a.name == "topology") {
        const std::vector<std::string> names{"none", "cart", "graph", "dist_graph"};
        const auto found = std::find(names.begin(), names.end(), a.value.word);
        if (found == names.end()) fail(line, a.column, "no topology is called " + a.value.word);
        given["topology"] = found - names.begin();
      } else if (given.contains(a.name)) {
        given[a.name] = number_of(line, a.value);
      } else {
        fail(line, a.column, "a communicator has no " + a.name);
      }
    }
    if (given["size"] < 0) given["size"] = static_cast<std::int64_t>(members.size());
    if (given["rank"] < 0) {
      const auto me = std::find(members.begin(), members.end(), line.rank);
      given["rank"] = me == members.end() ? 0 : me - members.begin();
    }
    std::vector<std::uint64_t> words{handle_of(line, rank, Kind::comm, line.arguments[0].value)};
    for (const char* name : {"size", "rank", "remote", "topology", "indegree", "outdegree"}) {
      words.push_back(static_cast<std::uint64_t>(given[name]));
    }
    words.push_back(members.size());
    for (const std::int64_t m : members) words.insert(words.end(), {static_cast<std::uint64_t>(m), 0, 1});
    meta(line, wire::Meta::communicator, words);
  }

  // Preamble ------------------------------------------------------------------------------------------------------------
  void start(const TextLine& line, Rank& rank, bool init) {
    if (rank.started) return;
    rank.started = true;
    for (int i = 1; i < static_cast<int>(Constant::count_); ++i) {
      const auto c = static_cast<Constant>(i);
      if (info(c).kind == Kind::datatype) {
        const TextSize s = text_size(c);
        meta(line, wire::Meta::constant, {static_cast<std::uint64_t>(i), text_handle(c),
                                          static_cast<std::uint64_t>(s.size), static_cast<std::uint64_t>(s.extent)});
      } else {
        meta(line, wire::Meta::constant, {static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(text_value(c)), 0, 0});
      }
    }
    if (!init) return;
    rank.threads.insert(0);
    TextLine call = line;
    call.thread = 0;
    call.word = "Init";
    call.arguments.clear();
    call.results.clear();
    call.site.clear();
    call.error.clear();
    meta(call, wire::Meta::thread, {0, 1});
    take_leave(call, rank, take_enter(call, rank, proc_by_name("Init")));
  }

  void tell_world(const TextLine& line, Rank& rank, std::uint64_t thread_level) {
    if (rank.world_told) return;
    rank.world_told = true;
    const auto n = static_cast<std::uint64_t>(trace_.world_size);
    const auto me = static_cast<std::uint64_t>(line.rank);
    const auto none = static_cast<std::uint64_t>(-1);
    meta(line, wire::Meta::world, {me, n, kTextTagUb, thread_level, 0});
    meta(line, wire::Meta::communicator, {text_handle(constant_by_name("COMM_WORLD")), n, me, none, 0, 0, 0, 1, 0, 1, n});
    meta(line, wire::Meta::communicator, {text_handle(constant_by_name("COMM_SELF")), 1, 0, none, 0, 0, 0, 1, me, 1, 1});
  }

  // Records -------------------------------------------------------------------------------------------------------------
  std::size_t record(const TextLine& line, std::uint16_t proc, wire::Phase phase, std::uint32_t site,
                     const std::vector<std::uint64_t>& words) {
    Rank& rank = ranks_[line.rank];
    // A call while another of this thread is open comes from a callback.
    const bool inner = phase == wire::Phase::enter && rank.open.contains(line.thread);
    wire::RecordHeader header{proc, phase, inner ? wire::kFlagCallback : std::uint8_t{0},
                              static_cast<std::uint32_t>(words.size()), ++rank.seq, site};
    const std::size_t at = trace_.words.size();
    trace_.words.resize(at + 2);
    std::memcpy(&trace_.words[at], &header, sizeof(header));
    trace_.words.insert(trace_.words.end(), words.begin(), words.end());
    trace_.items.push_back({TextItem::What::record, line.rank, line.thread, at, line.number});
    return at;
  }

  void meta(const TextLine& line, wire::Meta what, const std::vector<std::uint64_t>& words) {
    record(line, static_cast<std::uint16_t>(what), wire::Phase::meta, 0, words);
  }

  Event event(std::size_t at) const { return trace_.event({TextItem::What::record, 0, 0, at, 0}); }

  // Appends elements in the form of a tail.
  static void put_tail(std::vector<std::uint64_t>& tails, const Param& p, const std::vector<std::int64_t>& elements) {
    const std::size_t at = tails.size();
    tails.resize(at + (elements.size() * p.elem_size + 7) / 8);
    auto* to = reinterpret_cast<std::byte*>(tails.data() + at);
    for (const std::int64_t e : elements) {
      std::memcpy(to, &e, p.elem_size);  // little endian
      to += p.elem_size;
    }
  }

  std::uint32_t site(const std::string& name) {
    if (name.empty()) return 0;
    const auto [it, added] = sites_.emplace(name, static_cast<std::uint32_t>(trace_.sites.size()));
    if (added) trace_.sites.push_back(name);
    return it->second;
  }

  // Enter ---------------------------------------------------------------------------------------------------------------
  std::size_t take_enter(const TextLine& line, Rank& rank, Proc proc) {
    const ProcInfo& i = info(proc);
    given_.assign(i.params.size(), nullptr);
    for (const TextArgument& a : line.arguments) given_[find_param(line, i, a)] = &a.value;
    lengths_.assign(i.params.size(), std::nullopt);
    for (std::size_t p = 0; p < i.params.size(); ++p) {
      if (i.params[p].is_array() && given_[p] != nullptr) lengths_[p] = given_length(*given_[p]);
    }
    for (const TextArgument& a : line.results) {  // the length of an output array may follow from its results
      const std::size_t p = find_param(line, i, a);
      if (i.params[p].is_array() && !lengths_[p]) lengths_[p] = given_length(a.value);
    }
    std::vector<std::uint64_t> words(i.enter_words);
    // Lengths of arrays depend on scalars and the other way round: scalars first.
    for (std::size_t p = 0; p < i.params.size(); ++p) {
      if (!i.params[p].is_array()) enter_scalar(line, rank, i, p, words);
    }
    std::vector<std::uint64_t> tails;
    for (std::size_t p = 0; p < i.params.size(); ++p) {
      if (i.params[p].is_array()) enter_array(line, rank, i, p, words, tails);
    }
    words.insert(words.end(), tails.begin(), tails.end());
    return record(line, static_cast<std::uint16_t>(proc), wire::Phase::enter, site(line.site), words);
  }

  std::size_t find_param(const TextLine& line, const ProcInfo& proc, const TextArgument& a) {
    const auto index = [&](std::string_view name) { return proc.param(name); };
    int found = index(a.name);
    static const std::pair<const char*, const char*> kAliases[] = {
        {"from", "source"}, {"to", "dest"}, {"type", "datatype"}, {"requests", "array_of_requests"},
        {"statuses", "array_of_statuses"}, {"indices", "array_of_indices"}, {"req", "request"}};
    for (const auto& [alias, name] : kAliases) {
      if (found < 0 && a.name == alias) found = index(name);
    }
    if (found < 0) found = index("array_of_" + a.name);
    if (found < 0 && !a.name.empty()) {  // a prefix that fits only one
      for (std::size_t p = 0; p < proc.params.size(); ++p) {
        if (!std::string_view(proc.params[p].name).starts_with(a.name)) continue;
        if (found >= 0) fail(line, a.column, a.name + " may be several parameters of " + proc.name);
        found = static_cast<int>(p);
      }
    }
    if (found < 0) fail(line, a.column, std::string(proc.name) + " has no parameter " + a.name);
    return static_cast<std::size_t>(found);
  }

  static std::optional<std::uint64_t> given_length(const TextValue& v) {
    if (v.length >= 0) return static_cast<std::uint64_t>(v.length);
    if (v.what == TextValue::What::list) return v.items.size();
    if (v.what == TextValue::What::text) return v.word.size();
    return std::nullopt;
  }

  void enter_scalar(const TextLine& line, Rank& rank, const ProcInfo& proc, std::size_t index,
                    std::vector<std::uint64_t>& words) {
    const Param& p = proc.params[index];
    const TextValue* given = given_[index];
    std::uint64_t* word = &words[static_cast<std::size_t>(p.enter_word)];
    if (p.shape == Shape::scalar) {
      *word = given != nullptr ? scalar_of(line, rank, p, *given) : default_in(line, rank, proc, index);
      return;
    }
    std::optional<std::uint64_t> address;
    if (given != nullptr && given->address) address = address_of(line, *given->address, given->column);
    if (!address && given != nullptr && given->what == TextValue::What::word) address = sentinel(given->word);
    *word = address ? *address : fresh_variable(rank, 16);
    if (p.shape != Shape::pointer_inout) return;
    const bool is_value = given != nullptr && given->what == TextValue::What::word && !sentinel(given->word);
    word[1] = is_value ? scalar_of(line, rank, p, *given) : default_in(line, rank, proc, index);
  }

  void enter_array(const TextLine& line, Rank& rank, const ProcInfo& proc, std::size_t index,
                   std::vector<std::uint64_t>& words, std::vector<std::uint64_t>& tails) {
    const Param& p = proc.params[index];
    const TextValue* given = given_[index];
    std::uint64_t* word = &words[static_cast<std::size_t>(p.enter_word)];
    std::optional<std::uint64_t> address;
    if (given != nullptr && given->address) address = address_of(line, *given->address, given->column);
    bool bare = false;
    if (given != nullptr && given->what == TextValue::What::word) {
      address = sentinel(given->word);
      if (!address) fail(line, given->column, std::string(p.name) + " is an array: [...]");
      bare = true;
    }
    if (p.shape == Shape::array_out) {
      word[1] = lengths_[index] ? *lengths_[index] : expected_length(line, proc, index, words).value_or(0);
    } else {
      std::vector<std::int64_t> elements;
      if (given == nullptr || (given->what == TextValue::What::none && given->length < 0)) {
        elements = default_elements(line, rank, proc, index, words);
      } else if (!bare) {
        elements = elements_of(line, rank, p, *given);
      }
      word[1] = elements.size();
      put_tail(tails, p, elements);
    }
    word[0] = address ? *address : fresh_variable(rank, word[1] * 24 + 16);
  }

  // How many elements the table says the array has.
  std::optional<std::uint64_t> expected_length(const TextLine&, const ProcInfo& proc, std::size_t index,
                                               const std::vector<std::uint64_t>& words) const {
    const Param& p = proc.params[index];
    switch (p.length) {
      case Length::param: {
        const Param& other = proc.params[static_cast<std::size_t>(p.length_param)];
        if (other.shape == Shape::pointer_out || other.is_array()) return std::nullopt;
        const auto n = static_cast<std::int64_t>(
            words[static_cast<std::size_t>(other.enter_word + (other.shape == Shape::pointer_inout))]);
        return n > 0 ? static_cast<std::uint64_t>(n) * p.length_factor : 0;
      }
      case Length::number:
        return p.length_factor;
      case Length::size:
      case Length::localsize:
        return static_cast<std::uint64_t>(trace_.world_size);
      default:
        return std::nullopt;
    }
  }

  std::vector<std::int64_t> default_elements(const TextLine& line, Rank& rank, const ProcInfo& proc, std::size_t index,
                                             const std::vector<std::uint64_t>& words) {
    const Param& p = proc.params[index];
    if (p.elem_size == 1) return {'x'};
    std::vector<std::int64_t> elements(std::min<std::uint64_t>(expected_length(line, proc, index, words).value_or(0), 4096));
    for (std::size_t k = 0; k < elements.size(); ++k) {
      switch (p.kind) {
        case Kind::displacement:
        case Kind::aint:
          elements[k] = static_cast<std::int64_t>(k) * (p.elem_size == 8 ? 16 : 1);
          break;
        case Kind::dims:
          elements[k] = k == 0 ? trace_.world_size : 1;
          break;
        case Kind::range:
          elements[k] = k % 3 == 2 ? 1 : 0;
          break;
        case Kind::rank:
        case Kind::neighbour:
          elements[k] = static_cast<std::int64_t>(k) % trace_.world_size;
          break;
        default:
          elements[k] = static_cast<std::int64_t>(default_in(line, rank, proc, index));
      }
    }
    return elements;
  }

  // A value that makes the call right.
  std::uint64_t default_in(const TextLine& line, Rank& rank, const ProcInfo& proc, std::size_t index) {
    const Param& p = proc.params[index];
    const auto named = [](const char* name) {
      const Constant c = constant_by_name(name);
      return info(c).is_handle ? text_handle(c) : static_cast<std::uint64_t>(recorded_value(c));
    };
    const auto latest = [&](const char* otherwise) {
      const auto it = rank.latest.find(p.kind);
      return it != rank.latest.end() ? it->second : named(otherwise);
    };
    // A length is that of the first array given that it belongs to.
    for (std::size_t a = 0; a < proc.params.size(); ++a) {
      const Param& array = proc.params[a];
      if (array.length == Length::param && array.length_param == static_cast<int>(index) && lengths_[a]) {
        return *lengths_[a] / std::max<std::uint64_t>(array.length_factor, 1);
      }
    }
    const std::string_view name = p.name;
    switch (p.kind) {
      case Kind::buffer: {
        const std::uint64_t at = rank.next_buffer;
        rank.next_buffer += kBufferStep;
        return at;
      }
      case Kind::status: case Kind::function: case Kind::extra_state: case Kind::pointer: case Kind::attribute:
        return p.optional && proc.family == Family::lifecycle ? 0 : fresh_variable(rank, 4096);
      case Kind::argv: return p.optional ? 0 : fresh_variable(rank, 32);
      case Kind::count: case Kind::partitions: case Kind::disp_unit: case Kind::psize: case Kind::ndims: return 1;
      case Kind::length: case Kind::degree: return name == "maxdims" ? 8 : proc.family == Family::completion ? 0 : 1;
      case Kind::datatype: return named("MPI_INT");
      case Kind::comm: return named("COMM_WORLD");
      case Kind::group: return latest("GROUP_EMPTY");
      case Kind::request: return latest("REQUEST_NULL");
      case Kind::message: return latest("MESSAGE_NULL");
      case Kind::op: return proc.has(kDestructor) ? latest("OP_NULL") : named("MPI_SUM");
      case Kind::win: return latest("WIN_NULL");
      case Kind::file: return latest("FILE_NULL");
      case Kind::info: return proc.family == Family::info ? latest("INFO_NULL") : named("INFO_NULL");
      case Kind::errhandler: return latest("ERRORS_RETURN");
      case Kind::session: return latest("SESSION_NULL");
      case Kind::keyval: return latest("KEYVAL_INVALID");
      case Kind::rank:
        if (name == "source" || name == "recvsource") return peer(line, trace_.world_size - 1);
        return name == "dest" ? peer(line, 1) : 0;
      case Kind::key: return static_cast<std::uint64_t>(line.rank);
      case Kind::bytes: case Kind::buffer_size: return 64;
      case Kind::amode: return 8 | 1;  // RDWR, CREATE
      case Kind::lock_type: return named("LOCK_SHARED");
      case Kind::thread_level: return named("THREAD_MULTIPLE");
      case Kind::whence: return named("SEEK_SET");
      case Kind::split_type: return named("COMM_TYPE_SHARED");
      case Kind::order: return named("ORDER_C");
      case Kind::distrib: return named("DISTRIBUTE_BLOCK");
      case Kind::darg: return named("DISTRIBUTE_DFLT_DARG");
      case Kind::typeclass: return named("TYPECLASS_INTEGER");
      case Kind::int_:
        if (name == "size") return proc.base == Proc::type_match_size ? 4 : 1;
        return name == "nnodes" ? 1 : 0;
      default: return 0;
    }
  }

  std::uint64_t peer(const TextLine& line, int step) const {
    return static_cast<std::uint64_t>((line.rank + step) % trace_.world_size);
  }

  static std::uint64_t fresh_variable(Rank& rank, std::uint64_t bytes) {
    const std::uint64_t at = rank.next_variable;
    rank.next_variable += (bytes + 15) & ~std::uint64_t{15};
    return at;
  }

  // Values --------------------------------------------------------------------------------------------------------------
  static std::int64_t number_of(const TextLine& line, const TextValue& v) {
    if (const auto n = parse_number(v.word)) return *n;
    const Constant c = constant_by_name(v.word);
    if (c == Constant::none) fail(line, v.column, v.word + " is no number");
    return recorded_value(c);
  }

  static std::optional<std::uint64_t> sentinel(const std::string& word) { return parse_sentinel(word); }

  static std::uint64_t address_of(const TextLine& line, const std::string& word, int column) {
    if (const auto s = sentinel(word)) return *s;
    if (const auto n = parse_number(word)) return static_cast<std::uint64_t>(*n);
    fail(line, column, word + " is no address");
  }

  std::uint64_t handle_of(const TextLine& line, Rank& rank, Kind kind, const TextValue& v) {
    if (v.what != TextValue::What::word) fail(line, v.column, "a handle is a name or a number");
    if (const auto n = parse_number(v.word)) return static_cast<std::uint64_t>(*n);
    const Constant c = constant_by_name(v.word);
    if (c != Constant::none && info(c).is_handle && (kind == Kind::keyval || info(c).kind == kind)) return text_handle(c);
    if (kind == Kind::keyval && c != Constant::none) return static_cast<std::uint64_t>(recorded_value(c));
    // `cart` may be a handle of one's own, but MPI_CART and CART mean the constant.
    if (c != Constant::none && !std::islower(static_cast<unsigned char>(v.word[0]))) {
      fail(line, v.column, v.word + " is no " + std::string(kind_name(kind)));
    }
    const auto [it, added] = rank.names.emplace(v.word, rank.next_handle);
    if (added) ++rank.next_handle;
    return it->second;
  }

  std::uint64_t scalar_of(const TextLine& line, Rank& rank, const Param& p, const TextValue& v) {
    if (v.what == TextValue::What::none && v.address) return address_of(line, *v.address, v.column);
    if (v.what != TextValue::What::word) fail(line, v.column, std::string(p.name) + " is one value");
    if (is_handle(p.kind) || p.kind == Kind::keyval) return handle_of(line, rank, p.kind, v);
    if (is_address(p.kind) || p.kind == Kind::status) {
      // A name for memory: the same name, the same address.
      if (sentinel(v.word) || parse_number(v.word)) return address_of(line, v.word, v.column);
      const auto [it, added] = rank.names.emplace("&" + v.word, rank.next_buffer);
      if (added) rank.next_buffer += kBufferStep;
      return it->second;
    }
    std::int64_t sum = 0;
    std::string_view rest = v.word;
    if (rest == "true") return 1;
    if (rest == "false") return 0;
    while (true) {  // RDWR|CREATE
      const std::size_t bar = rest.find('|');
      TextValue part = v;
      part.word = std::string(rest.substr(0, bar));
      sum |= number_of(line, part);
      if (bar == std::string_view::npos) break;
      rest.remove_prefix(bar + 1);
    }
    return static_cast<std::uint64_t>(sum);
  }

  std::vector<std::int64_t> elements_of(const TextLine& line, Rank& rank, const Param& p, const TextValue& v) {
    std::vector<std::int64_t> elements;
    if (v.what == TextValue::What::text) {
      for (const char c : v.word) elements.push_back(static_cast<unsigned char>(c));
      return elements;
    }
    if (v.what != TextValue::What::list) fail(line, v.column, std::string(p.name) + " is an array: [...]");
    for (const TextValue& item : v.items) elements.push_back(static_cast<std::int64_t>(scalar_of(line, rank, p, item)));
    return elements;
  }

  static wire::Status status_of(const TextLine& line, const TextValue& v) {
    if (v.what != TextValue::What::tuple) fail(line, v.column, "a status is (source,tag,bytes)");
    std::int64_t part[5] = {-1, -1, 0, 0, 0};
    for (std::size_t k = 0; k < v.items.size() && k < 5; ++k) {
      const std::int64_t n = k == 3 && !parse_number(v.items[k].word) ? error_of(line, v.items[k].word, v.items[k].column)
                                                                      : number_of(line, v.items[k]);
      part[k] = n == wire::kProcNull ? -2 : n == wire::kAnySource || n == wire::kAnyTag ? -1 : n;
    }
    return {static_cast<std::int32_t>(part[0]), static_cast<std::int32_t>(part[1]), static_cast<std::int32_t>(part[3]),
            static_cast<std::uint32_t>(part[4]), static_cast<std::uint64_t>(part[2])};
  }

  static std::int64_t error_of(const TextLine& line, const std::string& word, int column) {
    if (const auto n = parse_number(word)) return *n;
    const Constant c = constant_by_name(word);
    if (c == Constant::none || info(c).kind != Kind::error_class) fail(line, column, word + " is no error class");
    return text_value(c);
  }

  // Leave ---------------------------------------------------------------------------------------------------------------
  void take_leave(const TextLine& line, Rank& rank, std::size_t enter_at) {
    const Event enter = event(enter_at);
    const ProcInfo& i = enter.info();
    const std::uint32_t seq = enter.seq();
    given_.assign(i.params.size(), nullptr);
    // An output named among the inputs is its result.
    for (const TextArgument& a : line.arguments) {
      const std::size_t p = find_param(line, i, a);
      const bool result = a.value.what != TextValue::What::none &&
                          !(a.value.what == TextValue::What::word && sentinel(a.value.word));
      if (i.params[p].dir == Dir::out && i.params[p].leave_word >= 0 && result) given_[p] = &a.value;
    }
    for (const TextArgument& a : line.results) {
      const std::size_t p = find_param(line, i, a);
      if (i.params[p].leave_word < 0) {
        fail(line, a.column, a.name + " of " + i.name + " is not recorded when the call returns");
      }
      given_[p] = &a.value;
    }
    std::vector<std::uint64_t> words(i.leave_words);
    std::vector<std::uint64_t> tails;
    if (!line.error.empty()) words[0] = static_cast<std::uint64_t>(error_of(line, line.error, line.error_column));
    const bool failed = words[0] != 0;
    // Flags and indices first: what happens to requests depends on them.
    for (const bool handles : {false, true}) {
      for (std::size_t p = 0; p < i.params.size(); ++p) {
        const Param& param = i.params[p];
        if (param.leave_word < 0 || param.is_array() || is_handle(param.kind) != handles) continue;
        leave_scalar(line, rank, enter, p, failed, words);
      }
    }
    for (std::size_t p = 0; p < i.params.size(); ++p) {
      if (i.params[p].leave_word >= 0 && i.params[p].is_array()) leave_array(line, rank, enter, p, failed, words, tails);
    }
    const auto proc = enter.header().proc;
    if (!i.has_leave() && !failed) {
      trace_.items.push_back({TextItem::What::returned, line.rank, line.thread, enter_at, line.number});
    } else {
      words.insert(words.end(), tails.begin(), tails.end());
      record(line, proc, wire::Phase::leave, seq, words);
    }
    if (const Proc p = static_cast<Proc>(proc); !failed && (p == Proc::init || p == Proc::init_thread)) {
      const int provided = i.param("provided");
      const Constant most = Constant::thread_multiple;
      tell_world(line, rank, provided < 0 ? static_cast<std::uint64_t>(recorded_value(most))
                                          : words[static_cast<std::size_t>(i.params[static_cast<std::size_t>(provided)].leave_word)]);
    }
  }

  // Results that only depend on what went before: an index of a completed request, whether anything was found.
  void leave_scalar(const TextLine& line, Rank& rank, const Event& enter, std::size_t index, bool failed,
                    std::vector<std::uint64_t>& words) {
    const ProcInfo& i = enter.info();
    const Param& p = i.params[index];
    const TextValue* given = given_[index];
    std::uint64_t* word = &words[static_cast<std::size_t>(p.leave_word)];
    if (p.kind == Kind::status) {
      wire::Status s{-1, -1, 0, 2, 0};
      if (given != nullptr) {
        s = status_of(line, *given);
      } else if (const int from = i.param("source"), tag = i.param("tag"); from >= 0 && tag >= 0 && !failed) {
        const std::int64_t source = enter.value(from), t = enter.value(tag);
        s = {source == wire::kProcNull ? -2 : source == wire::kAnySource ? 0 : static_cast<std::int32_t>(source),
             t == wire::kAnyTag ? 0 : static_cast<std::int32_t>(t), 0, 0, 4};
      }
      std::memcpy(word, &s, sizeof(s));
      return;
    }
    if (given != nullptr) {
      *word = scalar_of(line, rank, p, *given);
      if (is_handle(p.kind) || p.kind == Kind::keyval) made(rank, i, p, *word, failed);
      return;
    }
    if (is_handle(p.kind) || p.kind == Kind::keyval) {
      *word = default_handle(rank, enter, index, failed, words);
      if (p.dir == Dir::out) made(rank, i, p, *word, failed);
      return;
    }
    switch (p.kind) {
      case Kind::flag: *word = failed ? 0 : 1; break;
      case Kind::index: *word = static_cast<std::uint64_t>(first_open(rank, enter)); break;
      case Kind::outcount: *word = open_count(rank, enter); break;
      case Kind::thread_level: *word = static_cast<std::uint64_t>(recorded_value(constant_by_name("THREAD_MULTIPLE"))); break;
      default: *word = p.shape == Shape::pointer_inout ? static_cast<std::uint64_t>(enter.value(static_cast<int>(index))) : 0;
    }
  }

  void made(Rank& rank, const ProcInfo& i, const Param& p, std::uint64_t raw, bool failed) {
    if (failed || is_null(p.kind, raw)) return;
    rank.latest[p.kind] = raw;
    if (p.kind != Kind::request) return;
    if (i.has(kPersistent)) rank.persistent.insert(raw);
    else rank.persistent.erase(raw);
  }

  static bool is_null(Kind kind, std::uint64_t raw) {
    const Constant c = text_constant(kind, raw);
    return c != Constant::none && info(c).is_null;
  }

  static std::uint64_t null_of(Kind kind) {
    if (kind == Kind::keyval) return static_cast<std::uint64_t>(recorded_value(constant_by_name("KEYVAL_INVALID")));
    for (int c = 1; c < static_cast<int>(Constant::count_); ++c) {
      const auto constant = static_cast<Constant>(c);
      if (info(constant).kind == kind && info(constant).is_null) return text_handle(constant);
    }
    return 0;
  }

  // Freed, completed, received: the variable becomes null. Made: a value not used before.
  std::uint64_t default_handle(Rank& rank, const Event& enter, std::size_t index, bool failed,
                               const std::vector<std::uint64_t>& words) {
    const ProcInfo& i = enter.info();
    const Param& p = i.params[index];
    if (p.dir == Dir::out) {
      if (failed || !flag_of(i, words)) return null_of(p.kind);
      if (p.kind == Kind::comm && (undefined(enter, "color") || undefined(enter, "split_type"))) return null_of(p.kind);
      return rank.next_handle++;
    }
    const std::uint64_t before = enter.handle(static_cast<int>(index));
    if (failed) return before;
    if (p.kind == Kind::request && i.family == Family::completion) {
      return flag_of(i, words) && !rank.persistent.contains(before) ? null_of(p.kind) : before;
    }
    if (p.kind == Kind::message && i.has(kDestructor)) return null_of(p.kind);
    return i.has(kDestructor) || p.kind == Kind::message ? null_of(p.kind) : before;
  }

  static bool undefined(const Event& enter, const char* name) {
    const int p = enter.info().param(name);
    return p >= 0 && enter.value(p) == wire::kUndefined;
  }

  static bool flag_of(const ProcInfo& i, const std::vector<std::uint64_t>& words) {
    for (const Param& p : i.params) {
      if (p.kind == Kind::flag && p.leave_word >= 0) return words[static_cast<std::size_t>(p.leave_word)] != 0;
    }
    return true;
  }

  static std::uint64_t open_count(const Rank&, const Event& enter) {
    const int p = enter.info().param("array_of_requests");
    if (p < 0) return 0;
    const ArrayView a = enter.array(p);
    std::uint64_t n = 0;
    for (std::uint64_t k = 0; k < a.size(); ++k) n += !is_null(Kind::request, static_cast<std::uint64_t>(a[k]));
    return n == 0 ? static_cast<std::uint64_t>(wire::kUndefined) : n;
  }

  static std::int64_t first_open(const Rank&, const Event& enter) {
    const int p = enter.info().param("array_of_requests");
    if (p < 0) return 0;
    const ArrayView a = enter.array(p);
    for (std::uint64_t k = 0; k < a.size(); ++k) {
      if (!is_null(Kind::request, static_cast<std::uint64_t>(a[k]))) return static_cast<std::int64_t>(k);
    }
    return wire::kUndefined;
  }

  void leave_array(const TextLine& line, Rank& rank, const Event& enter, std::size_t index, bool failed,
                   std::vector<std::uint64_t>& words, std::vector<std::uint64_t>& tails) {
    const ProcInfo& i = enter.info();
    const Param& p = i.params[index];
    const TextValue* given = given_[index];
    std::uint64_t& length = words[static_cast<std::size_t>(p.leave_word)];
    if (p.kind == Kind::status) {
      std::vector<wire::Status> all;
      if (given != nullptr) {
        for (const TextValue& v : given->items) all.push_back(status_of(line, v));
      } else if (enter.address(static_cast<int>(index)) != wire::kIgnore) {
        all.assign(std::min<std::uint64_t>(enter.length(static_cast<int>(index)), 4096), wire::Status{-1, -1, 0, 2, 0});
      }
      length = all.size();
      const std::size_t at = tails.size();
      tails.resize(at + all.size() * 3);
      if (!all.empty()) std::memcpy(&tails[at], all.data(), all.size() * sizeof(wire::Status));
      return;
    }
    std::vector<std::int64_t> elements;
    if (given != nullptr) {
      elements = elements_of(line, rank, p, *given);
    } else if (p.kind == Kind::index) {
      const int out = i.first(Kind::outcount, Dir::out);
      const auto n = static_cast<std::int64_t>(words[static_cast<std::size_t>(i.params[static_cast<std::size_t>(out)].leave_word)]);
      const ArrayView requests = enter.array(i.param("array_of_requests"));
      for (std::uint64_t k = 0; k < requests.size() && static_cast<std::int64_t>(elements.size()) < n; ++k) {
        if (!is_null(Kind::request, static_cast<std::uint64_t>(requests[k]))) elements.push_back(static_cast<std::int64_t>(k));
      }
    } else if (p.kind == Kind::request && p.shape == Shape::array_inout) {
      elements = completed(line, rank, enter, index, failed, words);
    } else if (p.shape == Shape::array_inout) {
      const ArrayView before = enter.array(static_cast<int>(index));
      for (std::uint64_t k = 0; k < before.size(); ++k) elements.push_back(before[k]);
    } else if (is_handle(p.kind)) {
      for (std::uint64_t k = 0; k < std::min<std::uint64_t>(enter.length(static_cast<int>(index)), 4096); ++k) {
        elements.push_back(failed ? static_cast<std::int64_t>(null_of(p.kind)) : static_cast<std::int64_t>(rank.next_handle++));
      }
    } else if (p.elem_size == 1) {
      for (const char c : std::string_view("port")) elements.push_back(c);
    } else {
      elements.assign(std::min<std::uint64_t>(enter.length(static_cast<int>(index)), 4096), 0);
    }
    length = elements.size();
    put_tail(tails, p, elements);
  }

  // The array of requests after the call: which ones are done follows from flag, index and indices.
  std::vector<std::int64_t> completed(const TextLine& line, Rank& rank, const Event& enter, std::size_t index, bool failed,
                                      const std::vector<std::uint64_t>& words) {
    const ProcInfo& i = enter.info();
    const ArrayView before = enter.array(static_cast<int>(index));
    std::vector<std::int64_t> after;
    for (std::uint64_t k = 0; k < before.size(); ++k) after.push_back(before[k]);
    if (failed || i.family != Family::completion || !flag_of(i, words)) return after;
    const auto complete = [&](std::int64_t k) {
      if (k < 0 || k >= static_cast<std::int64_t>(after.size())) return;
      auto& r = after[static_cast<std::size_t>(k)];
      if (!rank.persistent.contains(static_cast<std::uint64_t>(r))) r = static_cast<std::int64_t>(null_of(Kind::request));
    };
    int one = -1, some = -1;
    for (std::size_t p = 0; p < i.params.size(); ++p) {
      if (i.params[p].kind != Kind::index || i.params[p].leave_word < 0) continue;
      (i.params[p].is_array() ? some : one) = static_cast<int>(p);
    }
    if (one >= 0) {
      complete(static_cast<std::int64_t>(words[static_cast<std::size_t>(i.params[static_cast<std::size_t>(one)].leave_word)]));
    } else if (some >= 0) {
      std::vector<std::int64_t> done;
      if (const TextValue* given = given_[static_cast<std::size_t>(some)]) {
        done = elements_of(line, rank, i.params[static_cast<std::size_t>(some)], *given);
      } else {
        const std::uint64_t n = open_count(rank, enter);
        for (std::uint64_t k = 0; k < before.size() && n != static_cast<std::uint64_t>(wire::kUndefined); ++k) {
          if (!is_null(Kind::request, static_cast<std::uint64_t>(before[k]))) done.push_back(static_cast<std::int64_t>(k));
        }
      }
      const int out = i.first(Kind::outcount, Dir::out);
      const auto n = static_cast<std::int64_t>(words[static_cast<std::size_t>(i.params[static_cast<std::size_t>(out)].leave_word)]);
      for (std::size_t k = 0; k < done.size() && static_cast<std::int64_t>(k) < n; ++k) complete(done[k]);
    } else {
      for (std::size_t k = 0; k < after.size(); ++k) complete(static_cast<std::int64_t>(k));
    }
    return after;
  }

  TextTrace trace_;
  std::map<int, Rank> ranks_;
  std::unordered_map<std::string, std::uint32_t> sites_;
  std::vector<const TextValue*> given_;                   // by parameter, of the line at hand
  std::vector<std::optional<std::uint64_t>> lengths_;     // of its arrays, where given
};

}  // namespace

Result<TextTrace> read_text(std::string_view text) {
  try {
    return Reader().read(text);
  } catch (const Fail& f) {
    return Error{f.text};
  }
}

}  // namespace vouch
