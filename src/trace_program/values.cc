#include "trace_program/values.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstring>

#include "predict/program/expression.h"

namespace vouch {
namespace {

using predict::OpId;
using predict::OpKind;

bool in_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool blank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

// The end of `name` in the text from `at` on, blanks aside; 0: something else stands there.
std::size_t end_of(std::string_view text, std::size_t at, std::string_view name) {
  for (const char c : name) {
    while (at < text.size() && blank(text[at])) ++at;
    if (at == text.size() || text[at] != c) return 0;
    ++at;
  }
  std::size_t next = at;
  while (next < text.size() && blank(text[next])) ++next;
  // It goes on: a longer name, an element or a member of it, a call.
  const bool longer = at < text.size() && in_name(text[at]);
  const bool part = next < text.size() && std::string_view("[(").find(text[next]) < 2;
  const bool member = next + 1 < text.size() && text[next] == '.' && in_name(text[next + 1]) &&
                      std::string_view("aonelg").find(text[next + 1]) == std::string_view::npos;
  const bool arrow = text.substr(next, 2) == "->";
  return longer || part || member || arrow ? 0 : at;
}

struct Word {
  std::string_view fortran, c;
};
constexpr Word kWords[] = {{".and.", "&&"}, {".or.", "||"}, {".not.", "!"}, {".eq.", "=="},
                           {".ne.", "!="},  {".lt.", "<"},  {".le.", "<="}, {".gt.", ">"},
                           {".ge.", ">="},  {"/=", "!="}};

bool starts(std::string_view text, std::string_view word) {
  return text.size() >= word.size() &&
         std::equal(word.begin(), word.end(), text.begin(), [](char a, char b) {
           return a == std::tolower(static_cast<unsigned char>(b));
         });
}

}  // namespace

void Received::add(std::uint64_t address, std::uint64_t bytes, std::size_t op) {
  if (address == 0 || bytes == 0 || address + bytes < address) return;
  buffers_[address] = {address + bytes, op};
}

std::optional<ReceivedAt> Received::find(std::uint64_t address) const {
  // Buffers seldom overlap: a few steps back find what lies around an address.
  std::optional<ReceivedAt> latest;
  auto at = buffers_.upper_bound(address);
  for (int steps = 0; steps < 8 && at != buffers_.begin(); ++steps) {
    --at;
    if (address < at->second.end && (!latest || latest->op < at->second.op))
      latest = ReceivedAt{at->second.op, address - at->first};
  }
  return latest;
}

std::optional<std::int64_t> number_in(std::string_view bytes, const Element& element) {
  if (element.offset > bytes.size() || bytes.size() - element.offset < element.bytes)
    return std::nullopt;
  const char* at = bytes.data() + element.offset;
  if (element.real) {
    double value = 0;
    float narrow = 0;
    if (element.bytes == sizeof(float)) {
      std::memcpy(&narrow, at, sizeof(narrow));
      value = static_cast<double>(narrow);
    } else if (element.bytes == sizeof(double)) {
      std::memcpy(&value, at, sizeof(value));
    } else {
      return std::nullopt;
    }
    if (!(std::fabs(value) <= 9007199254740992.0) || value != std::floor(value))
      return std::nullopt;
    return static_cast<std::int64_t>(value);
  }
  std::int64_t value = 0;
  switch (element.bytes) {
    case 1:
      return static_cast<signed char>(*at);
    case 2: {
      std::int16_t two;
      std::memcpy(&two, at, 2);
      return two;
    }
    case 4: {
      std::int32_t four;
      std::memcpy(&four, at, 4);
      return four;
    }
    case 8:
      std::memcpy(&value, at, 8);
      return value;
    default:
      return std::nullopt;
  }
}

std::string with_terms(std::string_view condition, const std::vector<std::string>& names) {
  std::string text;
  std::size_t fresh = 0;  // a name may begin here, whatever stands before it
  for (std::size_t at = 0; at < condition.size();) {
    const auto fortran = std::find_if(std::begin(kWords), std::end(kWords), [&](const Word& w) {
      return starts(condition.substr(at), w.fortran);
    });
    if (fortran != std::end(kWords)) {
      text += fortran->c;
      fresh = at += fortran->fortran.size();
      continue;
    }
    std::size_t longest = 0, which = 0;
    const bool inside = at > fresh && (in_name(condition[at - 1]) || condition[at - 1] == '.' ||
                                       (at > 1 && condition.substr(at - 2, 2) == "->"));
    for (std::size_t i = 0; !inside && !blank(condition[at]) && i < names.size(); ++i) {
      const std::size_t end = end_of(condition, at, names[i]);
      if (end <= longest) continue;
      longest = end;
      which = i;
    }
    if (longest > 0) {
      text += std::string(kTermName) + std::to_string(which);
      at = longest;
    } else {
      text += condition[at++];
    }
  }
  return text;
}

Carrier::Carrier(std::vector<std::vector<Message>> messages,
                 const std::vector<const Claims*>& claims)
    : messages_(std::move(messages)), elements_(messages_.size()) {
  match();
  choose_elements(claims);
}

// The n-th receive of an envelope got the n-th send. Where one is not known, those behind it of its
// rank are not.
void Carrier::match() {
  struct Queue {
    std::vector<Which> sends{};
    std::size_t next = 0;
  };
  std::map<std::array<int, 4>, Queue> queues;
  for (std::size_t r = 0; r < messages_.size(); ++r)
    for (std::size_t i = 0; i < messages_[r].size(); ++i)
      if (const Message& m = messages_[r][i]; m.sends)
        queues[{m.comm, m.source, m.dest, m.tag}].sends.push_back({r, i});
  for (std::size_t r = 0; r < messages_.size(); ++r) {
    for (std::size_t i = 0; i < messages_[r].size(); ++i) {
      const Message& m = messages_[r][i];
      if (!m.receives) continue;
      if (m.source < 0 || m.tag < 0) break;
      const auto queue = queues.find({m.comm, m.source, m.dest, m.tag});
      if (queue == queues.end() || queue->second.next == queue->second.sends.size()) continue;
      sent_[{r, i}] = queue->second.sends[queue->second.next++];
    }
  }
}

// The first element that a condition of a rank reads, and what is forwarded to it elsewhere.
void Carrier::choose_elements(const std::vector<const Claims*>& claims) {
  bool changed = false;
  for (std::size_t r = 0; r < claims.size(); ++r) {
    for (const auto& [op, claim] : *claims[r]) {
      for (std::size_t t = 0; t < claim.terms.size(); ++t) {
        if (!claim.from[t] || elements_[r]) continue;
        elements_[r] = {claim.from[t]->offset, claim.terms[t].bytes(), claim.terms[t].real()};
        changed = true;
      }
    }
  }
  while (changed) {
    changed = false;
    for (std::size_t r = 0; r < messages_.size(); ++r) {
      for (const Message& m : messages_[r]) {
        if (!m.sends || !m.forwards || elements_[r]) continue;
        const auto& there = elements_[static_cast<std::size_t>(m.dest)];
        if (!there) continue;
        elements_[r] = {m.forwards->offset + there->offset, there->bytes, there->real};
        changed = true;
      }
    }
  }
}

std::optional<std::int64_t> Carrier::got(std::size_t rank, std::size_t op) const {
  const auto send = sent_.find({rank, op});
  if (send == sent_.end() || !elements_[rank]) return std::nullopt;
  return number_in(messages_[send->second.rank][send->second.op].value, *elements_[rank]);
}

predict::ExprId Carrier::sent_value(predict::Builder& builder, std::size_t rank, std::size_t op,
                                    const Handles& handles) const {
  const Message& m = messages_[rank][op];
  const auto& there = elements_[static_cast<std::size_t>(m.dest)];
  if (!there) return predict::kNoExpr;
  const auto value = number_in(m.value, *there);
  if (!value) return predict::kNoExpr;
  if (m.forwards && messages_[rank][m.forwards->op].receives) {
    const Element here{m.forwards->offset + there->offset, there->bytes, there->real};
    if (elements_[rank] == here && got(rank, m.forwards->op) == value)
      return builder.variable(handles[m.forwards->op]);
  }
  return builder.constant(*value);
}

predict::ExprId Carrier::condition(predict::Builder& builder, std::size_t rank,
                                   const KeptClaim& claim, const Handles& handles,
                                   const std::function<void(const std::string&)>& gap) const {
  std::vector<predict::ExprId> terms;
  for (std::size_t t = 0; t < claim.terms.size(); ++t) {
    const Term& term = claim.terms[t];
    const auto& from = claim.from[t];
    if (!term.exact()) {
      gap(claim.names[t] + " is no integer: it is not carried to other schedules");
      return predict::kNoExpr;
    }
    if (from && messages_[rank][from->op].receives) {
      const Element element{from->offset, term.bytes(), term.real()};
      if (elements_[rank] != element) {
        gap("one element of the messages to a rank is followed, and " + claim.names[t] +
            " is another one: it is taken as in this run");
      } else if (got(rank, from->op) != term.value) {
        gap(claim.names[t] + " is not known to be what was received: it is taken as in this run");
      } else {
        terms.push_back(builder.variable(handles[from->op]));
        continue;
      }
    }
    terms.push_back(builder.constant(term.value));
  }
  const auto read = predict::parse_condition(
      builder, with_terms(claim.condition, claim.names),
      [&](std::string_view word) -> std::optional<predict::ExprId> {
        if (!word.starts_with(kTermName)) return std::nullopt;
        const auto number = predict::to_index(word.substr(kTermName.size()));
        if (!number || static_cast<std::size_t>(*number) >= terms.size()) return std::nullopt;
        return terms[static_cast<std::size_t>(*number)];
      });
  if (read.ok()) return read.value();
  gap("it is not carried to other schedules: only values that it names, integers, + - *, "
      "comparisons and && || ! are");
  return predict::kNoExpr;
}

bool values_may_differ(const predict::Program& program) {
  std::vector<std::vector<OpId>> sends_to(static_cast<std::size_t>(program.processes()));
  for (const OpId s : program.all(OpKind::send))
    sends_to[static_cast<std::size_t>(program[s].peer)].push_back(s);
  // From this operation on a process has got what it might not have got.
  std::vector<OpId> open(program.first.begin() + 1, program.first.end());
  const auto after_open = [&](OpId s) {
    return open[static_cast<std::size_t>(program[s].process)] < s;
  };
  const auto receives = program.all(OpKind::receive);
  for (bool changed = true; changed;) {
    changed = false;
    for (const OpId r : receives) {
      const auto p = static_cast<std::size_t>(program[r].process);
      if (open[p] <= r) continue;
      int source = predict::kAny;
      bool differs = false;
      for (const OpId s : sends_to[p]) {
        if (!accepts(program[r], program[s])) continue;
        differs |= after_open(s) || (source != predict::kAny && source != program[s].process);
        source = program[s].process;
        if (differs) break;
      }
      if (!differs) continue;
      open[p] = r;
      changed = true;
    }
  }
  // Values that conditions read, directly or through other messages.
  std::vector<bool> read(program.ops.size());
  std::vector<predict::ExprId> exprs;
  for (const auto& op : program.ops)
    if (op.kind == OpKind::assume || op.kind == OpKind::assertion) exprs.push_back(op.expr);
  while (!exprs.empty()) {
    const predict::ExprId id = exprs.back();
    exprs.pop_back();
    if (id == predict::kNoExpr) continue;
    const auto& e = program.exprs[id];
    exprs.push_back(e.left);
    exprs.push_back(e.right);
    if (e.kind != predict::Expr::Kind::variable || read[e.receive]) continue;
    read[e.receive] = true;
    for (const OpId s : sends_to[static_cast<std::size_t>(program[e.receive].process)]) {
      if (!accepts(program[e.receive], program[s])) continue;
      const predict::ExprId value = program[s].expr;
      if (value == predict::kNoExpr) continue;
      if (program.exprs[value].kind == predict::Expr::Kind::constant && after_open(s)) return true;
      exprs.push_back(value);
    }
  }
  return false;
}

}  // namespace vouch
