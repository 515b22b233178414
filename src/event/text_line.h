// One line of the text form, taken apart but not yet understood.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vouch {

inline constexpr std::uint64_t kTextTagUb = 0x3fffffff;

struct TextValue {
  enum class What : std::uint8_t { none, word, list, tuple, text };
  What what = What::none;
  std::string word;                    // of word and text
  std::vector<TextValue> items;        // of list and tuple
  std::optional<std::string> address;  // after &
  std::int64_t length = -1;            // after #
  int column = 0;
};

struct TextArgument {
  std::string name;  // empty: a value alone
  TextValue value;
  int column = 0;
};

struct TextLine {
  int number = 0;
  int rank = 0, thread = 0;
  std::string word;  // procedure, or a word of the text form; empty: nothing but a comment
  int column = 0;    // of word
  std::vector<TextArgument> arguments, results;
  std::string site;
  std::string error;  // after !
  int error_column = 0;
  bool no_return = false;
  bool held = false;  // after ^
};

// False: `wrong` says what, with line and column.
bool split_line(std::string_view text, int number, TextLine& line, std::string& wrong);

std::optional<std::int64_t> parse_number(std::string_view);  // decimal or hex
std::optional<std::uint64_t> parse_sentinel(
    std::string_view);  // IN_PLACE, NULL, STATUS_IGNORE …: an address that is none
std::string_view sentinel_name(std::uint64_t address);  // "" if it is an address

}  // namespace vouch
