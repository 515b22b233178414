#include "membership.h"

#include <cstdio>
#include <cstdlib>
#include <map>

#include "net/mesh.h"

namespace vouch::fuzz {
namespace {

using net::Lane;

// As Mesh::Own numbers them.
enum Own : net::Type {
  hello,
  welcome,
  book,
  have_book,
  go,
  unreachable,
  death,
  refund,
  finish,
  bye
};

// A link that leads nowhere: what is sent stays in it.
Result<std::string> nowhere(const std::vector<std::string>&, int) {
  return std::string("inproc://nowhere");
}

struct Ear : net::Listener {
  void on_message(int, net::Type, std::string_view) override {}
  void on_lost(int, const std::string& why) override {
    if (why.empty()) std::abort();
  }
};

class Agent {
 public:
  explicit Agent(Random& random) : random_(random) {
    net::Tuning tuning;
    tuning.interface = "lo";
    tuning.window = random.one_in(4) ? random.below(200) : 4096;
    tuning.reach = nowhere;
    const bool root = random.one_in(2);
    net::Invitation invitation;
    for (net::Key* key : {&invitation.root, &invitation.secret})
      for (auto& byte : key->bytes) byte = static_cast<std::uint8_t>(random.next());
    invitation.addresses = {"tcp://127.0.0.1:1"};
    auto made = root ? net::Mesh::found(tuning) : net::Mesh::join(invitation, tuning);
    if (!made.ok()) {
      std::fprintf(stderr, "fuzz: no mesh: %s\n", made.error().c_str());
      std::abort();
    }
    mesh_ = std::move(made).value();
  }

  void run() {
    if (mesh_->self() == 0) {
      for (std::size_t n = random_.below(4); n > 0; --n) send("join", hello);
      if (mesh_->nodes() > 1 && !random_.one_in(4)) mesh_->open("plan");
    } else {
      if (!random_.one_in(8)) send("0", welcome);
      if (!random_.one_in(8)) send("0", book);
      if (!random_.one_in(4)) send("0", go);
    }
    for (std::size_t n = 1 + random_.below(30); n > 0; --n) {
      send(somebody(), static_cast<Own>(random_.below(bye + 1 + random_.one_in(20) * 30)));
      if (random_.one_in(3))
        mesh_->pump(ear_, std::chrono::milliseconds(0), 1 + random_.below(9000));
      if (mesh_->self() == 0 && mesh_->state() != net::Mesh::State::closed && random_.one_in(40))
        mesh_->end();
      talk();
    }
  }

 private:
  std::string somebody() {
    if (random_.one_in(20)) return "join";
    if (random_.one_in(20)) return std::to_string(static_cast<std::int64_t>(random_.number()));
    if (random_.one_in(2)) return mesh_->self() == 0 ? "1" : "0";
    return std::to_string(random_.below(static_cast<std::size_t>(mesh_->nodes()) + 1));
  }
  // As the agent does: where it may.
  void talk() {
    const auto state = mesh_->state();
    const int to = static_cast<int>(random_.below(static_cast<std::size_t>(mesh_->nodes())));
    if (state == net::Mesh::State::joining || to == mesh_->self() || !random_.one_in(4)) return;
    if (mesh_->self() == 0 || to == 0 || state >= net::Mesh::State::open)
      mesh_->send(to, random_.one_in(2) ? Lane::urgent : Lane::regular, net::kFirstUserType,
                  std::string(random_.below(3000), 'x'));
  }

  void key(ByteWriter& out) {
    std::string bytes;
    for (int i = 0; i < 32; ++i) bytes.push_back(static_cast<char>(random_.next()));
    out.raw(bytes);
  }
  void self(ByteWriter& out) {
    key(out);
    const std::size_t addresses = 1 + random_.below(3);
    out.number(addresses);
    for (std::size_t i = 0; i < addresses; ++i) out.string("tcp://127.0.0.1:" + std::to_string(i));
    out.string("host");
  }
  std::string contents(Own type) {
    std::string bytes;
    ByteWriter out(bytes);
    const auto nodes = static_cast<std::size_t>(mesh_->nodes());
    switch (type) {
      case hello:
        self(out);
        break;
      case welcome:
        out.number(random_.one_in(8) ? random_.number() : 1 + random_.below(3));
        out.number(random_.one_in(4) ? random_.number() : 4096);
        break;
      case book: {
        const std::size_t all = random_.one_in(8) ? random_.below(100) : nodes + random_.below(3);
        out.number(all);
        for (std::size_t i = 0; i < all; ++i) {
          self(out);
          out.flag(random_.one_in(10));
        }
        out.string("plan");
        break;
      }
      case unreachable:
      case death:
        out.number(random_.one_in(8) ? random_.number() : random_.below(nodes + 1));
        out.string("it said nothing");
        break;
      case refund:
        out.number(random_.one_in(2) ? random_.number() : random_.below(5000));
        break;
      default:
        break;
    }
    return bytes;
  }
  void send(const std::string& name, Own type) {
    const Lane lane = random_.one_in(4) && type > bye ? Lane::regular : Lane::urgent;
    std::string packet = contents(type);
    if (random_.one_in(4)) packet = damage_bytes(random_, packet);
    net::Outbox& box = boxes_[name][static_cast<std::size_t>(lane)];
    const auto other = static_cast<net::Type>(random_.next());
    box.add(random_.one_in(40) ? other : net::Type{type}, packet);
    if (random_.one_in(6)) box.add(type, contents(type));
    while (!box.empty()) {
      std::string frame = box.take(lane);
      if (random_.one_in(40)) frame = damage_bytes(random_, frame);
      mesh_->take(ear_, name, frame);
      if (random_.one_in(60)) mesh_->take(ear_, name, frame);
    }
  }

  Random& random_;
  std::unique_ptr<net::Mesh> mesh_;
  Ear ear_;
  std::map<std::string, net::Outbox[net::kLanes]> boxes_;  // of who sends: frames are numbered
};

}  // namespace

void damage_membership(Random& random) { Agent(random).run(); }

std::string damage_bytes(Random& random, const std::string& bytes) {
  std::string result = bytes;
  for (std::size_t n = 1 + random.below(3); n > 0; --n) {
    const std::size_t at = random.below(result.size() + 1);
    switch (random.below(5)) {
      case 0:
      case 1:
        if (at < result.size()) result[at] = static_cast<char>(random.below(128));
        break;
      case 2: {
        std::string number;
        ByteWriter(number).number(random.number());
        result.replace(at, at < result.size() ? 1 : 0, number);
        break;
      }
      case 3:
        if (at < result.size()) result[at] = static_cast<char>(random.next());
        break;
      default:
        result.erase(at, random.below(3));
    }
  }
  return result;
}

}  // namespace vouch::fuzz
