// Both text forms, written.

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "predict/program/text_source.h"

namespace vouch::predict {
namespace {

using Kind = Expr::Kind;

std::string_view sign(Kind kind) {
  switch (kind) {
    case Kind::add:
      return "+";
    case Kind::subtract:
    case Kind::negate:
      return "-";
    case Kind::multiply:
      return "*";
    case Kind::equal:
      return "==";
    case Kind::unequal:
      return "!=";
    case Kind::less:
      return "<";
    case Kind::less_equal:
      return "<=";
    case Kind::both:
      return "&&";
    case Kind::either:
      return "||";
    case Kind::no:
      return "!";
    case Kind::constant:
    case Kind::variable:
      break;
  }
  return "?";
}

std::string variable_of(const Operation& receive) {
  return receive.variable.empty() ? receive.name : receive.variable;
}

std::string infix(const Program& program, ExprId id, bool inside) {
  const auto& e = program.exprs[id];
  if (e.kind == Kind::constant) return fmt::format("{}", e.value);
  if (e.kind == Kind::variable) return variable_of(program[e.receive]);
  if (e.right == kNoExpr) return fmt::format("{}{}", sign(e.kind), infix(program, e.left, true));
  auto text = fmt::format("{} {} {}", infix(program, e.left, true), sign(e.kind),
                          infix(program, e.right, true));
  return inside ? "(" + text + ")" : text;
}

std::string prefix(const Program& program, ExprId id) {
  const auto& e = program.exprs[id];
  if (e.kind == Kind::constant) return fmt::format("{}", e.value);
  if (e.kind == Kind::variable) return variable_of(program[e.receive]);
  const auto head = e.kind == Kind::equal ? "=" : sign(e.kind);
  if (e.right == kNoExpr) return fmt::format("({} {})", head, prefix(program, e.left));
  return fmt::format("({} {} {})", head, prefix(program, e.left), prefix(program, e.right));
}

// The wait stands right behind its receive and adds nothing: `r0*`.
bool one_call(const Program& program, OpId receive) {
  const auto& r = program[receive];
  if (r.wait != receive + 1) return false;
  const auto& wait = program[r.wait];
  return wait.completes.size() == 1 && !wait.by_test && wait.site == r.site &&
         wait.name == name_by_place(program, r.wait);
}

class CompactPrinter {
 public:
  explicit CompactPrinter(const Program& program) : program_(program) {}

  std::string print() {
    communicators();
    for (int p = 0; p < program_.processes(); ++p) {
      if (p > 0) out_ += " |";
      for (OpId id = program_.first[p]; id < program_.first[p + 1]; ++id) operation(id);
    }
    return out_.starts_with(' ') ? out_.substr(1) : out_;
  }

 private:
  void communicators() {
    std::vector<int> said;
    for (const auto& group : program_.groups) {
      if (group.comm == 0 && group.members.size() == static_cast<std::size_t>(program_.processes()))
        continue;
      if (std::find(said.begin(), said.end(), group.comm) != said.end()) continue;
      said.push_back(group.comm);
      out_ += fmt::format(" comm({})={}", group.comm, fmt::join(group.members, ","));
    }
  }

  // What stands before the operator, which also says the kind.
  std::string head(OpId id, char letter) const {
    const auto& op = program_[id];
    return op.name == name_by_place(program_, id) ? std::string(1, letter) : op.name;
  }

  void operation(OpId id) {
    const auto& op = program_[id];
    if (op.kind == OpKind::wait && op.completes.size() == 1 && op.completes[0] + 1 == id &&
        program_[op.completes[0]].kind == OpKind::receive && one_call(program_, op.completes[0]))
      return;
    out_ += ' ';
    switch (op.kind) {
      case OpKind::send:
        send(id);
        break;
      case OpKind::receive:
      case OpKind::probe:
        receive(id);
        break;
      case OpKind::wait:
        wait(id);
        break;
      case OpKind::sync:
        collective(id);
        break;
      case OpKind::assume:
      case OpKind::assertion:
        out_ += fmt::format("{}({})", op.kind == OpKind::assume ? "assume" : "assert",
                            infix(program_, op.expr, false));
        named(id);
        break;
    }
    if (op.site.value == 0) return;
    const auto& place = program_.sites[op.site.value];
    const bool plain = std::none_of(place.begin(), place.end(), [](unsigned char c) {
      return std::isspace(c) || c == '#' || c == '|' || c == ';' || c == '(' || c == ')';
    });
    out_ += plain ? "@" + place : "@\"" + place + "\"";
  }

  void envelope(const Operation& op) {
    if (op.tag == kAny)
      out_ += ":*";
    else if (op.tag != 0)
      out_ += fmt::format(":{}", op.tag);
    if (op.comm != 0) out_ += fmt::format("/{}", op.comm);
  }

  // A name that the head would not give back goes behind a #.
  void communication(OpId id, char letter, bool immediate, std::string_view arrow) {
    auto word = head(id, letter);
    const bool fits =
        word.starts_with(letter) &&
        (word.size() == 1 || !immediate || !std::isalpha(static_cast<unsigned char>(word[1])));
    const bool fits_plain = letter != 'p' && !word.starts_with('p') && !word.starts_with('i');
    const bool just_letter =
        program_[id].name.size() == 1 &&
        (program_[id].name == "s" || program_[id].name == "r" || program_[id].name == "p");
    const bool in_head = (immediate || letter == 'p' ? fits : fits_plain) && !just_letter;
    out_ += immediate ? "i" : "";
    out_ += in_head ? word : std::string(1, letter);
    out_ += arrow;
    envelope(program_[id]);
    if (!in_head) out_ += "#" + program_[id].name;
  }

  void send(OpId id) {
    const auto& op = program_[id];
    const auto arrow = op.mode == SendMode::synchronous ? ">>"
                       : op.mode == SendMode::buffered  ? ">~"
                                                        : ">";
    communication(id, 's', !op.blocking, fmt::format("{}{}", arrow, op.peer));
    if (op.expr != kNoExpr) out_ += "=" + infix(program_, op.expr, true);
  }

  void receive(OpId id) {
    const auto& op = program_[id];
    const bool probe = op.kind == OpKind::probe;
    communication(id, probe ? 'p' : 'r', !probe && !one_call(program_, id),
                  op.peer == kAny ? std::string("*") : fmt::format("<{}", op.peer));
    if (!op.variable.empty()) out_ += "=" + op.variable;
  }

  void wait(OpId id) {
    const auto& op = program_[id];
    out_ += op.by_test ? "t(" : "w(";
    for (std::size_t i = 0; i < op.completes.size(); ++i)
      out_ += (i ? "," : "") + program_[op.completes[i]].name;
    out_ += ")";
    named(id);
  }

  void collective(OpId id) {
    const auto& op = program_[id];
    const auto& group = program_.groups[op.group];
    out_ += op.blocking ? "" : "i";
    out_ += word_of(group.kind);
    if (group.kind == SyncKind::from_root || group.kind == SyncKind::to_root)
      out_ += fmt::format("({})", group.root);
    if (group.kind == SyncKind::listed) out_ += fmt::format("({})", fmt::join(op.sources, ","));
    if (op.comm != 0) out_ += fmt::format("/{}", op.comm);
    named(id);
  }

  void named(OpId id) {
    if (program_[id].name != name_by_place(program_, id)) out_ += "#" + program_[id].name;
  }

  const Program& program_;
  std::string out_;
};

class SexprPrinter {
 public:
  explicit SexprPrinter(const Program& program) : program_(program) {}

  std::string print() {
    out_ = "(";
    for (int p = 0; p < program_.processes(); ++p) {
      out_ += p ? "\n (" : "(";
      for (OpId id = program_.first[p]; id < program_.first[p + 1]; ++id) {
        operation(id);
        out_ += ' ';
      }
      out_ += "⊥)";
    }
    return out_ + ")\n";
  }

 private:
  static std::string source(int peer) { return peer == kAny ? "*" : std::to_string(peer); }

  void operation(OpId id) {
    const auto& op = program_[id];
    switch (op.kind) {
      case OpKind::send:
        out_ += fmt::format("(s {} {} {}", op.name, op.process, op.peer);
        if (op.mode != SendMode::standard)
          key("mode", op.mode == SendMode::synchronous ? "synchronous" : "buffered");
        break;
      case OpKind::receive:
        out_ += fmt::format("(r {} {} {} {}", op.name, source(op.peer), op.process,
                            op.wait == kNoOp ? "none" : program_[op.wait].name);
        if (!op.variable.empty()) key("var", op.variable);
        break;
      case OpKind::probe:
        out_ += fmt::format("(p {} {} {}", op.name, source(op.peer), op.process);
        break;
      case OpKind::wait:
        out_ += fmt::format("({} {}", op.by_test ? "t" : "w", op.name);
        break;
      case OpKind::sync:
        collective(id);
        break;
      case OpKind::assume:
      case OpKind::assertion:
        out_ += fmt::format("({} {}", op.kind == OpKind::assume ? "assume" : "assert",
                            prefix(program_, op.expr));
        if (op.name != name_by_place(program_, id)) key("name", op.name);
        break;
    }
    if (op.kind == OpKind::send && op.expr != kNoExpr) key("value", prefix(program_, op.expr));
    if (op.kind == OpKind::send || op.kind == OpKind::receive || op.kind == OpKind::probe) {
      if (op.tag != 0) key("tag", source(op.tag));
      if (op.comm != 0) key("comm", std::to_string(op.comm));
    }
    if ((op.kind == OpKind::send || op.kind == OpKind::sync) && !op.blocking)
      key("wait", op.wait == kNoOp ? "none" : program_[op.wait].name);
    if (op.site.value != 0) key("at", "\"" + program_.sites[op.site.value] + "\"");
    out_ += ')';
  }

  void collective(OpId id) {
    const auto& op = program_[id];
    const auto& group = program_.groups[op.group];
    out_ += fmt::format("(b {}", group.name);
    if (op.name != name_by_place(program_, id)) key("name", op.name);
    if (group.comm != 0) key("comm", std::to_string(group.comm));
    if (group.kind != SyncKind::all) key("kind", std::string(word_of(group.kind)));
    if (group.kind == SyncKind::from_root || group.kind == SyncKind::to_root)
      key("root", std::to_string(group.root));
    if (group.kind == SyncKind::listed)
      key("from", fmt::format("({})", fmt::join(op.sources, " ")));
    if (group.members.size() != static_cast<std::size_t>(program_.processes()) ||
        !std::is_sorted(group.members.begin(), group.members.end()))
      key("members", fmt::format("({})", fmt::join(group.members, " ")));
  }

  void key(std::string_view name, std::string_view value) {
    out_ += fmt::format(" :{} {}", name, value);
  }

  const Program& program_;
  std::string out_;
};

}  // namespace

std::string print_compact(const Program& program) { return CompactPrinter(program).print(); }
std::string print_sexpr(const Program& program) { return SexprPrinter(program).print(); }
std::string print_expr(const Program& program, ExprId id) { return infix(program, id, false); }

}  // namespace vouch::predict
