// A number with what it counts, for people: "1 rank", "2 ranks", "3 entries".

#pragma once

#include <string>
#include <string_view>

namespace vouch {

// `many` is needed where an s is not enough.
template <typename Number>
std::string count_words(Number n, std::string_view one, std::string_view many = {}) {
  std::string text = std::to_string(n) + ' ';
  if (n == Number{1}) return text.append(one);
  return many.empty() ? text.append(one) + 's' : text.append(many);
}

}  // namespace vouch
