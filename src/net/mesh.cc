#include "net/mesh.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <unistd.h>

#include "net/address.h"

namespace vouch::net {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kLook{20};      // how often links are asked whether they are well
constexpr milliseconds kProbe{3000};   // for an address that takes a connection
constexpr milliseconds kLinger{2000};  // for the last words
// Each has a link, and a link three sockets (Context).
constexpr int kMostNodes = (kMostSockets - 16) / 3;
constexpr std::int64_t kLargest = 256 << 20;  // bytes of a frame
constexpr char kJoining[] = "join";           // name of those without a number

std::string own_host() {
  char name[256] = "";
  ::gethostname(name, sizeof(name) - 1);
  return name;
}

void write_addresses(ByteWriter& out, const std::vector<std::string>& addresses) {
  out.number(addresses.size());
  for (const std::string& a : addresses) out.string(a);
}

std::vector<std::string> read_addresses(ByteReader& in) {
  std::vector<std::string> addresses(in.count());
  for (std::string& a : addresses) a = in.string();
  if (addresses.empty()) in.fail();
  return addresses;
}

Key read_key(ByteReader& in) {
  const auto key = Key::from(in.raw(sizeof(Key::bytes)));
  return key.value_or(Key{});
}

}  // namespace

// Beginning ------------------------------------------------

Mesh::Mesh(KeyPair mine, const Tuning& tuning)
    : tuning_(tuning),
      mine_(std::move(mine)),
      gate_(context_),
      socket_(context_, ZMQ_PULL),
      window_(tuning.window),
      give_up_(Clock::now() + tuning.joining) {}

Mesh::~Mesh() {
  // Only of the last words it matters that they arrive.
  for (Peer& p : peers_) {
    if (p.link && (state_ == State::ending || state_ == State::closed)) p.link->linger(kLinger);
  }
}

std::optional<Error> Mesh::bind() {
  const auto chosen = choose(local_addresses(), tuning_.interface);
  if (!chosen) return Error{chosen.error()};
  socket_.set(ZMQ_CURVE_SERVER, 1);
  socket_.set(ZMQ_CURVE_SECRETKEY, mine_.secret.view());
  socket_.set(ZMQ_ZAP_DOMAIN, "vouch");
  socket_.set(ZMQ_IPV6, 1);
  ::zmq_setsockopt(socket_.get(), ZMQ_MAXMSGSIZE, &kLargest, sizeof(kLargest));
  for (const Local& local : chosen.value()) {
    if (::zmq_bind(socket_.get(), endpoint(local).c_str()) == 0)
      addresses_.push_back(socket_.last_endpoint());
  }
  if (addresses_.empty())
    return Error{fmt::format("cannot listen on {}: {}", chosen.value().front().address,
                             ::zmq_strerror(::zmq_errno()))};
  return std::nullopt;
}

Result<std::unique_ptr<Mesh>> Mesh::found(const Tuning& tuning) {
  auto mine = KeyPair::make();
  auto joining = KeyPair::make();
  if (!mine || !joining) return Error{(!mine ? mine : joining).error()};
  std::unique_ptr<Mesh> mesh(new Mesh(*mine, tuning));
  if (auto error = mesh->bind()) return *error;
  mesh->joining_ = *joining;
  mesh->gate_.allow(mesh->joining_.open, kJoining);
  mesh->self_ = 0;
  mesh->state_ = State::waiting;
  Peer& self = mesh->peers_.emplace_back();
  self.key = mesh->mine_.open;
  self.addresses = mesh->addresses_;
  self.host = own_host();
  return mesh;
}

Result<std::unique_ptr<Mesh>> Mesh::join(const Invitation& invitation, const Tuning& tuning) {
  auto mine = KeyPair::make();
  auto joining = KeyPair::of(invitation.secret);
  if (!mine || !joining) return Error{(!mine ? mine : joining).error()};
  const auto root = tuning.reach(invitation.addresses, static_cast<int>(tuning.joining.count()));
  if (!root) return Error{root.error()};
  std::unique_ptr<Mesh> mesh(new Mesh(*mine, tuning));
  if (auto error = mesh->bind()) return *error;
  mesh->joining_ = *joining;
  mesh->gate_.allow(invitation.root, "0");
  Peer& peer = mesh->peers_.emplace_back();
  peer.key = invitation.root;
  peer.addresses = {root.value()};
  mesh->knock_ = std::make_unique<Link>(mesh->context_, root.value(), invitation.root,
                                        mesh->joining_, tuning.patience, tuning.window);
  std::string hello;
  ByteWriter out(hello);
  out.raw(mesh->mine_.open.view());
  write_addresses(out, mesh->addresses_);
  out.string(own_host());
  mesh->knock_->add(Lane::urgent, Own::hello, hello);
  return mesh;
}

Invitation Mesh::invitation() const {
  VOUCH_CHECK(is_root());
  return {mine_.open, joining_.secret, addresses_};
}

void Mesh::take_hello(Listener& listener, const Frame& frame) {
  if (!is_root() || opening_ || nodes() >= kMostNodes) return;
  for (const Packet& packet : frame.packets) {
    ByteReader in(packet.bytes);
    Peer peer;
    peer.key = read_key(in);
    peer.addresses = read_addresses(in);
    peer.host = in.string();
    if (packet.type != Own::hello || !in.done()) {
      ++strange_;
      continue;
    }
    const int node = nodes();
    gate_.allow(peer.key, std::to_string(node));
    peers_.push_back(std::move(peer));
    std::string bytes;
    ByteWriter out(bytes);
    out.number(static_cast<std::uint64_t>(node));
    out.number(window_);
    own(node, Own::welcome, bytes);
    listener.on_joined(node, peers_.back().host);
  }
}

void Mesh::open(std::string plan) {
  VOUCH_CHECK(is_root() && state_ == State::waiting && !opening_);
  plan_ = std::move(plan);
  opening_ = true;
  gate_.forbid(joining_.open);
  const std::string book = write_book();
  for (int node = 1; node < nodes(); ++node) own(node, Own::book, book);
}

std::string Mesh::write_book() const {
  std::string bytes;
  ByteWriter out(bytes);
  out.number(peers_.size());
  for (const Peer& p : peers_) {
    out.raw(p.key.view());
    write_addresses(out, p.addresses);
    out.string(p.host);
    out.flag(p.lost);
  }
  out.string(plan_);
  return bytes;
}

void Mesh::read_book(Listener& listener, ByteReader& in) {
  std::vector<Peer> all(in.count(sizeof(Key::bytes)));
  for (Peer& p : all) {
    p.key = read_key(in);
    p.addresses = read_addresses(in);
    p.host = in.string();
    p.lost = in.flag();
  }
  const std::string_view plan = in.string();
  if (!in.done() || opening_ || static_cast<std::size_t>(self_) >= all.size() ||
      all.size() > kMostNodes)
    return cannot_reach(listener, 0, "its list of agents cannot be read");
  plan_ = plan;
  opening_ = true;
  peers_.resize(all.size());
  for (std::size_t i = 1; i < all.size(); ++i) {
    if (static_cast<int>(i) != self_) gate_.allow(all[i].key, std::to_string(i));
    peers_[i] = std::move(all[i]);
  }
  own(0, Own::have_book);
}

void Mesh::become_open(Listener& listener) {
  VOUCH_CHECK(state_ == State::waiting && opening_);
  state_ = State::open;
  listener.on_open(plan_);
}

// Sending ------------------------------------------------

Link* Mesh::link(int node) {
  Peer& p = peer(node);
  if (p.lost || p.left) return nullptr;
  if (!p.link) {
    const auto address = tuning_.reach(p.addresses, static_cast<int>(kProbe.count()));
    // One that cannot be reached will tell so itself.
    p.link = std::make_unique<Link>(context_, address ? address.value() : p.addresses.front(),
                                    p.key, mine_, tuning_.patience, window_);
  }
  return p.link.get();
}

void Mesh::own(int node, Own type, std::string_view bytes) {
  if (Link* to = link(node)) to->add(Lane::urgent, type, bytes);
}

void Mesh::send(int node, Lane lane, Type type, std::string_view bytes) {
  VOUCH_CHECK(type >= kFirstUserType && node != self_ && node >= 0 && node < nodes());
  VOUCH_CHECK(state_ != State::joining && (is_root() || node == 0 || state_ >= State::open));
  if (Link* to = link(node)) to->add(lane, type, bytes);
}

bool Mesh::room() const {
  return std::all_of(peers_.begin(), peers_.end(),
                     [&](const Peer& p) { return !p.link || p.link->backlog() < tuning_.backlog; });
}

void Mesh::end() {
  VOUCH_CHECK(is_root());
  if (state_ >= State::ending) return;
  state_ = State::ending;
  for (int node = 1; node < nodes(); ++node) own(node, Own::finish);
}

// Receiving ------------------------------------------------

bool Mesh::receive(Listener& listener) {
  bool any = false;
  // Nobody can keep us here: what comes is bounded by the windows, but for urgent ones.
  for (int frames = 0; frames < 256; ++frames) {
    Incoming message;
    if (!message.receive(socket_)) break;
    any = true;
    take(listener, message.user(), message.bytes());
  }
  return any;
}

void Mesh::take(Listener& listener, std::string_view name, std::string_view bytes) {
  const auto frame = read_frame(bytes);
  if (name == kJoining) {
    if (frame) take_hello(listener, *frame);
    return;
  }
  int from = -1;
  std::from_chars(name.data(), name.data() + name.size(), from);
  if (from < 0 || from >= nodes() || from == self_) {
    ++strange_;
    return;
  }
  if (peer(from).lost) return;
  if (!frame) return cannot_reach(listener, from, "it sent what is no message");
  const auto lane = static_cast<std::size_t>(frame->lane);
  if (std::exchange(peer(from).expected[lane], frame->first + frame->packets.size()) !=
      frame->first)
    return cannot_reach(listener, from, "messages of it were lost");
  // Who talks to us knows that all have the book.
  if (state_ == State::waiting && opening_ && !is_root() && from != 0) become_open(listener);
  if (frame->lane == Lane::regular) {
    if (peer(from).held_bytes >= window_)
      return cannot_reach(listener, from, "it sent more than there was room for");
    peer(from).held_bytes += bytes.size();
    peer(from).held.emplace_back(bytes);
    return;
  }
  for (const Packet& packet : frame->packets) {
    if (peer(from).lost) return;
    if (packet.type < kFirstUserType) {
      take_own(listener, from, packet);
    } else {
      listener.on_message(from, packet.type, packet.bytes);
    }
  }
}

void Mesh::take_own(Listener& listener, int from, const Packet& packet) {
  ByteReader in(packet.bytes);
  const bool by_root = from == 0, to_root = is_root();
  const auto bad = [&] { cannot_reach(listener, from, "it sent something malformed"); };
  switch (packet.type) {
    case Own::welcome: {
      const std::uint64_t node = in.number();
      const std::uint64_t window = in.number();
      if (!by_root || state_ != State::joining || !in.done() || node == 0 || node >= kMostNodes)
        return bad();
      self_ = static_cast<int>(node);
      window_ = window;
      state_ = State::waiting;
      knock_.reset();
      link(0);  // from now on we would notice its death
      peers_.resize(node + 1);
      peers_[node].host = own_host();
      return listener.on_joined(self_, peers_[node].host);
    }
    case Own::book:
      return by_root && state_ == State::waiting ? read_book(listener, in) : bad();
    case Own::have_book:
      if (!to_root || !in.done()) return bad();
      peer(from).has_book = true;
      return;
    case Own::go:
      if (!by_root || !in.done()) return bad();
      if (state_ == State::waiting && opening_) become_open(listener);
      return;
    case Own::unreachable:
    case Own::death: {
      const std::uint64_t node = in.number();
      const std::string why(in.string());
      if (!in.done() || node == 0 || node >= peers_.size()) return bad();
      if (packet.type == Own::death) {
        if (!by_root) return bad();
        return lose(listener, static_cast<int>(node), why);
      }
      if (!to_root || static_cast<int>(node) == from) return bad();
      if (state_ >= State::ending) return;  // it has gone, and the other did not know yet
      return cannot_reach(listener, static_cast<int>(node),
                          fmt::format("{} cannot reach it: {}", peer(from).host, why));
    }
    case Own::refund: {
      const std::uint64_t bytes = in.number();
      if (!in.done()) return bad();
      if (peer(from).link) peer(from).link->refund(bytes);
      return;
    }
    case Own::finish:
      if (!by_root || !in.done()) return bad();
      if (state_ >= State::ending) return;
      listener.on_end();
      state_ = State::ending;
      return;
    case Own::bye:
      if (!to_root || !in.done()) return bad();
      peer(from).left = true;
      peer(from).link.reset();
      return;
    default:
      return bad();
  }
}

bool Mesh::hand_over(Listener& listener, std::size_t budget) {
  bool any = false;
  std::size_t done = 0, idle = 0;
  while (done < budget && idle < peers_.size()) {
    turn_ = (turn_ + 1) % peers_.size();
    const int from = static_cast<int>(turn_);
    if (peer(from).held.empty()) {
      ++idle;
      continue;
    }
    idle = 0;
    any = true;
    const std::string bytes = std::move(peer(from).held.front());
    peer(from).held.pop_front();
    const auto frame = read_frame(bytes);
    VOUCH_CHECK(frame);  // it could be read when it came
    for (const Packet& packet : frame->packets) {
      if (packet.type >= kFirstUserType) listener.on_message(from, packet.type, packet.bytes);
    }
    Peer& p = peer(from);
    // One that is lost meanwhile holds nothing any more.
    VOUCH_CHECK(p.lost || p.held_bytes >= bytes.size());
    p.held_bytes -= std::min(p.held_bytes, bytes.size());
    p.owed += bytes.size();
    done += bytes.size();
    if (p.owed >= window_ / 4) {
      std::string owed;
      ByteWriter(owed).number(std::exchange(p.owed, 0));
      own(from, Own::refund, owed);
    }
    receive(listener);  // urgent ones first, also those that have come meanwhile
  }
  return any;
}

// Deaths ------------------------------------------------

void Mesh::look_after(Listener& listener) {
  const auto now = Clock::now();
  if (now - looked_ < kLook) return;
  looked_ = now;
  if (state_ == State::joining) {
    auto why = knock_ ? knock_->trouble() : std::nullopt;
    if (!why && now > give_up_) why = "the root did not answer";
    if (why && !peer(0).lost) lose(listener, 0, *why);
  }
  for (int node = 0; node < nodes(); ++node) {
    Peer& p = peer(node);
    if (!p.link) continue;
    const auto why = p.link->trouble();
    if (!why) continue;
    // One that goes closes its connections, perhaps before its farewell has come to us.
    const bool may_say_bye = is_root() && state_ == State::ending;
    if (may_say_bye && !p.broke) p.broke = {now, *why};
    if (may_say_bye && now - p.broke->first < kLinger) continue;
    cannot_reach(listener, node, p.broke ? p.broke->second : *why);
  }
}

// The root's word decides, so that all think the same; but nobody else can speak for the root.
void Mesh::cannot_reach(Listener& listener, int node, const std::string& why) {
  Peer& p = peer(node);
  if (p.lost || p.left) return;
  if (is_root()) return lose(listener, node, why);
  if (node == 0) {
    if (state_ == State::ending && said_bye_) {
      state_ = State::closed;
      return;
    }
    return lose(listener, 0, why);
  }
  if (p.reported || state_ >= State::ending) return;
  p.reported = true;
  std::string bytes;
  ByteWriter out(bytes);
  out.number(static_cast<std::uint64_t>(node));
  out.string(why);
  own(0, Own::unreachable, bytes);
}

void Mesh::lose(Listener& listener, int node, const std::string& why) {
  Peer& p = peer(node);
  if (p.lost) return;
  if (node != self_) {
    p.lost = true;
    p.link.reset();
    p.held.clear();
    p.held_bytes = 0;
    gate_.forbid(p.key);
  }
  if (is_root()) {
    std::string bytes;
    ByteWriter out(bytes);
    out.number(static_cast<std::uint64_t>(node));
    out.string(why);
    for (int other = 1; other < nodes(); ++other) {
      if (opening_) own(other, Own::death, bytes);  // before, they know nobody
    }
  } else if (node == 0) {
    state_ = State::closed;
  }
  listener.on_lost(node, why);
}

// Driving ------------------------------------------------

bool Mesh::all_others(bool (*fits)(const Peer&)) const {
  return std::all_of(peers_.begin() + 1, peers_.end(),
                     [&](const Peer& p) { return p.lost || fits(p); });
}

void Mesh::proceed(Listener& listener) {
  if (is_root()) {
    if (state_ == State::waiting && opening_ &&
        all_others([](const Peer& p) { return p.has_book; })) {
      for (int node = 1; node < nodes(); ++node) own(node, Own::go);
      become_open(listener);
    }
    // The farewell is urgent, and may be here before what was said last is handed over.
    if (state_ == State::ending &&
        all_others([](const Peer& p) { return p.left && p.held.empty(); }))
      state_ = State::closed;
  } else if (state_ == State::ending) {
    Link* root = link(0);
    if (root != nullptr && root->empty()) {
      if (said_bye_) {
        state_ = State::closed;
      } else {
        own(0, Own::bye);
        said_bye_ = true;
      }
    }
  }
}

bool Mesh::pump(Listener& listener, milliseconds timeout, std::size_t budget) {
  bool any = gate_.pump();
  any = receive(listener) || any;
  any = hand_over(listener, budget) || any;
  proceed(listener);
  bool blocked = false;
  const auto flush = [&](Link* to) {
    if (to == nullptr) return;
    any = to->flush() || any;
    blocked = blocked || to->blocked();
  };
  flush(knock_.get());
  for (Peer& p : peers_) flush(p.link.get());
  look_after(listener);
  if (any || timeout.count() <= 0 || state_ == State::closed) return any;
  zmq_pollitem_t items[] = {{socket_.get(), 0, ZMQ_POLLIN, 0},
                            {gate_.socket().get(), 0, ZMQ_POLLIN, 0}};
  ::zmq_poll(items, 2, std::min(timeout, blocked ? milliseconds(1) : kLook).count());
  return false;
}

int Mesh::descriptor() const {
  int fd = -1;
  std::size_t size = sizeof(fd);
  ::zmq_getsockopt(socket_.get(), ZMQ_FD, &fd, &size);
  return fd;
}

}  // namespace vouch::net
