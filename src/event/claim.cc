#include "event/claim.h"

#include <algorithm>
#include <cctype>
#include <cstring>

namespace vouch {
namespace {

// Sound records only (sound.h).
std::string_view text_at(const Event& meta, std::uint64_t at) {
  return {reinterpret_cast<const char*>(meta.words() + at + 1), meta.word(static_cast<int>(at))};
}

void put_text(std::vector<std::uint64_t>& words, std::string_view text) {
  words.push_back(text.size());
  const std::size_t at = words.size();
  words.resize(at + (text.size() + 7) / 8);
  if (!text.empty()) std::memcpy(&words[at], text.data(), text.size());
}

}  // namespace

Claim claim_of(const Event& meta) {
  Claim claim;
  claim.kind = meta.word(0) == 0 ? wire::ClaimKind::assume : wire::ClaimKind::assertion;
  claim.site = static_cast<std::uint32_t>(meta.word(1));
  claim.holds = meta.word(2) != 0;
  const std::uint64_t count = meta.word(3);
  for (std::uint64_t i = 0; i < count; ++i) {
    const int at = static_cast<int>(4 + 3 * i);
    claim.terms.push_back(
        {meta.word(at), meta.word(at + 1), static_cast<std::int64_t>(meta.word(at + 2))});
  }
  const std::uint64_t condition = 4 + 3 * count;
  claim.condition = text_at(meta, condition);
  claim.names = text_at(meta, condition + 1 + (claim.condition.size() + 7) / 8);
  return claim;
}

std::string_view value_of(const Event& meta) { return text_at(meta, 0); }

std::uint64_t digest_of(const Event& meta) {
  const std::uint64_t at = 1 + (meta.word(0) + 7) / 8;
  if (meta.header().words < at + 2 || meta.word(static_cast<int>(at)) != 8) return 0;
  return meta.word(static_cast<int>(at) + 1);
}

std::vector<std::uint64_t> claim_words(const Claim& claim) {
  std::vector<std::uint64_t> words{static_cast<std::uint64_t>(claim.kind), claim.site,
                                   claim.holds ? 1u : 0u, claim.terms.size()};
  for (const Term& t : claim.terms) {
    words.push_back(t.address);
    words.push_back(t.form);
    words.push_back(static_cast<std::uint64_t>(t.value));
  }
  put_text(words, claim.condition);
  put_text(words, claim.names);
  return words;
}

std::vector<std::uint64_t> value_words(std::string_view bytes) {
  std::vector<std::uint64_t> words;
  put_text(words, bytes);
  return words;
}

std::vector<std::string> names_of(const Claim& claim) {
  std::vector<std::string> names;
  std::string name;
  int depth = 0;
  for (const char c : claim.names) {
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == ')' || c == ']' || c == '}') --depth;
    if (c == ',' && depth == 0) {
      names.push_back(std::move(name));
      name.clear();
    } else if (std::isspace(static_cast<unsigned char>(c)) == 0) {
      name += c;
    }
  }
  if (!name.empty()) names.push_back(std::move(name));
  const std::size_t told = std::min(names.size(), claim.terms.size());
  names.resize(claim.terms.size());
  for (std::size_t i = told; i < names.size(); ++i) names[i] = "$" + std::to_string(i + 1);
  return names;
}

}  // namespace vouch
