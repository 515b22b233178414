// What a program says of its own values: VOUCH_ASSERT and VOUCH_ASSUME (api/vouch.h), and what its
// sends read, as records.
//
// A claim is a condition as it was written, whether it held in this run, and the values it speaks
// of: each with the address it lay at, from which a reader knows the receive that wrote it.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "event/event.h"

namespace vouch {

struct Term {
  std::uint64_t address = 0;
  std::uint64_t form = 0;  // wire::kTerm*
  std::int64_t value = 0;

  std::uint64_t bytes() const { return form & wire::kTermBytes; }
  bool real() const { return (form & wire::kTermReal) != 0; }
  bool exact() const { return (form & wire::kTermInexact) == 0; }
};

struct Claim {
  wire::ClaimKind kind = wire::ClaimKind::assertion;
  std::uint32_t site = 0;  // local number, as in an enter record
  bool holds = true;
  std::vector<Term> terms{};
  std::string_view condition{};  // "a == 4"
  std::string_view names{};      // of the terms: "a, b[0]"; "": they are called $1, $2, ...
};
Claim claim_of(const Event& meta);

// The first bytes of what a send reads (Meta::value).
std::string_view value_of(const Event& meta);
// Of all that it reads, in a run that was asked for it; 0: not known.
std::uint64_t digest_of(const Event& meta);

// The words of such records.
std::vector<std::uint64_t> claim_words(const Claim&);
std::vector<std::uint64_t> value_words(std::string_view bytes);

// The names of the terms one by one, without blanks; as many as there are terms.
std::vector<std::string> names_of(const Claim&);

}  // namespace vouch
