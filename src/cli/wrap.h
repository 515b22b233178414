// Text in lines of a given width.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace vouch {

// The words of a paragraph in lines of at most `width` characters.
std::vector<std::string> wrapped(std::string_view text, std::size_t width);

// A text in paragraphs, with a blank line between them.
std::vector<std::string> paragraphs(std::string_view text);
// One that stays as it is.
inline bool is_verbatim(std::string_view paragraph) { return paragraph.starts_with("    "); }

}  // namespace vouch
