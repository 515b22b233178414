#include "type/path.h"

#include <fmt/format.h>

#include "report/finding.h"

namespace vouch {
namespace {

constexpr int kMaxDepth = 4;  // what lies deeper is found from there

const char* word_of(Constant combiner) {
  switch (combiner) {
    case Constant::combiner_struct:
      return "struct";
    case Constant::combiner_vector:
    case Constant::combiner_hvector:
      return "vector";
    case Constant::combiner_indexed:
    case Constant::combiner_hindexed:
    case Constant::combiner_indexed_block:
    case Constant::combiner_hindexed_block:
      return "indexed type";
    case Constant::combiner_subarray:
      return "subarray";
    case Constant::combiner_darray:
      return "distributed array";
    case Constant::combiner_contiguous:
      return "contiguous type";
    default:
      return "type";
  }
}

bool transparent(Constant combiner) {
  return combiner == Constant::combiner_dup || combiner == Constant::combiner_resized;
}

// integers of a struct and of indexed types: count, then blocklengths (MPI-4.1 5.1.13).
std::int64_t blocklength(const Type& t, std::size_t i) {
  return i + 1 < t.integers.size() ? t.integers[i + 1] : 0;
}

struct Step {
  std::string text;
  const Type* inner = nullptr;
  std::uint64_t rest = 0;  // item within one element of inner
};

Step step(const Type& t, std::uint64_t item) {
  if (t.combiner == Constant::combiner_struct) {
    for (std::size_t i = 0; i < t.types.size(); ++i) {
      const std::uint64_t each = t.types[i]->signature->digest.atoms;
      const std::uint64_t here =
          each * static_cast<std::uint64_t>(std::max<std::int64_t>(blocklength(t, i), 0));
      if (item >= here) {
        item -= here;
        continue;
      }
      std::string text = fmt::format("field {}", i);
      if (blocklength(t, i) > 1) text += fmt::format("[{}]", item / each);
      return {text, t.types[i].get(), item % each};
    }
    return {};
  }
  const std::uint64_t each = t.types.empty() ? 0 : t.types[0]->signature->digest.atoms;
  if (each == 0) return {};
  const std::uint64_t index = item / each;
  Step s{fmt::format("entry {}", index), t.types[0].get(), item % each};
  if (t.combiner == Constant::combiner_vector || t.combiner == Constant::combiner_hvector) {
    const std::uint64_t length =
        t.integers.size() > 1 ? static_cast<std::uint64_t>(t.integers[1]) : 0;
    if (length > 0) s.text = fmt::format("block {}, entry {}", index / length, index % length);
  }
  return s;
}

}  // namespace

std::string path_to(const Type& type, std::uint64_t item) {
  const std::uint64_t each = type.signature->digest.atoms;
  if (each == 0 || type.named != Constant::none) return {};
  std::string text = fmt::format("element {}", item / each);
  const Type* at = &type;
  item %= each;
  for (int depth = 0; depth < kMaxDepth && at->named == Constant::none && !at->types.empty();
       ++depth) {
    while (transparent(at->combiner) && !at->types.empty()) at = at->types[0].get();
    if (at->named != Constant::none || at->types.empty()) break;
    const Step s = step(*at, item);
    if (s.inner == nullptr) break;
    text += fmt::format(", {} of the {}", s.text, word_of(at->combiner));
    if (at->made.value != 0) text += " made at " + mention(at->made);
    at = s.inner;
    item = s.rest;
  }
  return text;
}

}  // namespace vouch
