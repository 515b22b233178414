// The compact form: operators > < * and suffixes.

#include <cctype>
#include <unordered_map>

#include <fmt/format.h>

#include "predict/program/expression.h"

namespace vouch::predict {
namespace {

struct Word {
  std::string_view text;
  std::size_t at = 0;
};

// Words of each process: separated by spaces outside parentheses and quotes.
std::vector<std::vector<Word>> split(std::string_view text) {
  std::vector<std::vector<Word>> processes(1);
  std::size_t i = 0;
  while (i < text.size()) {
    const char c = text[i];
    if (std::isspace(static_cast<unsigned char>(c))) {
      ++i;
    } else if (c == ';') {
      i = std::min(text.find('\n', i), text.size());
    } else if (c == '|') {
      if (processes.size() >= kMaxProcesses) throw Wrong{i, "too many processes"};
      processes.emplace_back();
      ++i;
    } else {
      const std::size_t from = i;
      int depth = 0;
      bool quoted = false;
      for (; i < text.size(); ++i) {
        const char d = text[i];
        if (d == '"') quoted = !quoted;
        if (quoted) continue;
        if (d == '(' && ++depth > kMaxNesting) throw Wrong{i, "too many parentheses"};
        if (d == ')' && --depth < 0) throw Wrong{i, "unexpected )"};
        if (depth == 0 && (std::isspace(static_cast<unsigned char>(d)) || d == '|' || d == ';'))
          break;
      }
      if (depth > 0 || quoted) throw Wrong{from, "not closed"};
      processes.back().push_back({text.substr(from, i - from), from});
    }
  }
  return processes;
}

class Compact {
 public:
  explicit Compact(std::string_view text) : text_(text) {}

  Result<Program> program() {
    const auto processes = split(text_);
    Builder builder(static_cast<int>(processes.size()));
    builder_ = &builder;
    for (process_ = 0; process_ < static_cast<int>(processes.size()); ++process_) {
      named_.clear();
      variables_.clear();
      unwaited_.clear();
      for (const auto& word : processes[process_]) read(word);
    }
    auto built = std::move(builder).build();
    if (built.ok()) return built;
    const auto& sentence = built.error();
    const auto known = places_.find(sentence.substr(0, sentence.find(": ")));
    const auto at = known == places_.end() ? 0 : known->second;
    return Error{fmt::format("{}: {}", place_in(text_, at), sentence)};
  }

 private:
  using Handle = Builder::Handle;

  // ---- characters of the current word ----
  bool more() const { return at_ < end_; }
  char peek() const { return more() ? text_[at_] : '\0'; }
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!take(c)) fail(fmt::format("{} is missing", c));
  }
  [[noreturn]] void fail(std::string text) const { throw Wrong{at_, std::move(text)}; }
  void skip_space() {
    while (more() && std::isspace(static_cast<unsigned char>(peek()))) ++at_;
  }
  std::string name() {
    const auto from = at_;
    while (more() && is_name(peek())) ++at_;
    return std::string(text_.substr(from, at_ - from));
  }
  int index(const char* what) {
    const auto from = at_;
    const auto word = name();
    const auto value = to_index(word);
    if (!value) {
      at_ = from;
      fail(peek() == '*' ? fmt::format("* cannot be a {}", what)
                         : fmt::format("a {} is missing", what));
    }
    return *value;
  }

  // ---- words ----
  void read(const Word& word) {
    at_ = word.at;
    end_ = word.at + word.text.size();
    const auto head = name();
    const char next = peek();
    if (next == '>' || next == '<' || next == '*')
      message(head);
    else if (head == "w" || head == "t")
      wait(head == "t");
    else if (head == "assume" || head == "assert")
      condition(head == "assume");
    else if (head == "comm")
      members();
    else
      collective(head);
    if (more()) fail(fmt::format("'{}' is not understood", text_.substr(at_, end_ - at_)));
  }

  // is0>1, ir0*: a leading i before s or r and a number or nothing.
  static bool non_blocking(const std::string& head, char letter) {
    return head.size() >= 2 && head[0] == 'i' && head[1] == letter &&
           (head.size() == 2 || !std::isalpha(static_cast<unsigned char>(head[2])));
  }

  void message(std::string head) {
    const auto start = at_ - head.size();
    if (!head.empty() && !is_whole_name(head)) fail(fmt::format("'{}' is no name", head));
    Operation op;
    const bool is_send = take('>');
    int peer = kAny;
    if (is_send) {
      if (take('>'))
        op.mode = SendMode::synchronous;
      else if (take('~'))
        op.mode = SendMode::buffered;
      peer = index("destination");
    } else if (take('<')) {
      peer = index("source");
    } else {
      expect('*');
    }
    const bool immediate = non_blocking(head, is_send ? 's' : 'r');
    if (immediate) head.erase(0, 1);
    if (head != "s" && head != "r" && head != "p") op.name = head;
    op.kind = is_send ? OpKind::send : OpKind::receive;
    suffixes(op);
    const std::string known_as = op.name, variable = op.variable;
    const auto place = builder_->length(process_);
    Handle handle;
    if (is_send) {
      op.blocking = !immediate;
      handle = builder_->send(process_, peer, std::move(op));
      if (immediate) unwaited_.push_back(handle);
    } else if (head.starts_with('p')) {
      handle = builder_->probe(process_, peer, std::move(op));
    } else if (immediate) {
      handle = builder_->receive(process_, peer, std::move(op));
      unwaited_.push_back(handle);
    } else {
      handle = builder_->blocking_receive(process_, peer, std::move(op));
    }
    remember(known_as, is_send ? 's' : 'r', place, handle, start);
    if (is_send || head.starts_with('p')) return;
    if (!known_as.empty()) variables_[known_as] = handle;
    if (!variable.empty()) variables_[variable] = handle;
  }

  // What has no name is known by the name its place gives it.
  void remember(std::string known_as, char letter, std::size_t place, Handle handle,
                std::size_t start) {
    if (known_as.empty()) known_as = fmt::format("{}{}.{}", letter, process_, place);
    named_[known_as] = handle;
    places_[known_as] = start;
  }

  void wait(bool by_test) {
    const auto start = at_ - 1;
    std::vector<Handle> completes;
    if (take('(')) {
      do {
        skip_space();
        const auto from = at_;
        const auto word = name();
        const auto known = find_named(word);
        if (!known) {
          at_ = from;
          fail(fmt::format("wait for '{}', which is not known here", word));
        }
        completes.push_back(*known);
        std::erase(unwaited_, *known);
        skip_space();
      } while (take(','));
      expect(')');
    } else {
      if (unwaited_.empty()) fail("there is nothing to wait for");
      completes.push_back(unwaited_.back());
      unwaited_.pop_back();
    }
    Operation op;
    op.kind = OpKind::wait;
    suffixes(op);
    const auto handle = builder_->wait(process_, std::move(completes), by_test);
    if (!op.name.empty()) places_[op.name] = start;
    builder_->describe(handle, op.name, op.site);
  }

  std::optional<Handle> find_named(const std::string& word) const {
    for (const char* prefix : {"", "r", "s", "b"}) {
      const auto known = named_.find(prefix + word);
      if (known != named_.end()) return known->second;
    }
    return std::nullopt;
  }

  void collective(std::string head) {
    const auto start = at_ - head.size();
    Operation op;
    op.kind = OpKind::sync;
    const auto kind_of = [](std::string_view word) -> std::optional<SyncKind> {
      for (const auto& [known, kind] : kSyncWords)
        if (known == word) return kind;
      return std::nullopt;
    };
    auto kind = kind_of(head);
    if (!kind && head.starts_with('i')) {
      kind = kind_of(std::string_view(head).substr(1));
      op.blocking = !kind;
    }
    if (!kind) {
      at_ = start;
      fail(fmt::format("'{}' is no operation", text_.substr(start, end_ - start)));
    }
    int root = 0;
    if (*kind == SyncKind::listed) {
      expect('(');
      if (peek() != ')') do
          op.sources.push_back(index("process"));
        while (take(','));
      expect(')');
    }
    if (*kind == SyncKind::from_root || *kind == SyncKind::to_root) {
      expect('(');
      root = index("root");
      expect(')');
    }
    suffixes(op);
    const auto known_as = op.name;
    const int comm = op.comm;
    const bool immediate = !op.blocking;
    const auto place = builder_->length(process_);
    const auto handle = builder_->sync(process_, comm, *kind, root, std::move(op));
    if (immediate) unwaited_.push_back(handle);
    remember(known_as, 'b', place, handle, start);
  }

  void members() {
    expect('(');
    const int comm = index("communicator");
    expect(')');
    expect('=');
    std::vector<int> who;
    do who.push_back(index("member"));
    while (take(','));
    builder_->communicator(comm, std::move(who));
  }

  void condition(bool is_assumption) {
    expect('(');
    const auto expr = expression(&ExpressionReader::condition);
    skip_space();
    expect(')');
    Operation op;
    op.kind = is_assumption ? OpKind::assume : OpKind::assertion;
    suffixes(op);
    if (is_assumption)
      builder_->assume(process_, expr, std::move(op));
    else
      builder_->assertion(process_, expr, std::move(op));
  }

  void suffixes(Operation& op) {
    const bool message =
        op.kind == OpKind::send || op.kind == OpKind::receive || op.kind == OpKind::probe;
    for (;;) {
      if (message && take(':')) {
        const bool any = op.kind != OpKind::send && take('*');
        op.tag = any ? kAny : index("tag");
      } else if ((message || op.kind == OpKind::sync) && take('/')) {
        op.comm = index("communicator");
      } else if (op.kind == OpKind::send && take('=')) {
        op.expr = expression(&ExpressionReader::operand);
      } else if (op.kind == OpKind::receive && take('=')) {
        op.variable = name();
        if (!is_whole_name(op.variable)) fail("a variable is missing");
      } else if (take('#')) {
        op.name = name();
        if (!is_whole_name(op.name)) fail("a name is missing");
      } else if (take('@')) {
        op.site = site();
      } else {
        return;
      }
    }
  }

  Site site() {
    const bool quoted = take('"');
    const auto from = at_;
    while (more() && (quoted ? peek() != '"' : peek() != '#')) ++at_;
    const auto text = std::string(text_.substr(from, at_ - from));
    if (quoted) expect('"');
    if (text.empty()) fail("a place is missing");
    if (text.find('"') != std::string::npos) fail("a place with a quotation mark in it");
    return builder_->site(text);
  }

  // ---- expressions ----
  ExprId expression(ExprId (ExpressionReader::*what)()) {
    ExpressionReader reader(*builder_, text_, at_, end_, [&](std::string_view word) {
      const auto known = variables_.find(std::string(word));
      return known == variables_.end() ? std::nullopt
                                       : std::optional(builder_->variable(known->second));
    });
    const ExprId read = (reader.*what)();
    at_ = reader.at();
    return read;
  }

  std::string_view text_;
  std::size_t at_ = 0, end_ = 0;
  int process_ = 0;
  Builder* builder_ = nullptr;
  std::unordered_map<std::string, Handle> named_, variables_;  // of this process
  std::vector<Handle> unwaited_;
  std::unordered_map<std::string, std::size_t> places_;
};

}  // namespace

Result<Program> parse_compact(std::string_view text) {
  try {
    return Compact(text).program();
  } catch (const Wrong& wrong) {
    return Error{fmt::format("{}: {}", place_in(text, wrong.at), wrong.text)};
  }
}

}  // namespace vouch::predict
