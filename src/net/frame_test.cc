#include "net/frame.h"

#include <random>

#include <gtest/gtest.h>

#include "net/address.h"
#include "net/key.h"

namespace vouch::net {
namespace {

TEST(Bytes, numbers_come_back) {
  std::string bytes;
  ByteWriter out(bytes);
  const std::uint64_t numbers[] = {0, 1, 127, 128, 300, 1ull << 32, ~0ull};
  const std::int64_t integers[] = {0, -1, 1, -64, 64, INT64_MIN, INT64_MAX};
  for (const auto n : numbers) out.number(n);
  for (const auto n : integers) out.integer(n);
  out.string("ring");
  ByteReader in(bytes);
  for (const auto n : numbers) EXPECT_EQ(in.number(), n);
  for (const auto n : integers) EXPECT_EQ(in.integer(), n);
  EXPECT_EQ(in.string(), "ring");
  EXPECT_TRUE(in.done());
}

TEST(Bytes, what_does_not_fit_fails) {
  EXPECT_EQ(ByteReader("\x80").number(), 0u);
  ByteReader eleven("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01");
  eleven.number();
  EXPECT_FALSE(eleven.ok());
  ByteReader too_large("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02");
  too_large.number();
  EXPECT_FALSE(too_large.ok());
  ByteReader longer("\x05ring");
  EXPECT_EQ(longer.string(), "");
  EXPECT_FALSE(longer.ok());
  ByteReader many("\xff\xff\xff\x7f");
  EXPECT_EQ(many.count(), 0u);
  EXPECT_FALSE(many.ok());
  std::string bytes;
  ByteWriter(bytes).integer(std::int64_t{1} << 31);
  ByteReader narrow(bytes);
  narrow.integer<std::int32_t>();
  EXPECT_FALSE(narrow.ok());
}

std::string some_frame(Outbox& box) {
  box.add(40, "first");
  box.add(41, "");
  box.add(42, std::string(300, 'x'));
  return box.take(Lane::regular);
}

TEST(Frame, packets_come_back_and_are_numbered) {
  Outbox box;
  for (const std::uint64_t first : {0u, 3u}) {
    const std::string bytes = some_frame(box);
    const auto frame = read_frame(bytes);
    ASSERT_TRUE(frame);
    EXPECT_EQ(frame->lane, Lane::regular);
    EXPECT_EQ(frame->first, first);
    ASSERT_EQ(frame->packets.size(), 3u);
    EXPECT_EQ(frame->packets[0].type, 40);
    EXPECT_EQ(frame->packets[0].bytes, "first");
    EXPECT_EQ(frame->packets[2].bytes.size(), 300u);
    EXPECT_TRUE(box.empty());
    EXPECT_EQ(box.bytes(), 0u);
  }
}

TEST(Frame, many_small_packets_go_together_and_a_large_one_alone) {
  Outbox box;
  for (int i = 0; i < 1000; ++i) box.add(40, "twenty bytes or so..");
  const std::string large(Outbox::kFrameBytes * 3, 'y');
  box.add(41, large);
  std::size_t packets = 0, frames = 0;
  while (!box.empty()) {
    const std::string bytes = box.take(Lane::urgent);
    const auto frame = read_frame(bytes);
    ASSERT_TRUE(frame);
    packets += frame->packets.size();
    ++frames;
  }
  EXPECT_EQ(packets, 1001u);
  EXPECT_LE(frames, 4u);
}

TEST(Frame, nothing_but_a_whole_frame_is_one) {
  Outbox box;
  const std::string good = some_frame(box);
  for (std::size_t n = 0; n < good.size(); ++n) EXPECT_FALSE(read_frame(good.substr(0, n))) << n;
  EXPECT_FALSE(read_frame(good + "x"));
  std::string other = good;
  other[0] = static_cast<char>(kVersion + 1);
  EXPECT_FALSE(read_frame(other));
  other = good;
  other[1] = 2;  // there is no such lane
  EXPECT_FALSE(read_frame(other));
}

TEST(Frame, random_bytes_do_no_harm) {
  std::mt19937 random(1);
  Outbox box;
  const std::string good = some_frame(box);
  for (int i = 0; i < 20000; ++i) {
    std::string bytes = good;
    for (int k = 0; k < 3; ++k) bytes[random() % bytes.size()] = static_cast<char>(random());
    if (const auto frame = read_frame(bytes)) {
      for (const Packet& p : frame->packets) {
        EXPECT_GE(p.bytes.data(), bytes.data());
        EXPECT_LE(p.bytes.data() + p.bytes.size(), bytes.data() + bytes.size());
      }
    }
  }
}

TEST(Key, pairs_differ_and_the_public_half_follows_from_the_secret_one) {
  const auto a = KeyPair::make(), b = KeyPair::make();
  ASSERT_TRUE(a.ok() && b.ok());
  EXPECT_NE(a.value().secret, b.value().secret);
  const auto again = KeyPair::of(a.value().secret);
  EXPECT_EQ(again.value().open, a.value().open);
  EXPECT_EQ(from_hex(to_hex(a.value().open)), a.value().open);
  EXPECT_FALSE(from_hex(to_hex(a.value().open).substr(1) + "g"));
}

TEST(Key, invitation_is_one_word_of_plain_letters) {
  const Invitation invitation{KeyPair::make().value().open,
                              KeyPair::make().value().secret,
                              {"tcp://10.77.0.254:4711", "tcp://[fd00::1]:4712"}};
  const std::string text = invitation.text();
  EXPECT_EQ(text.find_first_of(" '\"$`\\;&|<>(){}*?!#~"), text.npos) << text;
  const auto again = Invitation::parse(text);
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(again.value().root, invitation.root);
  EXPECT_EQ(again.value().secret, invitation.secret);
  EXPECT_EQ(again.value().addresses, invitation.addresses);
  for (std::size_t n = 0; n < text.find(",tcp") + 3; ++n)
    EXPECT_FALSE(Invitation::parse(text.substr(0, n)).ok()) << n;
  EXPECT_FALSE(Invitation::parse("9" + text.substr(1)).ok());
}

const std::vector<Local> kMachine = {{"lo", "127.0.0.1", false, true},
                                     {"lo", "::1", true, true},
                                     {"eth0", "10.77.0.1", false, false},
                                     {"eth0", "fd00::7", true, false},
                                     {"ib0", "192.168.5.9", false, false}};

std::string chosen(std::string_view choice, const std::vector<Local>& from = kMachine) {
  const auto list = choose(from, choice);
  if (!list) return "none";
  std::string text;
  for (const Local& l : list.value()) text += (text.empty() ? "" : " ") + l.address;
  return text;
}

TEST(Address, choice_of_interface_network_and_family) {
  EXPECT_EQ(chosen(""), "10.77.0.1 fd00::7 192.168.5.9");
  EXPECT_EQ(chosen("", {kMachine[0], kMachine[1]}), "127.0.0.1 ::1");
  EXPECT_EQ(chosen("lo"), "127.0.0.1 ::1");
  EXPECT_EQ(chosen("ib0"), "192.168.5.9");
  EXPECT_EQ(chosen("10.77.0.0/24"), "10.77.0.1");
  EXPECT_EQ(chosen("10.77.0.1"), "10.77.0.1");
  EXPECT_EQ(chosen("fd00::/8"), "fd00::7");
  EXPECT_EQ(chosen("ipv4"), "10.77.0.1 192.168.5.9");
  EXPECT_EQ(chosen("ipv6"), "fd00::7");
  EXPECT_EQ(chosen("10.78.0.0/24"), "none");
  EXPECT_EQ(chosen("10.77.0.0/33"), "none");
  EXPECT_EQ(chosen("eth1"), "none");
}

TEST(Address, nobody_listens) {
  EXPECT_FALSE(reachable({"tcp://127.0.0.1:1", "tcp://[::1]:1"}, 500).ok());
  EXPECT_FALSE(reachable({"nonsense", "tcp://127.0.0.1:99999"}, 500).ok());
}

}  // namespace
}  // namespace vouch::net
