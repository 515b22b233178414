// What a finding about a call makes of it: which of its properties no longer hold.
//
// Rules are not known here; report/harm.h says which rule does which harm, and what follows.

#pragma once

#include <cstdint>

namespace vouch {

enum class Harm : std::uint8_t {
  meaning = 1 << 0,   // what it asks for is not defined
  memory = 1 << 1,    // what is wrong with its memory was said
  requests = 1 << 2,  // nobody knows the state of the requests it names
  failure = 1 << 3,   // the library may refuse it or die in it
  hang = 1 << 4,      // it, or a partner of it, may wait forever
  damage = 1 << 5,    // the process may die of it later
};

class Harms {
 public:
  constexpr Harms() = default;
  constexpr Harms(Harm one) : bits_(static_cast<std::uint8_t>(one)) {}
  constexpr bool has(Harm one) const { return (bits_ & static_cast<std::uint8_t>(one)) != 0; }
  constexpr bool any(Harms others) const { return (bits_ & others.bits_) != 0; }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr Harms operator|(Harms other) const { return Harms(bits_ | other.bits_); }
  constexpr Harms operator&(Harms other) const { return Harms(bits_ & other.bits_); }
  constexpr Harms& operator|=(Harms other) { return *this = *this | other; }
  constexpr bool operator==(const Harms&) const = default;

 private:
  constexpr explicit Harms(int bits) : bits_(static_cast<std::uint8_t>(bits)) {}
  std::uint8_t bits_ = 0;
};

constexpr Harms operator|(Harm a, Harm b) { return Harms(a) | b; }

}  // namespace vouch
