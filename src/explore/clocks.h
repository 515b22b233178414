// The clocks of one run, and what each wildcard could have received instead.
//
// Events are ordered by when they have surely matched (matches-before): a pending wildcard has,
// when it completes or when a receive or probe issued later completes with a message that it would
// have taken. There it merges the clock of its own message and gets its number; so a barrier
// between issue and wait orders nothing behind it.
//
//   lamport (LLCP)  one number: height. What happens before has a smaller one; equal or smaller
//   does
//                   not mean before, so some alternatives are missed.
//   vector (LVCP)   for each process, how many of its events happen before: exact.
//
// A message that is received later than a wildcard accepting it was issued, or never, and does not
// lie behind the wildcard, is *late*: the wildcard could have had it. Vector clocks keep beside the
// numbers single events known to happen before although an earlier one of their process does not: a
// synchronous send that met a pending wildcard knows of that event alone.
//
// A call that took some of several pending requests is an event as well. It could have taken others
// whose completion does not lie behind it: messages that were not sent, and sends that were not
// received, because of what the call answered.

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "explore/observation.h"
#include "explore/vector_clock.h"

namespace vouch::explore {

enum class Protocol : std::uint8_t { lamport, vector };

// What happens before a point of a process.
struct Past {
  std::uint32_t height = 0;
  VectorClock clock{};
  std::vector<EventId> single{};  // sorted
};

struct Alternative {
  int source = -1;  // or Choice::label
  OpId send = kNoOp;
  // Events issued earlier that matched later, and would otherwise take the message.
  std::vector<EventId> with{};
};

struct Event {
  EventId id{};
  OpId op = kNoOp;
  int comm = 0;
  int source = -1;           // -1: it never got a message; a pick: Choice::label
  std::uint32_t number = 0;  // among the events of its process, by when they had surely matched
  std::uint32_t height = 0;  // greater than that of every event before it
  // What its message was sent with: the height; vector: how many events of this process.
  std::uint32_t message = 0;
  std::uint32_t latest = ~0u;  // lamport: a synchronous send that met it tells of this height
  Past past{};                 // its own match and message
  std::vector<Alternative> alternatives{};  // by source, each once
};

struct Analysed {
  Protocol protocol = Protocol::vector;
  std::vector<Event> events{};       // by id
  std::vector<std::size_t> first{};  // by process: its place in events; one more at the end
  std::vector<std::size_t> picks{};  // by process: where its picks begin
  std::vector<std::size_t> order{};  // events that got a message, each after all before it
  std::size_t suppressed = 0;        // alternatives that need what only they would bring about
  std::vector<OpId> unreceived{};    // sends whose message nobody took
  std::map<int, std::vector<int>> members{};  // as observed
  std::string stuck{};                        // "" or: its matches contradict each other
  // Picks whose alternatives are not all known: too many requests, or of kinds that are not looked
  // at.
  std::size_t unclear = 0;
  std::shared_ptr<const Observation> of{};  // whoever needs it keeps it here

  const Event* find(EventId) const;  // nullptr: there is none
  // `a` has surely matched before `b`; with Lamport clocks: it stands before it in the order.
  bool before(const Event& a, const Event& b) const;
  // What a guided run must force so that event `at` has this alternative and the rest stays as it
  // was, as far as it can: all that does not lie behind it.
  Decisions steer(const Event& at, const Alternative&) const;
  // The same for one event: the source it is forced to, or -1.
  int steered(const Event& at, const Alternative&, EventId event) const;
};

// What may be used: all that a run shows, or only what a rank can know whose messages carry
// clocks. A probe then sees no clock, and in which order messages of one source were sent is not
// known.
enum class Source : std::uint8_t { records, messages };

// `without`: as if this collective (its number in the program) were not there.
Analysed analyse(const Observation&, Protocol, std::uint32_t without = ~0u,
                 Source = Source::records);

// Barriers, by number of their group, that order nothing which matters here: without them no
// wildcard of this run could have got another message (functionally irrelevant, as far as this run
// tells).
std::vector<std::uint32_t> irrelevant_barriers(const Observation&);

}  // namespace vouch::explore
