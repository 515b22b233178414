#include "cli/values.h"

#include <charconv>
#include <cmath>

namespace vouch {

std::optional<std::chrono::milliseconds> parse_duration(std::string_view text) {
  double number = 0;
  const auto [rest, error] =
      std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  if (error != std::errc() || rest == text.data()) return std::nullopt;
  const std::string_view unit(rest, static_cast<std::size_t>(text.data() + text.size() - rest));
  double factor = 0;
  if (unit.empty() || unit == "s") factor = 1000;
  if (unit == "ms") factor = 1;
  if (unit == "m" || unit == "min") factor = 60'000;
  if (unit == "h") factor = 3'600'000;
  const double ms = std::ceil(number * factor);
  constexpr double kYear = 365.0 * 24 * 3'600'000;
  if (!(ms >= 1 && ms < kYear)) return std::nullopt;
  return std::chrono::milliseconds(static_cast<long long>(ms));
}

std::optional<wait::Buffering> parse_buffering(std::string_view text) {
  using Mode = wait::Buffering::Mode;
  if (text == "strict") return wait::Buffering{Mode::strict, 0};
  if (text == "as-run") return wait::Buffering{Mode::as_run, 0};
  constexpr std::string_view kLimit = "limit=";
  if (!text.starts_with(kLimit)) return std::nullopt;
  text.remove_prefix(kLimit.size());
  std::uint64_t bytes = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), bytes);
  if (error != std::errc() || rest == text.data() || bytes > (std::uint64_t{1} << 40))
    return std::nullopt;
  const std::string_view unit(rest, static_cast<std::size_t>(text.data() + text.size() - rest));
  const int shift = unit.empty() ? 0 : unit == "k" ? 10 : unit == "m" ? 20 : -1;
  if (shift < 0) return std::nullopt;
  return wait::Buffering{Mode::limit, bytes << shift};
}

std::string shell_quoted(const std::vector<std::string>& words) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,+@%^";
  std::string line;
  for (const std::string& word : words) {
    if (!line.empty()) line += ' ';
    if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) {
      line += word;
      continue;
    }
    line += '\'';
    for (const char c : word) {
      if (c == '\'') {
        line += "'\\''";
      } else {
        line += c;
      }
    }
    line += '\'';
  }
  return line;
}

}  // namespace vouch
