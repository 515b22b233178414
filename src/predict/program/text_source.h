// What both text forms share: places in the text, and the words of the program model.

#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "predict/program/ctp.h"

namespace vouch::predict {

inline constexpr int kMaxNesting = 200;  // of parentheses: the readers are recursive
inline constexpr std::size_t kMaxProcesses = 65536;

struct Wrong {  // thrown by the readers
  std::size_t at;
  std::string text;
};
// "12:7": line and column of a byte of the text.
std::string place_in(std::string_view text, std::size_t at);

inline std::optional<std::int64_t> to_number(std::string_view word) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || end != word.data() + word.size()) return std::nullopt;
  return value;
}
// The same within the range of int, kAny excepted.
inline std::optional<int> to_index(std::string_view word) {
  const auto value = to_number(word);
  if (!value || *value < 0 || *value > 0x3fffffff) return std::nullopt;
  return static_cast<int>(*value);
}

inline constexpr std::array<std::pair<std::string_view, SyncKind>, 6> kSyncWords{{
    {"b", SyncKind::all},
    {"allreduce", SyncKind::all},
    {"bcast", SyncKind::from_root},
    {"reduce", SyncKind::to_root},
    {"scan", SyncKind::prefix},
    {"needs", SyncKind::listed},
}};
inline std::string_view word_of(SyncKind kind) {
  for (const auto& [word, known] : kSyncWords)
    if (known == kind) return word;
  return "b";
}

// A character of a name, in both forms.
inline bool is_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.';
}

// Not a number: names stand beside numbers in conditions.
inline bool is_whole_name(std::string_view word) {
  return !word.empty() && !(word[0] >= '0' && word[0] <= '9') &&
         std::all_of(word.begin(), word.end(), is_name);
}

Result<Program> parse_compact(std::string_view text);
Result<Program> parse_sexpr(std::string_view text);

// The name that an operation without one gets.
std::string name_by_place(const Program&, OpId);

}  // namespace vouch::predict
