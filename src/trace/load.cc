#include "trace/load.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <map>
#include <optional>
#include <unordered_map>

#include "trace/reader.h"

namespace vouch::trace {
namespace {

// As the agent has it (agent/dispatch.cc): nested calls cannot go on forever.
constexpr std::size_t kMaxDepth = 64;
constexpr std::uint64_t kNode = 8;  // words of an entry in a map, about

struct Open {
  std::uint32_t seq;
  std::size_t at;  // of the enter record
  bool leaves;     // its procedure writes a leave record
};

struct Stream {
  std::map<int, std::vector<Open>> open;                     // by thread
  std::unordered_map<std::uint32_t, std::uint32_t> sites;    // local -> place, as the agent told
  std::unordered_map<std::uint32_t, std::string> raw_sites;  // as the process told
  std::unordered_map<std::uint64_t, std::string> modules;
  std::optional<TextItem> last;  // exit or signal, not yet among the items
  int rank = -1, hint = -1;
  bool spawned = false;
};

std::string base_name(std::string_view path) {
  return std::string(path.substr(path.find_last_of('/') + 1));
}

class Loader {
 public:
  Loader(std::istream& in, std::uint64_t most) : reader_(in), most_(most) {
    loaded_.trace.sites.emplace_back();
  }

  Result<Loaded> load() {
    for (;;) {
      Item item;
      const Result<bool> more = reader_.next(item);
      if (!more.ok()) return Error{more.error()};
      if (!more.value()) break;
      if (std::string wrong = take(item); !wrong.empty()) return Error{std::move(wrong)};
    }
    for (Stream& stream : streams_) last_word(stream);
    loaded_.cut = reader_.cut();
    number_ranks();
    place_sites();
    return std::move(loaded_);
  }

 private:
  TextTrace& trace() { return loaded_.trace; }

  std::string take(const Item& item) {
    switch (item.kind) {
      case Item::Kind::process:
        streams_.emplace_back().hint = valid(item.rank_hint);
        return spend(sizeof(Stream) / 8);
      case Item::Kind::place:
        trace().sites.emplace_back(item.text);
        return spend(sizeof(std::string) / 8 + item.text.size() / 8);
      case Item::Kind::site:
        streams_[item.process].sites[item.local] = item.number;
        return spend(kNode);
      case Item::Kind::lost:
        ++loaded_.lost;
        return {};
      case Item::Kind::ended:
        last_word(streams_[item.process]);
        if (item.ending == Ending::killed) add(TextItem::What::killed, item, 0);
        return spend(0);
      case Item::Kind::returned:
        close_to(item, item.seq);
        return spend(0);
      case Item::Kind::record:
        return take_record(item);
    }
    return {};
  }

  // "" or that it takes more memory than we want to give.
  std::string spend(std::uint64_t words) {
    spent_ += words;
    const std::uint64_t items = trace().items.size() * (sizeof(TextItem) / 8);
    return spent_ + trace().words.size() + items <= most_
               ? std::string()
               : std::string("it is too large to be held in memory at once");
  }

  static int valid(std::int64_t rank) {
    return rank >= 0 && rank < kMaxProcesses ? static_cast<int>(rank) : -1;
  }

  std::string take_record(const Item& item) {
    Stream& stream = streams_[item.process];
    // A call that failed may have told its error class alone.
    const Event event = item.event();
    std::size_t words = event.header().words;
    if (event.is_leave()) words = std::max<std::size_t>(words, event.info().leave_words);
    if (std::string wrong = spend(0); !wrong.empty()) return wrong;
    if (event.phase() == wire::Phase::meta) take_meta(stream, event);
    if (event.is_enter()) enter(item, event);
    if (event.is_leave() && !leave(item, event)) {
      ++loaded_.lost;  // its enter record was too large, or it began before the trace
      return {};
    }
    const std::size_t at = trace().words.size();
    wire::RecordHeader header = event.header();
    header.words = static_cast<std::uint32_t>(words);
    trace().words.resize(at + 2 + words);
    std::memcpy(&trace().words[at], &header, sizeof(header));
    std::copy_n(event.words(), event.header().words, &trace().words[at + 2]);
    add(TextItem::What::record, item, at);
    if (is_last_word(event)) {
      last_word(stream);
      stream.last = trace().items.back();
      trace().items.pop_back();
    }
    if (event.is_enter())
      stream.open[item.thread].push_back({event.seq(), at, event.info().has_leave()});
    return {};
  }

  // What a process says of its end comes before the word of the ring that its last call is over.
  static bool is_last_word(const Event& event) {
    const auto what = static_cast<wire::Meta>(event.header().proc);
    return event.phase() == wire::Phase::meta &&
           (what == wire::Meta::exit || what == wire::Meta::signal);
  }
  void last_word(Stream& stream) {
    if (stream.last) trace().items.push_back(*stream.last);
    stream.last.reset();
  }

  void add(TextItem::What what, const Item& item, std::size_t at) {
    trace().items.push_back({what, static_cast<int>(item.process), item.thread, at, 0});
  }

  void close_top(const Item& item, std::vector<Open>& open) {
    add(TextItem::What::returned, item, open.back().at);
    open.pop_back();
  }

  // A thread that calls again has returned from what it called before, unless a callback does.
  void enter(const Item& item, const Event& event) {
    auto& open = streams_[item.process].open[item.thread];
    if ((event.flags() & wire::kFlagCallback) == 0) {
      while (!open.empty()) close_top(item, open);
    } else if (open.size() > 1 && (!open.back().leaves || open.size() >= kMaxDepth)) {
      close_top(item, open);
    }
  }

  // False: that call is not open.
  bool leave(const Item& item, const Event& event) {
    auto& open = streams_[item.process].open[item.thread];
    const auto same = [&](const Open& o) { return o.seq == event.header().site; };
    const auto found = std::find_if(open.begin(), open.end(), same);
    if (found == open.end()) return false;
    const wire::RecordHeader* begun =
        reinterpret_cast<const wire::RecordHeader*>(&trace().words[found->at]);
    if (begun->proc != event.header().proc) return false;
    while (open.back().seq != event.header().site) close_top(item, open);
    open.pop_back();
    return true;
  }

  void close_to(const Item& item, std::uint32_t seq) {
    auto& open = streams_[item.process].open[item.thread];
    while (!open.empty() && static_cast<std::int32_t>(seq - open.back().seq) >= 0)
      close_top(item, open);
  }

  static std::string_view text_at(const Event& meta, std::uint64_t word) {
    if (word >= meta.header().words) return {};
    const std::uint64_t room = (meta.header().words - word - 1) * 8;
    return {reinterpret_cast<const char*>(meta.words() + word + 1),
            std::min(meta.word(static_cast<int>(word)), room)};
  }

  void take_meta(Stream& stream, const Event& meta) {
    const auto number = [&](int i) { return static_cast<std::uint32_t>(meta.word(i)); };
    switch (static_cast<wire::Meta>(meta.header().proc)) {
      case wire::Meta::module:
        spent_ += kNode;
        stream.modules[meta.word(0)] = base_name(text_at(meta, 2));
        break;
      case wire::Meta::site:
        spent_ += 2 * kNode;
        stream.raw_sites[number(0)] = stream.modules[meta.word(1)] + "+" + hex(meta.word(2));
        break;
      case wire::Meta::python_site:
        spent_ += kNode;
        stream.raw_sites[number(0)] =
            base_name(text_at(meta, 2)) + ":" + std::to_string(meta.word(1));
        break;
      case wire::Meta::world:
        stream.spawned = meta.word(4) != 0;
        stream.rank = valid(static_cast<std::int64_t>(meta.word(0)));
        if (!stream.spawned && meta.word(1) < kMaxProcesses)
          trace().world_size = std::max(trace().world_size, static_cast<int>(meta.word(1)));
        break;
      default:
        break;
    }
  }

  // Until here items carry the numbers of their processes.
  void number_ranks() {
    std::unordered_map<int, std::size_t> taken;
    loaded_.ranks.assign(streams_.size(), -1);
    const auto claim = [&](std::size_t p, int rank) {
      if (loaded_.ranks[p] < 0 && rank >= 0 && taken.emplace(rank, p).second)
        loaded_.ranks[p] = rank;
    };
    for (std::size_t p = 0; p < streams_.size(); ++p)
      if (!streams_[p].spawned) claim(p, streams_[p].rank);
    for (std::size_t p = 0; p < streams_.size(); ++p)
      if (!streams_[p].spawned && streams_[p].rank < 0) claim(p, streams_[p].hint);
    int next = trace().world_size;
    for (std::size_t p = 0; p < streams_.size(); ++p)
      while (loaded_.ranks[p] < 0) claim(p, next++);
    for (TextItem& item : trace().items)
      item.rank = loaded_.ranks[static_cast<std::size_t>(item.rank)];
    if (trace().world_size == 0) trace().world_size = static_cast<int>(streams_.size());
  }

  void place_sites() {
    std::unordered_map<std::string, std::uint32_t> added;
    const auto places = static_cast<std::uint32_t>(trace().sites.size());
    std::unordered_map<int, Stream*> by_rank;
    for (std::size_t p = 0; p < streams_.size(); ++p) by_rank[loaded_.ranks[p]] = &streams_[p];
    for (const TextItem& item : trace().items) {
      if (item.what != TextItem::What::record) continue;
      wire::RecordHeader header;
      std::memcpy(&header, &trace().words[item.at], sizeof(header));
      // What is no call names its site in a word.
      const auto what = header.phase == wire::Phase::meta ? static_cast<wire::Meta>(header.proc)
                                                          : wire::Meta::none;
      const bool claim = what == wire::Meta::claim, access = what == wire::Meta::access;
      if (header.phase != wire::Phase::enter && !claim && !access) continue;
      const Stream& stream = *by_rank[item.rank];
      if (claim || access)
        header.site = static_cast<std::uint32_t>(trace().words[item.at + (claim ? 3 : 2)]);
      std::uint32_t place = 0;
      if (const auto told = stream.sites.find(header.site);
          told != stream.sites.end() && told->second < places) {
        place = told->second;
      } else if (const auto raw = stream.raw_sites.find(header.site);
                 raw != stream.raw_sites.end()) {
        const auto [at, is_new] =
            added.emplace(raw->second, static_cast<std::uint32_t>(trace().sites.size()));
        if (is_new) trace().sites.push_back(raw->second);
        place = at->second;
      }
      if (claim || access) {
        std::memcpy(&trace().words[item.at + (claim ? 3 : 2)], &place, sizeof(place));
        continue;
      }
      header.site = place;
      std::memcpy(&trace().words[item.at], &header, sizeof(header));
    }
  }

  Reader reader_;
  const std::uint64_t most_;
  std::uint64_t spent_ = 0;  // words, besides those of the records
  Loaded loaded_;
  std::vector<Stream> streams_;
};

}  // namespace

Result<Loaded> load(std::istream& in, std::uint64_t most_words) {
  return Loader(in, most_words).load();
}

Result<Loaded> load_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return Error{path + " cannot be read"};
  Result<Loaded> loaded = load(in);
  if (!loaded.ok()) return Error{path + ": " + loaded.error()};
  return loaded;
}

bool is_trace(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  char magic[sizeof(kMagic)] = {};
  in.read(magic, sizeof(magic));
  return in && std::memcmp(magic, kMagic, sizeof(kMagic)) == 0;
}

}  // namespace vouch::trace
