// The dissertation's form: s-expressions, with :key value for what it does not have.

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <unordered_map>

#include <fmt/format.h>

#include "predict/program/text_source.h"

namespace vouch::predict {
namespace {

struct Node {
  std::size_t at = 0;
  std::string_view atom{};  // of an atom; a quoted one without its quotes
  bool is_list = false;
  std::vector<Node> items{};
};

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  Node all() {
    auto node = read(0);
    skip();
    if (at_ < text_.size()) throw Wrong{at_, "unexpected text after the program"};
    return node;
  }

 private:
  void skip() {
    while (at_ < text_.size()) {
      if (text_[at_] == ';')
        at_ = std::min(text_.find('\n', at_), text_.size());
      else if (std::isspace(static_cast<unsigned char>(text_[at_])))
        ++at_;
      else
        return;
    }
  }

  Node read(int depth) {
    skip();
    if (depth > kMaxNesting) throw Wrong{at_, "too many parentheses"};
    if (at_ == text_.size()) throw Wrong{at_, "the text ends too early: ) is missing"};
    Node node{.at = at_};
    if (text_[at_] == '(') {
      node.is_list = true;
      ++at_;
      for (skip(); at_ < text_.size() && text_[at_] != ')'; skip())
        node.items.push_back(read(depth + 1));
      if (at_ == text_.size()) throw Wrong{node.at, "( is not closed"};
      ++at_;
    } else if (text_[at_] == ')') {
      throw Wrong{at_, "unexpected )"};
    } else if (text_[at_] == '"') {
      const auto end = text_.find('"', at_ + 1);
      if (end == std::string_view::npos) throw Wrong{at_, "\" is not closed"};
      node.atom = text_.substr(at_ + 1, end - at_ - 1);
      at_ = end + 1;
    } else {
      const auto from = at_;
      while (at_ < text_.size() && !std::isspace(static_cast<unsigned char>(text_[at_])) &&
             text_[at_] != '(' && text_[at_] != ')' && text_[at_] != '"')
        ++at_;
      node.atom = text_.substr(from, at_ - from);
    }
    return node;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

// One operation: its positional items and its keys.
struct Form {
  const Node* node;
  std::string_view head;
  std::vector<const Node*> items;
  std::map<std::string_view, const Node*> keys;
};

Form take_apart(const Node& node) {
  if (!node.is_list || node.items.empty() || node.items[0].is_list)
    throw Wrong{node.at, "an operation is expected: (s ...), (r ...), (w ...), (b ...)"};
  Form form{&node, node.items[0].atom, {}, {}};
  for (std::size_t i = 1; i < node.items.size(); ++i) {
    const auto& item = node.items[i];
    if (item.is_list || !item.atom.starts_with(':')) {
      form.items.push_back(&item);
      continue;
    }
    if (i + 1 == node.items.size()) throw Wrong{item.at, "a value is missing after the key"};
    form.keys[item.atom.substr(1)] = &node.items[++i];
  }
  return form;
}

class Sexpr {
 public:
  explicit Sexpr(std::string_view text) : text_(text) {}

  Result<Program> program() {
    const auto root = Reader(text_).all();
    if (!root.is_list) throw Wrong{root.at, "a list of processes is expected"};
    if (root.items.size() > kMaxProcesses) throw Wrong{root.at, "too many processes"};
    for (const auto& process : root.items) lists_.push_back(operations(process));
    choose_communicators();
    Builder builder(static_cast<int>(lists_.size()));
    builder_ = &builder;
    for (process_ = 0; process_ < static_cast<int>(lists_.size()); ++process_) {
      by_wait_.clear();
      variables_.clear();
      for (const auto& form : lists_[process_]) operation(form);
      for (const auto& [name, pending] : by_wait_)
        throw Wrong{places_[name].second, fmt::format("{} names the wait {}, which does not follow",
                                                      places_[name].first, name)};
    }
    auto built = std::move(builder).build();
    if (built.ok()) return built;
    const auto& sentence = built.error();
    const auto known = names_.find(sentence.substr(0, sentence.find(": ")));
    const auto at = known == names_.end() ? 0 : known->second;
    return Error{fmt::format("{}: {}", place_in(text_, at), sentence)};
  }

 private:
  using Handle = Builder::Handle;

  std::vector<Form> operations(const Node& process) const {
    if (!process.is_list) throw Wrong{process.at, "a process is a list of operations"};
    std::vector<Form> forms;
    for (std::size_t i = 0; i < process.items.size(); ++i) {
      const auto& item = process.items[i];
      if (!item.is_list && (item.atom == "⊥" || item.atom == "end")) {
        if (i + 1 != process.items.size()) throw Wrong{item.at, "operations after the end"};
        break;
      }
      forms.push_back(take_apart(item));
    }
    return forms;
  }

  // (b c) uses its communicator once. If all processes name them in the same order, they are
  // barriers one after the other of the world; else each is a communicator of its own.
  void choose_communicators() {
    std::vector<std::string_view> longest;
    std::vector<std::vector<std::string_view>> sequences;
    for (const auto& list : lists_) {
      std::set<std::string_view> own;
      std::vector<std::string_view> plain;
      for (const auto& form : list) {
        if (form.head != "b" || form.items.size() != 1) continue;
        const auto name = form.items[0]->atom;
        if (!own.insert(name).second)
          throw Wrong{form.node->at, fmt::format("communicator {} is used again", name)};
        if (!form.keys.contains("comm")) plain.push_back(name);
      }
      if (plain.size() > longest.size()) longest = plain;
      sequences.push_back(std::move(plain));
    }
    for (const auto& own : sequences)
      if (!std::equal(own.begin(), own.end(), longest.begin())) in_order_ = false;
  }

  // ---- items ----
  static std::string atom(const Node& node, const char* what) {
    if (node.is_list || node.atom.empty())
      throw Wrong{node.at, fmt::format("a {} is expected", what)};
    return std::string(node.atom);
  }
  static int index(const Node& node, const char* what) {
    const auto value = node.is_list ? std::nullopt : to_index(node.atom);
    if (!node.is_list && node.atom == "*")
      throw Wrong{node.at, fmt::format("* cannot be a {}", what)};
    if (!value) throw Wrong{node.at, fmt::format("a {} is expected", what)};
    return *value;
  }
  static int index_or_any(const Node& node, const char* what) {
    return !node.is_list && node.atom == "*" ? kAny : index(node, what);
  }
  static void count(const Form& form, std::size_t wanted, const char* shape) {
    if (form.items.size() != wanted)
      throw Wrong{form.node->at, fmt::format("this should be {}", shape)};
  }
  void own_process(const Node& node, const char* what) const {
    if (index(node, what) != process_)
      throw Wrong{node.at,
                  fmt::format("the {} must be process {}, where this stands", what, process_)};
  }
  std::string some_name(const Node& node, const char* what) {
    auto name = atom(node, what);
    if (!is_whole_name(name))
      throw Wrong{node.at, fmt::format("'{}' is no name of letters and digits", name)};
    return name;
  }

  std::string fresh_name(const Node& node) {
    auto name = some_name(node, "name");
    if (!names_.try_emplace(name, node.at).second)
      throw Wrong{node.at, fmt::format("{}: this name stands twice", name)};
    return name;
  }
  static void only_keys(const Form& form, std::initializer_list<std::string_view> allowed) {
    for (const auto& [key, node] : form.keys)
      if (std::find(allowed.begin(), allowed.end(), key) == allowed.end())
        throw Wrong{node->at, fmt::format("({} ...) has no :{}", form.head, key)};
  }
  static const Node* key(const Form& form, std::string_view name) {
    const auto known = form.keys.find(name);
    return known == form.keys.end() ? nullptr : known->second;
  }

  // ---- operations ----
  void operation(const Form& form) {
    if (form.head == "s")
      send(form);
    else if (form.head == "r")
      receive(form);
    else if (form.head == "p")
      probe(form);
    else if (form.head == "w" || form.head == "t")
      wait(form);
    else if (form.head == "b")
      collective(form);
    else if (form.head == "assume" || form.head == "assert")
      condition(form);
    else if (form.head == "*w" || form.head == "*b")
      throw Wrong{form.node->at,
                  fmt::format("{} is a state of the abstract machine, no operation", form.head)};
    else
      throw Wrong{form.node->at, fmt::format("'{}' is no operation", form.head)};
  }

  void common(const Form& form, Operation& op) {
    if (const auto* node = key(form, "tag"))
      op.tag = op.kind == OpKind::send ? index(*node, "tag") : index_or_any(*node, "tag");
    if (const auto* node = key(form, "comm")) op.comm = index(*node, "communicator");
    if (const auto* node = key(form, "at")) op.site = builder_->site(atom(*node, "place"));
    if (const auto* node = key(form, "name")) op.name = fresh_name(*node);
  }

  void completed_by(const Node& node, Handle handle, const std::string& name) {
    const auto wait = atom(node, "wait");
    if (wait == "none") return;
    by_wait_[wait].push_back(handle);
    places_[wait] = {name, node.at};
  }

  void send(const Form& form) {
    count(form, 3, "(s name source destination)");
    only_keys(form, {"tag", "comm", "at", "value", "mode", "wait"});
    Operation op;
    op.kind = OpKind::send;
    op.name = fresh_name(*form.items[0]);
    own_process(*form.items[1], "source of a send");
    const int dest = index(*form.items[2], "destination");
    common(form, op);
    if (const auto* node = key(form, "value")) op.expr = expression(*node, 0);
    if (const auto* node = key(form, "mode")) {
      if (node->atom != "synchronous" && node->atom != "buffered")
        throw Wrong{node->at, "the mode is synchronous or buffered"};
      op.mode = node->atom == "buffered" ? SendMode::buffered : SendMode::synchronous;
    }
    const auto* wait = key(form, "wait");
    op.blocking = wait == nullptr;
    const auto name = op.name;
    const auto handle = builder_->send(process_, dest, std::move(op));
    if (wait) completed_by(*wait, handle, name);
  }

  void receive(const Form& form) {
    count(form, 4, "(r name source destination wait)");
    only_keys(form, {"tag", "comm", "at", "var"});
    Operation op;
    op.kind = OpKind::receive;
    op.name = fresh_name(*form.items[0]);
    const int source = index_or_any(*form.items[1], "source");
    own_process(*form.items[2], "destination of a receive");
    common(form, op);
    if (const auto* node = key(form, "var")) op.variable = some_name(*node, "variable");
    const auto name = op.name, variable = op.variable;
    const auto handle = builder_->receive(process_, source, std::move(op));
    completed_by(*form.items[3], handle, name);
    variables_[name] = handle;
    if (!variable.empty()) variables_[variable] = handle;
  }

  void probe(const Form& form) {
    count(form, 3, "(p name source destination)");
    only_keys(form, {"tag", "comm", "at"});
    Operation op;
    op.kind = OpKind::probe;
    op.name = fresh_name(*form.items[0]);
    const int source = index_or_any(*form.items[1], "source");
    own_process(*form.items[2], "destination of a probe");
    common(form, op);
    builder_->probe(process_, source, std::move(op));
  }

  void wait(const Form& form) {
    count(form, 1, "(w name)");
    only_keys(form, {"at"});
    Operation op;
    op.kind = OpKind::wait;
    op.name = fresh_name(*form.items[0]);
    common(form, op);
    const auto completes = by_wait_.find(op.name);
    if (completes == by_wait_.end())
      throw Wrong{form.items[0]->at,
                  fmt::format("wait {}, which no operation before it names", op.name)};
    const auto handle = builder_->wait(process_, std::move(completes->second), form.head == "t");
    by_wait_.erase(completes);
    builder_->describe(handle, op.name, op.site);
  }

  void collective(const Form& form) {
    count(form, 1, "(b communicator)");
    only_keys(form, {"comm", "at", "kind", "root", "from", "members", "wait", "name"});
    Operation op;
    op.kind = OpKind::sync;
    common(form, op);
    const auto label = atom(*form.items[0], "communicator");
    if (!key(form, "comm") && !in_order_)
      op.comm =
          own_comm_.try_emplace(label, kOwnComm + static_cast<int>(own_comm_.size())).first->second;
    auto kind = SyncKind::all;
    if (const auto* node = key(form, "kind")) {
      const auto known = std::find_if(kSyncWords.begin(), kSyncWords.end(),
                                      [&](const auto& word) { return word.first == node->atom; });
      if (known == kSyncWords.end()) throw Wrong{node->at, "this is no kind of collective"};
      kind = known->second;
    }
    if (const auto* from = key(form, "from"))
      for (const auto& source : from->items) op.sources.push_back(index(source, "process"));
    const auto* root = key(form, "root");
    const auto* wait = key(form, "wait");
    op.blocking = wait == nullptr;
    const int comm = op.comm;
    members(form, comm);
    const auto handle =
        builder_->sync(process_, comm, kind, root ? index(*root, "root") : 0, std::move(op));
    if (wait) completed_by(*wait, handle, label);
  }

  void members(const Form& form, int comm) {
    std::vector<int> who;
    if (const auto* node = key(form, "members")) {
      for (const auto& member : node->items) who.push_back(index(member, "member"));
    } else {
      for (int p = 0; p < static_cast<int>(lists_.size()); ++p) who.push_back(p);
    }
    const auto known = members_.try_emplace(comm, who);
    if (known.second)
      builder_->communicator(comm, std::move(who));
    else if (known.first->second != who)
      throw Wrong{form.node->at, "this communicator had other members before"};
  }

  void condition(const Form& form) {
    count(form, 1, "(assume condition) or (assert condition)");
    only_keys(form, {"at", "name"});
    Operation op;
    op.kind = OpKind::assume;
    common(form, op);
    const auto expr = expression(*form.items[0], 0);
    if (form.head == "assume")
      builder_->assume(process_, expr, std::move(op));
    else
      builder_->assertion(process_, expr, std::move(op));
  }

  ExprId expression(const Node& node, int depth) {
    using Kind = Expr::Kind;
    if (!node.is_list) {
      if (const auto value = to_number(node.atom)) return builder_->constant(*value);
      const auto known = variables_.find(std::string(node.atom));
      if (known == variables_.end())
        throw Wrong{node.at, fmt::format("'{}' is no variable of this process", node.atom)};
      return builder_->variable(known->second);
    }
    if (node.items.empty() || node.items[0].is_list || depth > kMaxNesting)
      throw Wrong{node.at, "an expression is expected"};
    const auto head = node.items[0].atom;
    static const std::map<std::string_view, Kind> kTwo{
        {"+", Kind::add},         {"-", Kind::subtract},    {"*", Kind::multiply},
        {"=", Kind::equal},       {"==", Kind::equal},      {"!=", Kind::unequal},
        {"<", Kind::less},        {"<=", Kind::less_equal}, {">", Kind::less},
        {">=", Kind::less_equal}, {"&&", Kind::both},       {"||", Kind::either}};
    if (node.items.size() == 2 && (head == "!" || head == "-"))
      return builder_->make(head == "!" ? Kind::no : Kind::negate,
                            expression(node.items[1], depth + 1));
    const auto known = kTwo.find(head);
    if (known == kTwo.end() || node.items.size() != 3)
      throw Wrong{node.at, fmt::format("'{}' with {} operands is no expression", head,
                                       node.items.size() - 1)};
    auto left = expression(node.items[1], depth + 1);
    auto right = expression(node.items[2], depth + 1);
    if (head.starts_with('>')) std::swap(left, right);
    return builder_->make(known->second, left, right);
  }

  static constexpr int kOwnComm = 1000000;  // communicators that are used once

  std::string_view text_;
  std::vector<std::vector<Form>> lists_;
  bool in_order_ = true;
  int process_ = 0;
  Builder* builder_ = nullptr;
  std::unordered_map<std::string, std::size_t> names_;
  std::map<std::string, std::vector<Handle>> by_wait_;  // of this process, still to come
  std::map<std::string, std::pair<std::string, std::size_t>> places_;  // wait: who names it, where
  std::unordered_map<std::string, Handle> variables_;
  std::unordered_map<std::string, int> own_comm_;
  std::map<int, std::vector<int>> members_;
};

}  // namespace

std::string place_in(std::string_view text, std::size_t at) {
  const auto before = text.substr(0, std::min(at, text.size()));
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const auto start = before.rfind('\n');
  const auto column = before.size() - (start == std::string_view::npos ? 0 : start + 1) + 1;
  return fmt::format("{}:{}", line, column);
}

Result<Program> parse_sexpr(std::string_view text) {
  try {
    return Sexpr(text).program();
  } catch (const Wrong& wrong) {
    return Error{fmt::format("{}: {}", place_in(text, wrong.at), wrong.text)};
  }
}

namespace {

// A sentence repeats words of the text, which may be anything: no control characters, no novels.
std::string readable(std::string sentence) {
  constexpr std::size_t kLongest = 300;
  for (char& c : sentence)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  if (sentence.size() <= kLongest) return sentence;
  return sentence.substr(0, kLongest / 2) + " ... " +
         sentence.substr(sentence.size() - kLongest / 2);
}

}  // namespace

Result<Program> parse(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size() &&
         (std::isspace(static_cast<unsigned char>(text[at])) || text[at] == ';'))
    at = text[at] == ';' ? std::min(text.find('\n', at), text.size()) : at + 1;
  if (at == text.size()) return Error{"1:1: there is no program in this text"};
  auto program = text[at] == '(' ? parse_sexpr(text) : parse_compact(text);
  if (!program.ok()) return Error{readable(program.error())};
  if (program.value().ops.empty()) return Error{"1:1: there is no operation in this program"};
  return program;
}

}  // namespace vouch::predict
