#include "trace/dump.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <utility>

#include "trace/code.h"

namespace vouch::trace {
namespace {

class Dumper {
 public:
  Dumper(const TextTrace& trace, const std::function<void(std::string_view)>& line)
      : trace_(trace), line_(line) {}

  void dump() {
    line_("0 world size=" + std::to_string(trace_.world_size));
    for (const TextItem& item : trace_.items) take(item);
    for (auto& [rank, its] : ranks_) begin_pending(its);
  }

 private:
  struct Rank {
    std::map<std::pair<Kind, std::uint64_t>, Constant> constants;
    const TextItem* pending = nullptr;  // a call whose return may come next
    bool started = false;
  };

  void take(const TextItem& item) {
    Rank& rank = ranks_[item.rank];
    if (item.what == TextItem::What::killed) {
      begin_pending(rank);
      return line_(std::to_string(item.rank) + " killed");
    }
    const Event event = trace_.event(item);
    if (item.what == TextItem::What::record && event.phase() == wire::Phase::meta)
      return take_meta(item, rank, event);
    if (item.what == TextItem::What::record && event.is_enter()) {
      begin_pending(rank);
      start(item, rank);
      rank.pending = &item;
      return;
    }
    // A return, with or without record.
    const bool leaves = item.what == TextItem::What::record;
    const TextContext context = context_of(item, rank);
    if (!belongs(rank.pending, item, event)) {
      begin_pending(rank);
      return line_(leaves ? print_leave(event, context) : bare_return(item));
    }
    const Event enter = trace_.event(*std::exchange(rank.pending, nullptr));
    if (leaves) return line_(print_call(enter, &event, context_of(enter, context)));
    std::string text = print_call(enter, nullptr, context_of(enter, context));
    line_(text.erase(text.rfind(" ...")));
  }

  bool belongs(const TextItem* pending, const TextItem& item, const Event& event) const {
    if (pending == nullptr || pending->thread != item.thread) return false;
    return item.what == TextItem::What::returned
               ? pending->at == item.at
               : trace_.event(*pending).seq() == event.header().site;
  }

  void begin_pending(Rank& rank) {
    if (rank.pending == nullptr) return;
    const TextItem& item = *std::exchange(rank.pending, nullptr);
    const Event enter = trace_.event(item);
    line_(print_call(enter, nullptr, context_of(enter, context_of(item, rank))));
  }

  // Without it the reader would have the rank call MPI_Init by itself.
  void start(const TextItem& item, Rank& rank) {
    if (std::exchange(rank.started, true)) return;
    line_(std::to_string(item.rank) + " raw");
  }

  static TextContext context_of(const TextItem& item, const Rank& rank) {
    TextContext context;
    context.rank = item.rank;
    context.thread = item.thread;
    context.constant_of = [&rank](Kind kind, std::uint64_t raw) {
      const auto found = rank.constants.find({kind, raw});
      return found == rank.constants.end() ? Constant::none : found->second;
    };
    return context;
  }

  // A place is one word of a line.
  TextContext context_of(const Event& enter, TextContext context) {
    place(enter.header().site, context);
    return context;
  }
  void place(std::uint32_t site, TextContext& context) {
    site_ = site < trace_.sites.size() ? trace_.sites[site] : std::string();
    std::replace_if(
        site_.begin(), site_.end(),
        [](unsigned char c) { return std::isspace(c) != 0 || std::iscntrl(c) != 0; }, '_');
    context.site = site_;
  }

  std::string bare_return(const TextItem& item) const {
    const std::string thread = item.thread == 0 ? "" : "." + std::to_string(item.thread);
    return std::to_string(item.rank) + thread + " return";
  }

  void take_meta(const TextItem& item, Rank& rank, const Event& meta) {
    const auto number = [&](int i) {
      return std::to_string(static_cast<std::int64_t>(meta.word(i)));
    };
    const std::string head = std::to_string(item.rank) + " ";
    std::string text;
    switch (static_cast<wire::Meta>(meta.header().proc)) {
      case wire::Meta::constant: {
        const std::uint64_t id = meta.word(0);
        if (id == 0 || id >= static_cast<std::uint64_t>(Constant::count_)) return;
        const auto c = static_cast<Constant>(id);
        rank.constants.emplace(std::pair(info(c).kind, meta.word(1)), c);
        return;
      }
      case wire::Meta::communicator:
        text = communicator(rank, meta);
        break;
      case wire::Meta::exit:
        text = "exit " + number(0);
        break;
      case wire::Meta::signal:
        text = "signal " + number(0);
        break;
      case wire::Meta::block:
        if (meta.word(2) == static_cast<std::uint64_t>(wire::BlockKind::global)) return;
        text = "block " + hex(meta.word(0)) + " " + number(1) + " " + number(2);
        break;
      case wire::Meta::freed:
        text = "freed " + hex(meta.word(0)) + " " + number(1);
        break;
      case wire::Meta::claim: {
        TextContext context = context_of(item, rank);
        place(static_cast<std::uint32_t>(meta.word(1)), context);
        return own_line(item, rank, print_claim(meta, context));
      }
      case wire::Meta::access: {
        TextContext context = context_of(item, rank);
        place(static_cast<std::uint32_t>(meta.word(0)), context);
        return own_line(item, rank, print_access(meta, context));
      }
      case wire::Meta::exposed:
        text = "exposed " + hex(meta.word(0)) + " " + number(1) + " " + hex(meta.word(2)) + " " +
               number(3);
        break;
      case wire::Meta::value:
        return own_line(item, rank, print_sent(meta, context_of(item, rank)));
      default:
        return;  // what the reader of text makes up itself, or has no words for
    }
    if (!text.empty()) own_line(item, rank, head + text);
  }

  void own_line(const TextItem& item, Rank& rank, const std::string& text) {
    begin_pending(rank);
    start(item, rank);
    line_(text);
  }

  // "" for those that the reader reports by itself, and for malformed ones.
  static std::string communicator(const Rank& rank, const Event& meta) {
    const auto known = rank.constants.find({Kind::comm, meta.word(0)});
    if (known != rank.constants.end() &&
        (known->second == Constant::comm_world || known->second == Constant::comm_self))
      return {};
    static constexpr const char* kTopologies[] = {"none", "cart", "graph", "dist_graph"};
    const auto number = [&](int i) {
      return std::to_string(static_cast<std::int64_t>(meta.word(i)));
    };
    std::string text = "comm " + hex(meta.word(0)) + " size=" + number(1) + " rank=" + number(2) +
                       " remote=" + number(3) +
                       " topology=" + kTopologies[std::min<std::uint64_t>(meta.word(4), 3)] +
                       " indegree=" + number(5) + " outdegree=" + number(6) + " members=[";
    std::uint64_t members = 0;
    for (std::uint64_t run = 0; run < meta.word(7); ++run) {
      const int at = static_cast<int>(8 + 3 * run);
      const std::uint64_t length = meta.word(at + 2);
      if (length > kMaxProcesses || (members += length) > kMaxProcesses) return {};
      for (std::uint64_t i = 0; i < length; ++i) {
        if (text.back() != '[') text += ',';
        text += std::to_string(static_cast<std::int64_t>(meta.word(at) + meta.word(at + 1) * i));
      }
    }
    return text + "]";
  }

  const TextTrace& trace_;
  const std::function<void(std::string_view)>& line_;
  std::map<int, Rank> ranks_;
  std::string site_;
};

}  // namespace

void dump(const TextTrace& trace, const std::function<void(std::string_view)>& line) {
  Dumper(trace, line).dump();
}

}  // namespace vouch::trace
