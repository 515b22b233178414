// Wildcard receives and probes that could have met another message.
//
// A receive from any source, r, took one message. Another message m to the same process that it
// fits could have been taken instead if m was received by something posted after r (or by nobody)
// and r's match does not surely happen before m's send (Clocks). That is judged when both are
// known, whichever is read first, never by time.
//
// Harm is looked for with the rest of the run as it was, so m must be the first of its sender that
// r can take:
// - m does not fit r's buffer;
// - the receive that met m gets r's message in exchange, and that does not fit its buffer;
// - r had m's place, so the receive that met m goes without. It may take another message, whose
//   receive then goes without, and so on: if no such chain ends at the message that r gave up (or
//   at one that nobody received), a receive starves. Pairs of envelopes are enough for that, so it
//   costs memory by envelopes and not by messages. All messages of the run count as available, so
//   what is found is sure, unless the program's further course depends on who sent: then r's
//   completion told the source (a status), and nothing is said;
// - r and wildcards posted after it take all messages of one sender that a receive behind them
//   names (theft.cc): it starves, although each of them alone would do no harm. What the first
//   of them decides must not lie before the messages that are taken;
// - before r a probe told how long a message is, and r's room is just as long: whichever message
//   the probe sees, r may take the other one, and the longer does not fit where the shorter would.
//
// Misses: starving after several choices where the messages lie behind one of them in this run (a
// synchronous send that an answer goes before), where their sender uses several tags that the
// wildcards fit, or behind more than some hundred receives; with status or polls between them.
// Alternatives more than some hundred receives away; dependence on a sender's name inside
// the data is taken for no dependence.

#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "analysis/analysis.h"
#include "match/clocks.h"
#include "match/operation.h"

namespace vouch {

class MessageRace : public Analysis, public MatchObserver {
 public:
  static constexpr std::size_t kKept = 512;        // of each list of a door
  static constexpr std::size_t kEnvelopes = 4096;  // of a door; findings
  static constexpr std::size_t kHarms = 256;       // of a door

  MessageRace(World& world, Sink& sink) : Analysis(world, sink) { hear(Hears::any_source); }
  Wants wants(Proc) const override;
  void on_enter(Process&, Call&) override;
  void on_leave(Process&, Call&, const Event& leave) override;
  void on_clocks(Clocks& clocks) override { clocks_ = &clocks; }
  void on_match(const Match&) override;
  void on_probe(const Match&) override;
  void on_unmatched(const Operation&, const NearMiss&) override;
  void finish() override;

 private:
  // What is kept of an operation.
  struct Side {
    Role role = Role::send;
    Proc proc = Proc::none;
    std::uint32_t process = 0;
    Site site;
    std::int64_t peer = 0, tag = 0, count = 0;
    SignatureRef type;
    bool poisoned = false;
    bool looked = false;
  };
  struct Envelope {  // of a message, or what a receive asks for
    std::int64_t source = 0, tag = 0;
    bool operator==(const Envelope&) const = default;
    bool fits(const Envelope& message) const {
      return (source == wire::kAnySource || source == message.source) &&
             (tag == wire::kAnyTag || tag == message.tag);
    }
  };
  // A receive or probe from any source.
  struct Choice {
    Side call, took;
    Envelope asked, message;
    std::uint64_t position = 0;
    std::uint32_t number = 0;  // of the point where it has surely matched
    std::uint32_t most = 0;    // of its number and all before it in the list
    bool status_seen = false;
    Site probed{};  // a probe from any source that told how much room it needs; 0: none
  };
  struct Message {
    Side send, recv;
    Envelope envelope, asked;    // asked: by its receive, or by the probe before that
    std::uint64_t position = 0;  // of its receive; ~0: nobody received it
    MomentRef when;
    bool judged = false;
    bool conditional = false;  // the program would go on without it, in a way that is not known
    bool needless = false;
    Site probed{};  // as of a choice
  };
  // A message met what asked for it: how often does not matter.
  struct Pair {
    Envelope message, asked;
    bool conditional = false;
    std::uint64_t last = 0;  // position of the latest such receive
  };
  // A choice that would do harm if it fell otherwise, unless a message shows up that forbids it.
  struct Harm {
    Choice choice;
    Message message;
    const char* kind = nullptr;  // nullptr: its receive may starve
    std::string what;
    bool exchange = false;  // the message's receive gets the choice's
    bool forbidden_by(const Message&) const;
  };
  enum class HarmKind : std::uint8_t { misfit, exchange, starves };
  using HarmKey = std::tuple<HarmKind, std::uint32_t, std::uint32_t, std::uint32_t, std::int64_t,
                             std::int64_t, std::int64_t, std::int64_t>;
  // A process on a communicator.
  struct Door {
    std::deque<Choice> choices;
    std::deque<Message> messages;
    std::uint64_t first_message = 0;  // number of messages that were dropped
    std::uint64_t dropped = 0;        // latest position of their receives
    std::unordered_map<std::uint64_t, Pair> pairs;
    std::vector<Envelope> unreceived;
    std::map<HarmKey, Harm> harms;
    bool overflow = false;
    bool choices_dropped = false;
  };
  // Receives of a door that may get messages of one sender, in the order of posting.
  struct Taker {
    const Message* got = nullptr;
    const Choice* choice = nullptr;  // from any source
  };
  struct Later {
    Door* door;
    std::uint64_t message;
  };
  struct Seen {
    Envelope asked;
    bool conditional;
  };
  // What the status of a probe from any source told, until a receive comes.
  struct Told {
    std::uint64_t comm = 0, bytes = 0;
    Site site;
  };
  struct Found {
    Choice choice;
    Message message;
    const char* kind = nullptr;  // of the harm; nullptr: none
    std::string harm;
    bool exchange = false;
  };
  using Key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;  // process, sites

  Door& door(const Operation& recv);
  static Side side_of(const Operation&);
  Site take_probe(const Operation& recv);
  void add_choice(Door&, const Operation& send, const Operation& recv, Site probed = {});
  void add_message(Door&, Message);
  void judge_later();
  void judge(Door&, Message&);
  void consider(Door&, const Choice&, const Message&);
  void add_harm(Door&, HarmKind, const Choice&, const Message&, const char* kind, std::string what);
  static std::string misfit(const Side& recv, const Side& took, const Side& send,
                            const char*& kind);
  static std::string other_than_probed(const Choice&, const Message&);
  bool starves(const Door&, const Harm&) const;
  void tell_harms(Door&);
  void find_thefts(Door&);
  static std::vector<Taker> takers(const Door&);
  bool rob(const Door&, const std::vector<Taker>&, std::size_t first, const Envelope& wanted);
  void tell_theft(const Choice& thief, const Message& stolen, const Message& starved);
  void tell(const Found&);
  Place place(const Side&, std::string role = {}) const;
  bool orderly() const;

  Clocks* clocks_ = nullptr;
  std::unordered_map<std::uint64_t, Door> doors_;     // by process and channel
  std::unordered_map<std::uint64_t, Seen> seen_;      // by position of the send
  std::unordered_map<std::size_t, Told> told_;        // by process: the latest
  bool probed_ = false;                               // something was told
  std::unordered_map<std::uint64_t, Told> made_for_;  // by process and receive
  std::deque<Later> later_;
  std::map<Key, Found> found_;
};

}  // namespace vouch
