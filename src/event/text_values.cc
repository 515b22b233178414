#include "event/text_values.h"

#include <algorithm>
#include <cctype>
#include <cstring>

namespace vouch {

void fail(const TextLine& line, int column, const std::string& what) {
  throw TextFail{std::to_string(line.number) + ":" + std::to_string(column) + ": " + what};
}

std::int64_t number_of(const TextLine& line, const TextValue& v) {
  if (const auto n = parse_number(v.word)) return *n;
  const Constant c = constant_by_name(v.word);
  if (c == Constant::none) fail(line, v.column, v.word + " is no number");
  return recorded_value(c);
}

std::uint64_t address_of(const TextLine& line, const std::string& word, int column) {
  if (const auto s = parse_sentinel(word)) return *s;
  if (const auto n = parse_number(word)) return static_cast<std::uint64_t>(*n);
  fail(line, column, word + " is no address");
}

std::uint64_t handle_of(const TextLine& line, TextRank& rank, Kind kind, const TextValue& v) {
  if (v.what != TextValue::What::word) fail(line, v.column, "a handle is a name or a number");
  if (const auto n = parse_number(v.word)) return static_cast<std::uint64_t>(*n);
  const Constant c = constant_by_name(v.word);
  if (c != Constant::none && info(c).is_handle && (kind == Kind::keyval || info(c).kind == kind))
    return text_handle(c);
  if (kind == Kind::keyval && c != Constant::none)
    return static_cast<std::uint64_t>(recorded_value(c));
  // `cart` may be a handle of one's own, but MPI_CART and CART mean the constant.
  if (c != Constant::none && !std::islower(static_cast<unsigned char>(v.word[0]))) {
    fail(line, v.column, v.word + " is no " + std::string(kind_name(kind)));
  }
  const auto [it, added] = rank.names.emplace(v.word, rank.next_handle);
  if (added) ++rank.next_handle;
  return it->second;
}

std::uint64_t scalar_of(const TextLine& line, TextRank& rank, const Param& p, const TextValue& v) {
  if (v.what == TextValue::What::none && v.address) return address_of(line, *v.address, v.column);
  if (v.what != TextValue::What::word) fail(line, v.column, std::string(p.name) + " is one value");
  if (is_handle(p.kind) || p.kind == Kind::keyval) return handle_of(line, rank, p.kind, v);
  if (is_address(p.kind) || p.kind == Kind::status) {
    // A name for memory: the same name, the same address.
    if (parse_sentinel(v.word) || parse_number(v.word)) return address_of(line, v.word, v.column);
    const auto [it, added] = rank.names.emplace("&" + v.word, rank.next_buffer);
    if (added) rank.next_buffer += kTextBufferStep;
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

std::vector<std::int64_t> elements_of(const TextLine& line, TextRank& rank, const Param& p,
                                      const TextValue& v) {
  std::vector<std::int64_t> elements;
  if (v.what == TextValue::What::text) {
    for (const char c : v.word) elements.push_back(static_cast<unsigned char>(c));
    return elements;
  }
  if (v.what != TextValue::What::list)
    fail(line, v.column, std::string(p.name) + " is an array: [...]");
  for (const TextValue& item : v.items)
    elements.push_back(static_cast<std::int64_t>(scalar_of(line, rank, p, item)));
  return elements;
}

wire::Status status_of(const TextLine& line, const TextValue& v) {
  if (v.what != TextValue::What::tuple) fail(line, v.column, "a status is (source,tag,bytes)");
  std::int64_t part[5] = {-1, -1, 0, 0, 0};
  for (std::size_t k = 0; k < v.items.size() && k < 5; ++k) {
    const std::int64_t n = k == 3 && !parse_number(v.items[k].word)
                               ? error_of(line, v.items[k].word, v.items[k].column)
                               : number_of(line, v.items[k]);
    part[k] = n == wire::kProcNull ? -2 : n == wire::kAnySource || n == wire::kAnyTag ? -1 : n;
  }
  return {static_cast<std::int32_t>(part[0]), static_cast<std::int32_t>(part[1]),
          static_cast<std::int32_t>(part[3]), static_cast<std::uint32_t>(part[4]),
          static_cast<std::uint64_t>(part[2])};
}

std::int64_t error_of(const TextLine& line, const std::string& word, int column) {
  if (const auto n = parse_number(word)) return *n;
  const Constant c = constant_by_name(word);
  if (c == Constant::none || info(c).kind != Kind::error_class)
    fail(line, column, word + " is no error class");
  return text_value(c);
}

std::size_t find_param(const TextLine& line, const ProcInfo& proc, const TextArgument& a) {
  const auto index = [&](std::string_view name) { return proc.param(name); };
  int found = index(a.name);
  static const std::pair<const char*, const char*> kAliases[] = {{"from", "source"},
                                                                 {"to", "dest"},
                                                                 {"type", "datatype"},
                                                                 {"requests", "array_of_requests"},
                                                                 {"statuses", "array_of_statuses"},
                                                                 {"indices", "array_of_indices"},
                                                                 {"req", "request"}};
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

std::optional<std::uint64_t> given_length(const TextValue& v) {
  if (v.length >= 0) return static_cast<std::uint64_t>(v.length);
  if (v.what == TextValue::What::list) return v.items.size();
  if (v.what == TextValue::What::text) return v.word.size();
  return std::nullopt;
}

// Appends elements in the form of a tail.
void put_tail(std::vector<std::uint64_t>& tails, const Param& p,
              const std::vector<std::int64_t>& elements) {
  const std::size_t at = tails.size();
  tails.resize(at + (elements.size() * p.elem_size + 7) / 8);
  auto* to = reinterpret_cast<std::byte*>(tails.data() + at);
  for (const std::int64_t e : elements) {
    std::memcpy(to, &e, p.elem_size);  // little endian
    to += p.elem_size;
  }
}

bool is_null(Kind kind, std::uint64_t raw) {
  const Constant c = text_constant(kind, raw);
  return c != Constant::none && info(c).is_null;
}

std::uint64_t null_of(Kind kind) {
  if (kind == Kind::keyval)
    return static_cast<std::uint64_t>(recorded_value(constant_by_name("KEYVAL_INVALID")));
  for (int c = 1; c < static_cast<int>(Constant::count_); ++c) {
    const auto constant = static_cast<Constant>(c);
    if (info(constant).kind == kind && info(constant).is_null) return text_handle(constant);
  }
  return 0;
}

std::uint64_t fresh_variable(TextRank& rank, std::uint64_t bytes) {
  const std::uint64_t at = rank.next_variable;
  rank.next_variable += (bytes + 15) & ~std::uint64_t{15};
  return at;
}

}  // namespace vouch
