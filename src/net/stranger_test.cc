// Who has no key, or a wrong one, gets nothing and disturbs nobody.

#include <random>

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "net/mesh_test.h"
#include "net/socket.h"

namespace vouch::net {
namespace {

using namespace testing;

class Stranger : public ::testing::Test {
 protected:
  Stranger() : crowd(2) { crowd.open("secret plan"); }

  // While strangers knock, the others must talk as before.
  void expect_undisturbed() {
    const std::size_t before = crowd.at(1).messages.size();
    for (int i = 0; i < 100; ++i) crowd.root().send(1, Lane::regular, std::to_string(i));
    EXPECT_TRUE(crowd.until([&] { return crowd.at(1).messages.size() == before + 100; }));
    for (Member* m : crowd.all()) EXPECT_TRUE(m->lost.empty());
    EXPECT_EQ(crowd.root().messages.size(), 0u);
    EXPECT_EQ(crowd.root().joined, 1);
  }
  // A frame as an agent would send it.
  static std::string frame() {
    Outbox box;
    box.add(kText, "let me in");
    return box.take(Lane::urgent);
  }
  std::string address() { return crowd.root().mesh->addresses()[0]; }

  // Nothing ever comes out of the socket, whatever is sent into it.
  void knock(Socket& socket) {
    ASSERT_EQ(::zmq_connect(socket.get(), address().c_str()), 0);
    std::size_t answers = 0;
    const auto until = Clock::now() + 300ms;
    crowd.until([&] {
      socket.send(frame());
      Incoming answer;
      answers += answer.receive(socket);
      return Clock::now() > until;
    });
    EXPECT_EQ(answers, 0u);
    expect_undisturbed();
  }

  Crowd crowd;
  Context context;
};

TEST_F(Stranger, plain_socket) {
  for (const int type : {ZMQ_PUSH, ZMQ_DEALER, ZMQ_REQ}) {
    Socket socket(context, type);
    knock(socket);
  }
}

TEST_F(Stranger, without_the_key_of_the_root) {
  Socket socket(context, ZMQ_DEALER);
  const KeyPair mine = KeyPair::make().value();
  socket.set(ZMQ_CURVE_SERVERKEY, KeyPair::make().value().open.view());
  socket.set(ZMQ_CURVE_PUBLICKEY, mine.open.view());
  socket.set(ZMQ_CURVE_SECRETKEY, mine.secret.view());
  knock(socket);
}

TEST_F(Stranger, with_the_key_of_the_root_and_none_of_its_own_that_is_known) {
  Socket socket(context, ZMQ_PUSH);
  const KeyPair mine = KeyPair::make().value();
  socket.set(ZMQ_CURVE_SERVERKEY, crowd.root().mesh->invitation().root.view());
  socket.set(ZMQ_CURVE_PUBLICKEY, mine.open.view());
  socket.set(ZMQ_CURVE_SECRETKEY, mine.secret.view());
  knock(socket);
  EXPECT_GT(crowd.root().mesh->strangers(), 0u);
}

TEST_F(Stranger, with_the_invitation_after_it_is_open) {
  Socket socket(context, ZMQ_PUSH);
  const Invitation invitation = crowd.root().mesh->invitation();
  const KeyPair mine = KeyPair::of(invitation.secret).value();
  socket.set(ZMQ_CURVE_SERVERKEY, invitation.root.view());
  socket.set(ZMQ_CURVE_PUBLICKEY, mine.open.view());
  socket.set(ZMQ_CURVE_SECRETKEY, mine.secret.view());
  knock(socket);
}

TEST_F(Stranger, random_bytes) {
  std::mt19937 random(7);
  const std::string endpoint = address();
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port =
      htons(static_cast<std::uint16_t>(std::stoi(endpoint.substr(endpoint.rfind(':') + 1))));
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  std::vector<int> open;
  for (int i = 0; i < 50; ++i) {
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ASSERT_EQ(::connect(fd, reinterpret_cast<sockaddr*>(&to), sizeof(to)), 0);
    std::string bytes(1 + random() % 5000, ' ');
    for (char& b : bytes) b = static_cast<char>(random());
    // Some begin as ZeroMQ would: signature, version 3, CURVE or NULL.
    if (i % 2 == 0) {
      const std::string greeting =
          std::string("\xff\0\0\0\0\0\0\0\x01\x7f\x03\x01", 12) + (i % 4 == 0 ? "CURVE" : "NULL");
      bytes.replace(0, std::min(bytes.size(), greeting.size()), greeting);
    }
    ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (i % 3 == 0) {
      ::close(fd);
    } else {
      open.push_back(fd);
    }
  }
  expect_undisturbed();
  for (const int fd : open) ::close(fd);
  expect_undisturbed();
}

// An agent played by hand: it has joined as node 2 and may send what it likes.
class Rogue : public ::testing::Test {
 protected:
  Rogue() : crowd(2), server(context, ZMQ_PULL), talking(context, ZMQ_PUSH) {
    const Invitation invitation = crowd.root().mesh->invitation();
    server.set(ZMQ_CURVE_SERVER, 1);
    server.set(ZMQ_CURVE_SECRETKEY, mine.secret.view());
    EXPECT_EQ(::zmq_bind(server.get(), "tcp://127.0.0.1:*"), 0);
    address = server.last_endpoint();
    std::string hello;
    ByteWriter out(hello);
    out.raw(mine.open.view());
    out.number(1);
    out.string(address);
    out.string("elsewhere");
    Outbox knock;
    knock.add(0, hello);
    Socket knocking(context, ZMQ_PUSH);
    dial(knocking, invitation, KeyPair::of(invitation.secret).value());
    EXPECT_TRUE(knocking.send(knock.take(Lane::urgent)));
    // Its welcome shows that the root has a connection to it.
    Incoming welcome;
    EXPECT_TRUE(crowd.until([&] { return welcome.receive(server); }));
    EXPECT_EQ(crowd.root().joined, 2);
    EXPECT_EQ(crowd.root().last_host, "elsewhere");
    dial(talking, invitation, mine);
  }
  static void dial(Socket& socket, const Invitation& invitation, const KeyPair& as) {
    socket.set(ZMQ_CURVE_SERVERKEY, invitation.root.view());
    socket.set(ZMQ_CURVE_PUBLICKEY, as.open.view());
    socket.set(ZMQ_CURVE_SECRETKEY, as.secret.view());
    EXPECT_EQ(::zmq_connect(socket.get(), invitation.addresses[0].c_str()), 0);
  }
  // The root puts it out, with this reason, and the rest goes on.
  void expect_lost(const std::string& why) {
    ASSERT_TRUE(crowd.until([&] { return crowd.root().lost.size() == 1; }));
    EXPECT_EQ(crowd.root().lost[0], (std::pair<int, std::string>{2, why}));
    if (!crowd.root().opened) crowd.open();
    EXPECT_TRUE(crowd.close());
  }

  Crowd crowd;
  Context context;
  const KeyPair mine = KeyPair::make().value();
  Socket server, talking;
  std::string address;
  Outbox box;
};

TEST_F(Rogue, sends_what_is_no_message) {
  ASSERT_TRUE(talking.send("this is no frame"));
  expect_lost("it sent what is no message");
}

TEST_F(Rogue, leaves_messages_out) {
  box.add(kText, "0");
  ASSERT_TRUE(talking.send(box.take(Lane::urgent)));
  box.add(kText, "1");
  box.take(Lane::urgent);
  box.add(kText, "2");
  ASSERT_TRUE(talking.send(box.take(Lane::urgent)));
  expect_lost("messages of it were lost");
  EXPECT_EQ(crowd.root().messages.size(), 1u);
}

TEST_F(Rogue, says_what_only_the_root_may_say) {
  constexpr Type kFinish = 8;
  box.add(kFinish, "");
  ASSERT_TRUE(talking.send(box.take(Lane::urgent)));
  expect_lost("it sent something malformed");
}

TEST_F(Rogue, takes_no_notice_of_the_window) {
  for (int i = 0; i < 100; ++i) {
    box.add(kText, std::string(Outbox::kFrameBytes, 'z'));
    ASSERT_TRUE(talking.send(box.take(Lane::regular)));
  }
  for (const auto until = Clock::now() + 20s; crowd.root().lost.empty() && Clock::now() < until;)
    crowd.root().mesh->pump(crowd.root(), 1ms, 0);
  expect_lost("it sent more than there was room for");
}

// The root reaches it, another agent does not: the root decides for all.
TEST_F(Rogue, is_out_of_reach_for_one) {
  constexpr Type kHaveBook = 3;
  ASSERT_EQ(::zmq_unbind(server.get(), address.c_str()), 0);
  box.add(kHaveBook, "");
  ASSERT_TRUE(talking.send(box.take(Lane::urgent)));
  crowd.open();
  crowd.at(1).send(2, Lane::regular, "are you there?");
  ASSERT_TRUE(crowd.until([&] { return !crowd.at(1).lost.empty(); }));
  EXPECT_EQ(crowd.at(1).lost[0].first, 2);
  EXPECT_NE(crowd.root().lost[0].second.find("cannot reach it"), std::string::npos);
  EXPECT_TRUE(crowd.close());
}

}  // namespace
}  // namespace vouch::net
