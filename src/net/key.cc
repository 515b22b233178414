#include "net/key.h"

#include <algorithm>
#include <cstring>

#include <zmq.h>

#include "net/frame.h"

namespace vouch::net {
namespace {

constexpr std::size_t kZ85 = 41;  // with the closing zero
// Who speaks another version sees it before he knocks.
const std::string kForm = std::to_string(kVersion);

Error no_curve() { return {"ZeroMQ was built without CURVE: agents cannot talk safely"}; }

}  // namespace

std::optional<Key> Key::from(std::string_view raw) {
  Key key;
  if (raw.size() != key.bytes.size()) return std::nullopt;
  std::copy(raw.begin(), raw.end(), key.bytes.begin());
  return key;
}

KeyPair::~KeyPair() { ::explicit_bzero(secret.bytes.data(), secret.bytes.size()); }

Result<KeyPair> KeyPair::make() {
  char open[kZ85], secret[kZ85];
  if (::zmq_curve_keypair(open, secret) != 0) return no_curve();
  KeyPair pair;
  ::zmq_z85_decode(pair.open.bytes.data(), open);
  ::zmq_z85_decode(pair.secret.bytes.data(), secret);
  ::explicit_bzero(secret, sizeof(secret));
  return pair;
}

Result<KeyPair> KeyPair::of(const Key& secret) {
  char open[kZ85], text[kZ85];
  ::zmq_z85_encode(text, secret.bytes.data(), secret.bytes.size());
  const bool made = ::zmq_curve_public(open, text) == 0;
  ::explicit_bzero(text, sizeof(text));
  if (!made) return no_curve();
  KeyPair pair;
  pair.secret = secret;
  ::zmq_z85_decode(pair.open.bytes.data(), open);
  return pair;
}

std::string to_hex(const Key& key) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t b : key.bytes) {
    text.push_back(kDigits[b >> 4]);
    text.push_back(kDigits[b & 15]);
  }
  return text;
}

std::optional<Key> from_hex(std::string_view text) {
  const auto digit = [](char c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
  };
  Key key;
  if (text.size() != 2 * key.bytes.size()) return std::nullopt;
  for (std::size_t i = 0; i < key.bytes.size(); ++i) {
    const int high = digit(text[2 * i]), low = digit(text[2 * i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    key.bytes[i] = static_cast<std::uint8_t>(high << 4 | low);
  }
  return key;
}

std::string Invitation::text() const {
  std::string text = kForm + "," + to_hex(root) + "," + to_hex(secret);
  for (const std::string& address : addresses) text += "," + address;
  return text;
}

Result<Invitation> Invitation::parse(std::string_view text) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    parts.push_back(text.substr(at, comma - at));
    at = comma + 1;
  }
  if (parts.front() != kForm) return Error{"the invitation is of another version of vouch"};
  const auto root = from_hex(parts.size() > 1 ? parts[1] : "");
  const auto secret = from_hex(parts.size() > 2 ? parts[2] : "");
  Invitation invitation;
  for (std::size_t i = 3; i < parts.size(); ++i) {
    if (!parts[i].starts_with("tcp://")) return Error{"the invitation is damaged"};
    invitation.addresses.emplace_back(parts[i]);
  }
  if (!root || !secret || invitation.addresses.empty()) return Error{"the invitation is damaged"};
  invitation.root = *root;
  invitation.secret = *secret;
  return invitation;
}

}  // namespace vouch::net
