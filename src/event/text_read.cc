// From text to records, line by line.

#include <algorithm>
#include <cstring>
#include <iterator>
#include <map>
#include <string>
#include <unordered_map>

#include "event/access.h"
#include "event/claim.h"
#include "event/text.h"
#include "event/text_values.h"

namespace vouch {
namespace {

class Reader {
 public:
  TextTrace read(std::string_view text) {
    std::vector<TextLine> lines;
    int number = 0, ranks = 2, size = 0;
    while (!text.empty()) {
      const std::size_t end = text.find('\n');
      TextLine line;
      if (std::string wrong; !split_line(text.substr(0, end), ++number, line, wrong))
        throw TextFail{wrong};
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
  // Lines
  void take(const TextLine& line) {
    TextRank& rank = ranks_[line.rank];
    if (line.word == "world" || line.word == "raw") {
      if (line.word == "raw") start(line, rank, false);
      return;
    }
    if (line.word == "exit" || line.word == "signal" || line.word == "killed" ||
        line.word == "comm" || line.word == "block" || line.word == "freed" ||
        line.word == "modified" || line.word == "issued" || line.word == "inside" ||
        line.word == "assert" || line.word == "assume" || line.word == "value" ||
        line.word == "polls" || line.word == "exposed" || access_kind_named(line.word)) {
      start(line, rank, true);
      return take_meta(line, rank);
    }
    if (line.word == "return" || line.word == "leave") return take_return(line, rank);
    const Proc proc = proc_by_name(line.word);
    if (proc == Proc::none) fail(line, line.column, "no procedure is called " + line.word);
    start(line, rank,
          info(proc).family != Family::lifecycle && info(proc).family != Family::session);
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

  void take_return(const TextLine& line, TextRank& rank) {
    const auto open = rank.open.find(line.thread);
    if (open == rank.open.end()) fail(line, line.column, "no call of this thread is open");
    const std::size_t enter = open->second;
    rank.open.erase(open);
    TextLine results = line;
    results.arguments.clear();  // "return Isend": the name is for people
    take_leave(results, rank, enter);
  }

  void take_access(const TextLine& line, wire::AccessKind kind) {
    AccessPattern a{.site = site(line.site), .kind = kind};
    std::uint64_t* const places[] = {&a.address, &a.bytes};
    std::size_t plain = 0;
    for (const TextArgument& argument : line.arguments) {
      const auto value = static_cast<std::uint64_t>(number_of(line, argument.value));
      if (argument.name == "step")
        a.step = value;
      else if (argument.name == "count")
        a.count = value;
      else if (argument.name == "stride")
        a.stride = value;
      else if (argument.name == "rows")
        a.rows = value;
      else if (argument.name.empty() && plain < std::size(places))
        *places[plain++] = value;
      else
        fail(line, argument.column, "an access has no " + argument.name);
    }
    std::uint64_t words[kMostAccessWords];
    const std::uint32_t count = pack(a, words);
    if (!unpack(words, count, a)) fail(line, line.column, "no program makes such an access");
    meta(line, wire::Meta::access, {words, words + count});
  }

  void take_claim(const TextLine& line) {
    Claim claim;
    claim.kind = line.word == "assume" ? wire::ClaimKind::assume : wire::ClaimKind::assertion;
    claim.site = site(line.site);
    std::vector<std::int64_t> words;
    for (const TextArgument& a : line.arguments) {
      if (a.name.empty() && a.value.what == TextValue::What::text)
        claim.condition = a.value.word;
      else if (a.name == "names")
        claim.names = a.value.word;
      else if (a.name == "holds")
        claim.holds = number_of(line, a.value) != 0;
      else if (a.name == "terms")
        for (const TextValue& v : a.value.items) words.push_back(number_of(line, v));
      else
        fail(line, a.column, "a claim has no " + a.name);
    }
    if (words.size() % 3 != 0) fail(line, line.column, "a term is address, form, value");
    for (std::size_t i = 0; i < words.size(); i += 3)
      claim.terms.push_back({static_cast<std::uint64_t>(words[i]),
                             static_cast<std::uint64_t>(words[i + 1]), words[i + 2]});
    meta(line, wire::Meta::claim, claim_words(claim));
  }

  // The bytes as numbers of four, and how many they are if that is no multiple.
  void take_value(const TextLine& line) {
    std::string bytes;
    for (const TextArgument& a : line.arguments) {
      const std::int64_t number = number_of(line, a.value);
      if (a.name == "bytes") {
        bytes.resize(std::min<std::uint64_t>(bytes.size(), static_cast<std::uint64_t>(number)));
      } else {
        const auto four = static_cast<std::uint32_t>(number);
        bytes.append(reinterpret_cast<const char*>(&four), sizeof(four));
      }
    }
    meta(line, wire::Meta::value, value_words(bytes));
  }

  void take_meta(const TextLine& line, TextRank& rank) {
    const auto number = [&](std::size_t i, std::int64_t otherwise) {
      return line.arguments.size() > i && line.arguments[i].name.empty()
                 ? static_cast<std::uint64_t>(number_of(line, line.arguments[i].value))
                 : static_cast<std::uint64_t>(otherwise);
    };
    if (line.word == "exit") return meta(line, wire::Meta::exit, {number(0, 0), 0});
    if (line.word == "signal") return meta(line, wire::Meta::signal, {number(0, 11), 0, 0, 0, 0});
    if (line.word == "block")
      return meta(line, wire::Meta::block,
                  {number(0, 0), number(1, 0), number(2, 0), site(line.site)});
    if (line.word == "freed")
      return meta(line, wire::Meta::freed, {number(0, 0), number(1, 0), site(line.site)});
    if (line.word == "modified")
      return meta(
          line, wire::Meta::modified,
          {static_cast<std::uint64_t>(Proc::isend), site(line.site), number(0, 0), number(1, 4)});
    if (line.word == "exposed") {
      if (line.arguments.empty()) fail(line, line.column, "which window?");
      return meta(line, wire::Meta::exposed,
                  {handle_of(line, rank, Kind::win, line.arguments[0].value), number(1, 0),
                   number(2, 0), number(3, 0)});
    }
    if (const auto kind = access_kind_named(line.word)) return take_access(line, *kind);
    if (line.word == "assert" || line.word == "assume") return take_claim(line);
    if (line.word == "value") return take_value(line);
    if (line.word == "threaded") return meta(line, wire::Meta::threaded, {1});
    if (line.word == "polls") return meta(line, wire::Meta::polls, {number(0, 1)});
    if (line.word == "issued" || line.word == "inside") {
      const auto other = line.word == "issued" ? line.thread : static_cast<int>(number(0, 0));
      const auto open = rank.open.find(other);
      if (open == rank.open.end()) fail(line, line.column, "no call of that thread is open");
      const std::uint64_t call = event(open->second).seq();
      if (line.word == "issued") return meta(line, wire::Meta::issued, {call});
      return meta(line, wire::Meta::inside, {static_cast<std::uint64_t>(other), call});
    }
    if (line.word == "killed") {
      trace_.items.push_back({TextItem::What::killed, line.rank, line.thread, 0, line.number});
      return;
    }
    if (line.arguments.empty() || !line.arguments[0].name.empty())
      fail(line, line.column, "which communicator?");
    std::map<std::string, std::int64_t> given{{"size", -1},    {"rank", -1},    {"remote", -1},
                                              {"topology", 0}, {"indegree", 0}, {"outdegree", 0}};
    std::vector<std::int64_t> members;
    std::vector<std::uint64_t> runs;  // first, stride, length
    for (std::size_t i = 1; i < line.arguments.size(); ++i) {
      const TextArgument& a = line.arguments[i];
      if (a.name == "members" || a.name == "runs") {
        std::vector<TextValue> items = a.value.items;
        if (a.value.what != TextValue::What::list) items = {a.value};
        for (const TextValue& v : items) {
          const std::int64_t number = number_of(line, v);
          if (a.name == "members") members.push_back(number);
          if (a.name == "runs") runs.push_back(static_cast<std::uint64_t>(number));
        }
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
    for (const std::int64_t m : members)
      runs.insert(runs.end(), {static_cast<std::uint64_t>(m), 0, 1});
    words.push_back(runs.size() / 3);
    words.insert(words.end(), runs.begin(), runs.end());
    meta(line, wire::Meta::communicator, words);
  }

  // Preamble
  void start(const TextLine& line, TextRank& rank, bool init) {
    if (rank.started) return;
    rank.started = true;
    for (int i = 1; i < static_cast<int>(Constant::count_); ++i) {
      const auto c = static_cast<Constant>(i);
      if (info(c).kind == Kind::datatype) {
        const TextSize s = text_size(c);
        meta(line, wire::Meta::constant,
             {static_cast<std::uint64_t>(i), text_handle(c), static_cast<std::uint64_t>(s.size),
              static_cast<std::uint64_t>(s.extent)});
      } else {
        meta(line, wire::Meta::constant,
             {static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(text_value(c)), 0, 0});
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

  void tell_world(const TextLine& line, TextRank& rank, std::uint64_t thread_level) {
    if (rank.world_told) return;
    rank.world_told = true;
    const auto n = static_cast<std::uint64_t>(trace_.world_size);
    const auto me = static_cast<std::uint64_t>(line.rank);
    const auto none = static_cast<std::uint64_t>(-1);
    meta(line, wire::Meta::world, {me, n, kTextTagUb, thread_level, 0});
    meta(line, wire::Meta::communicator,
         {text_handle(constant_by_name("COMM_WORLD")), n, me, none, 0, 0, 0, 1, 0, 1, n});
    meta(line, wire::Meta::communicator,
         {text_handle(constant_by_name("COMM_SELF")), 1, 0, none, 0, 0, 0, 1, me, 1, 1});
  }

  // Records
  std::size_t record(const TextLine& line, std::uint16_t proc, wire::Phase phase,
                     std::uint32_t site, const std::vector<std::uint64_t>& words) {
    TextRank& rank = ranks_[line.rank];
    // A call while another of this thread is open comes from a callback.
    const bool inner = phase == wire::Phase::enter && rank.open.contains(line.thread);
    const auto flags =
        static_cast<std::uint8_t>((inner ? wire::kFlagCallback : 0) |
                                  (line.held && phase == wire::Phase::enter ? wire::kFlagHeld : 0));
    wire::RecordHeader header{proc,       phase, flags, static_cast<std::uint32_t>(words.size()),
                              ++rank.seq, site};
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

  std::uint32_t site(const std::string& name) {
    if (name.empty()) return 0;
    const auto [it, added] = sites_.emplace(name, static_cast<std::uint32_t>(trace_.sites.size()));
    if (added) trace_.sites.push_back(name);
    return it->second;
  }

  // Calls
  std::size_t take_enter(const TextLine& line, TextRank& rank, Proc proc) {
    const std::vector<std::uint64_t> words = enter_words(line, rank, trace_.world_size, proc);
    return record(line, static_cast<std::uint16_t>(proc), wire::Phase::enter, site(line.site),
                  words);
  }

  void take_leave(const TextLine& line, TextRank& rank, std::size_t enter_at) {
    const Event enter = event(enter_at);
    const ProcInfo& i = enter.info();
    const Proc proc = enter.proc();
    const std::uint32_t seq = enter.seq();
    const std::vector<std::uint64_t> words = leave_words(line, rank, enter);
    const bool failed = words[0] != 0;
    if (!i.has_leave() && !failed) {
      trace_.items.push_back(
          {TextItem::What::returned, line.rank, line.thread, enter_at, line.number});
    } else {
      record(line, static_cast<std::uint16_t>(proc), wire::Phase::leave, seq, words);
    }
    if (failed || (proc != Proc::init && proc != Proc::init_thread)) return;
    const int provided = i.param(Arg::provided);
    tell_world(line, rank,
               provided < 0 ? static_cast<std::uint64_t>(recorded_value(Constant::thread_multiple))
                            : words[static_cast<std::size_t>(
                                  i.params[static_cast<std::size_t>(provided)].leave_word)]);
  }

  TextTrace trace_;
  std::map<int, TextRank> ranks_;
  std::unordered_map<std::string, std::uint32_t> sites_;
};

}  // namespace

Result<TextTrace> read_text(std::string_view text) {
  try {
    return Reader().read(text);
  } catch (const TextFail& f) {
    return Error{f.text};
  }
}

}  // namespace vouch
