// Keys of a job: made when it starts, gone when it ends.
//
// Every agent makes a pair of its own; the secret half never leaves the process. Who wants to join
// is let in by a pair that the root has made for this purpose: its secret half stands, with the
// root's public key and addresses, in the invitation. That goes through the environment or a pipe
// and never on a command line, which everybody on a machine can read.

#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace vouch::net {

struct Key {
  std::array<std::uint8_t, 32> bytes{};
  std::string_view view() const {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
  static std::optional<Key> from(std::string_view raw);
  auto operator<=>(const Key&) const = default;
};

struct KeyPair {
  Key open;    // public
  Key secret;  // erased with the pair

  KeyPair() = default;
  KeyPair(const KeyPair&) = default;
  KeyPair& operator=(const KeyPair&) = default;
  ~KeyPair();

  // Fails where ZeroMQ was built without CURVE.
  static Result<KeyPair> make();
  static Result<KeyPair> of(const Key& secret);
};

std::string to_hex(const Key&);
std::optional<Key> from_hex(std::string_view);

// The variable of the environment that carries it.
inline constexpr char kInvitationVariable[] = "VOUCH_JOIN";

struct Invitation {
  Key root;                            // its public key
  Key secret;                          // of the pair that may join
  std::vector<std::string> addresses;  // of the root: "tcp://10.77.0.254:40123"

  // "1,<root>,<secret>,<address>,…": letters, digits and : . / [ ] - only, as a shell may get it.
  std::string text() const;
  static Result<Invitation> parse(std::string_view);
};

}  // namespace vouch::net
