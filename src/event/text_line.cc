#include "event/text_line.h"

#include <cctype>
#include <charconv>

#include "event/wire.h"

namespace vouch {
namespace {

struct Wrong {
  int column;
  std::string what;
};

class Splitter {
 public:
  explicit Splitter(std::string_view text) : text_(text) {}

  void split(TextLine& line) {
    skip();
    if (done()) return;
    line.rank = integer("a line starts with a rank");
    if (peek() == '.') {
      ++at_;
      line.thread = integer("a thread number follows the dot");
    }
    skip();
    if (done()) throw Wrong{column(), "a procedure is missing"};
    line.column = column();
    line.word = word();
    if (line.word.empty()) throw Wrong{column(), "a procedure is missing"};
    std::vector<TextArgument>* into = &line.arguments;
    for (skip(); !done(); skip()) {
      if (take("->")) {
        into = &line.results;
      } else if (take("...")) {
        line.no_return = true;
      } else if (peek() == '@') {
        ++at_;
        line.site = until_space();
      } else if (peek() == '^') {
        ++at_;
        line.held = true;
      } else if (peek() == '!') {
        ++at_;
        line.error_column = column();
        line.error = word();
      } else {
        into->push_back(argument());
      }
    }
    if (line.no_return && (!line.results.empty() || !line.error.empty())) {
      throw Wrong{line.column, "a call that does not return has no results"};
    }
  }

 private:
  bool done() const { return at_ >= text_.size() || text_[at_] == '#'; }
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  int column() const { return static_cast<int>(at_) + 1; }
  void skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  bool take(std::string_view what) {
    if (!text_.substr(at_).starts_with(what)) return false;
    at_ += what.size();
    return true;
  }
  int integer(const char* otherwise) {
    int value = 0;
    const auto [end, error] =
        std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc{} || value < 0) throw Wrong{column(), otherwise};
    at_ = static_cast<std::size_t>(end - text_.data());
    return value;
  }
  std::string word() {
    const std::size_t first = at_;
    while (at_ < text_.size() && !std::isspace(static_cast<unsigned char>(text_[at_])) &&
           std::string_view(",[]()&\"#=@!").find(text_[at_]) == std::string_view::npos) {
      ++at_;
    }
    return std::string(text_.substr(first, at_ - first));
  }
  std::string until_space() {
    const std::size_t first = at_;
    while (at_ < text_.size() && !std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
    return std::string(text_.substr(first, at_ - first));
  }

  TextArgument argument() {
    TextArgument a;
    a.column = column();
    if (const std::size_t first = at_; std::isalpha(static_cast<unsigned char>(peek()))) {
      a.name = word();
      if (peek() == '=') {
        ++at_;
      } else {
        a.name.clear();
        at_ = first;
      }
    }
    a.value = value();
    if (peek() == ',') {  // members=0,2
      TextValue list;
      list.what = TextValue::What::list;
      list.column = a.value.column;
      list.items.push_back(std::move(a.value));
      while (peek() == ',') {
        ++at_;
        list.items.push_back(value());
      }
      a.value = std::move(list);
    }
    return a;
  }

  TextValue value() {
    TextValue v;
    v.column = column();
    if (peek() == '[' || peek() == '(') {
      const char close = peek() == '[' ? ']' : ')';
      v.what = close == ']' ? TextValue::What::list : TextValue::What::tuple;
      ++at_;
      for (skip(); peek() != close; skip()) {
        if (at_ >= text_.size()) throw Wrong{v.column, "this is not closed"};
        if (peek() == ',') {
          ++at_;
          continue;
        }
        v.items.push_back(value());
      }
      ++at_;
    } else if (peek() == '"') {
      v.what = TextValue::What::text;
      quoted(v);
    } else if (peek() != '&' && peek() != '#') {
      v.what = TextValue::What::word;
      v.word = word();
      if (v.word.empty()) throw Wrong{v.column, "a value is missing"};
    }
    if (peek() == '#' && at_ + 1 < text_.size() &&
        std::isdigit(static_cast<unsigned char>(text_[at_ + 1]))) {
      ++at_;
      const std::size_t first = at_;
      while (std::isdigit(static_cast<unsigned char>(peek()))) ++at_;
      std::from_chars(text_.data() + first, text_.data() + at_, v.length);
    }
    if (peek() == '&') {
      ++at_;
      v.address = word();
    }
    if (v.what == TextValue::What::none && !v.address && v.length < 0)
      throw Wrong{v.column, "a value is missing"};
    return v;
  }

  void quoted(TextValue& v) {
    for (++at_; peek() != '"'; ++at_) {
      if (at_ >= text_.size()) throw Wrong{v.column, "this string is not closed"};
      if (peek() != '\\') {
        v.word += peek();
        continue;
      }
      ++at_;
      if (peek() == 'x') {
        int code = 0;
        std::from_chars(text_.data() + at_ + 1, text_.data() + std::min(at_ + 3, text_.size()),
                        code, 16);
        v.word += static_cast<char>(code);
        at_ += 2;
      } else {
        v.word += peek();
      }
    }
    ++at_;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

struct Sentinel {
  std::string_view name;
  std::uint64_t address;
};

// The first name of an address is the one printed.
constexpr Sentinel kSentinels[] = {
    {"NULL", 0},
    {"BOTTOM", 0},
    {"ARGV_NULL", 0},
    {"ARGVS_NULL", 0},
    {"IN_PLACE", wire::kInPlace},
    {"STATUS_IGNORE", wire::kIgnore},
    {"STATUSES_IGNORE", wire::kIgnore},
    {"ERRCODES_IGNORE", wire::kIgnore},
    {"UNWEIGHTED", wire::kUnweighted},
    {"WEIGHTS_EMPTY", wire::kWeightsEmpty},
    {"INSIGNIFICANT", wire::kInsignificant},
    {"BUFFER_AUTOMATIC", wire::kBufferAutomatic},
};

}  // namespace

bool split_line(std::string_view text, int number, TextLine& line, std::string& wrong) {
  line.number = number;
  try {
    Splitter(text).split(line);
    return true;
  } catch (const Wrong& w) {
    wrong = std::to_string(number) + ":" + std::to_string(w.column) + ": " + w.what;
    return false;
  }
}

std::optional<std::int64_t> parse_number(std::string_view word) {
  const bool negative = word.starts_with('-');
  std::string_view digits = negative ? word.substr(1) : word;
  int base = 10;
  if (digits.starts_with("0x") || digits.starts_with("0X")) {
    digits.remove_prefix(2);
    base = 16;
  }
  if (digits.empty()) return std::nullopt;
  std::uint64_t value = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  return static_cast<std::int64_t>(negative ? 0 - value : value);
}

std::optional<std::uint64_t> parse_sentinel(std::string_view word) {
  if (word.starts_with("MPI_")) word.remove_prefix(4);
  for (const Sentinel& s : kSentinels) {
    if (word == s.name) return s.address;
  }
  return std::nullopt;
}

std::string_view sentinel_name(std::uint64_t address) {
  for (const Sentinel& s : kSentinels) {
    if (address == s.address) return s.name;
  }
  return {};
}

}  // namespace vouch
