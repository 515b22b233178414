// What somebody meant who typed a word that there is not.

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vouch {

// The one of these that begins with the word, or differs from it by a typo or two (a character
// too many, missing, other, or two exchanged). "": none does, or several are equally near.
std::string nearest(std::string_view typed, const std::vector<std::string>& known);

}  // namespace vouch
