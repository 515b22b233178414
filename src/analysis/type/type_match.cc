#include "analysis/type/type_match.h"

#include <fmt/format.h>

#include "analysis/operation_place.h"
#include "base/count_words.h"
#include "event/text.h"
#include "match/channel.h"
#include "type/path.h"

namespace vouch {
namespace {

std::string item_words(const char* side, const Operation& op, std::uint64_t item) {
  if (op.process >= World::kAway) return {};  // of another agent's type only the items are known
  const std::string path = path_to(*op.type, item);
  return path.empty() ? std::string() : fmt::format("; {} {}", side, path);
}

}  // namespace

void TypeMatch::on_match(const Match& match) {
  const Operation &send = match.send, &recv = match.recv;
  if (send.poisoned || recv.poisoned || send.type == nullptr || recv.type == nullptr ||
      send.count < 0 || recv.count < 0)
    return;
  if (send.partitions != 0) return partitioned(send, recv);
  const Comparison& c = known_.look(send.type->signature, static_cast<std::uint64_t>(send.count),
                                    recv.type->signature, static_cast<std::uint64_t>(recv.count));
  using What = Comparison::What;
  switch (c.what) {
    case What::fits:
      return;
    case What::truncation:
      if (again(Rule::type_truncation, match)) return;
      return tell(
          Rule::type_truncation, match,
          fmt::format("{} sent, room for {}",
                      count_words(send.type->signature->digest.bytes *
                                      static_cast<std::uint64_t>(send.count),
                                  "byte"),
                      recv.type->signature->digest.bytes * static_cast<std::uint64_t>(recv.count)),
          {});
    case What::mismatch:
    case What::equivalent: {
      const Rule rule = c.what == What::mismatch ? Rule::type_mismatch : Rule::type_equivalent;
      if (again(rule, match)) return;
      const std::string sent = name_of(c.sent), received = name_of(c.received);
      return tell(rule, match,
                  fmt::format("item {}: sent {}, received as {}{}{}", c.item, sent, received,
                              item_words("sent from", send, c.item),
                              item_words("received into", recv, c.into)),
                  sent + "/" + received);
    }
    case What::over_budget:
      sink_.not_checked({.what = "types of a message",
                         .reason = "too many changes between MPI_BYTE and other types to compare",
                         .count = 1,
                         .site = recv.site});
      return;
  }
}

// The partitions may be cut differently, but both sides must describe the same data in all
// (MPI-4.1 4.2.1).
void TypeMatch::partitioned(const Operation& send, const Operation& recv) {
  const auto n = static_cast<std::uint64_t>(send.count * send.partitions);
  const auto m = static_cast<std::uint64_t>(recv.count * recv.partitions);
  const SignatureRef &s = send.type->signature, &r = recv.type->signature;
  const Match match{send, recv};
  if (n * s->digest.bytes != m * r->digest.bytes) {
    tell(Rule::request_partition, match,
         fmt::format("{} sent in all partitions, {} received",
                     count_words(n * s->digest.bytes, "byte"), m * r->digest.bytes),
         info(Cause::partition_bytes).key, Cause::partition_bytes);
    blame_requests(recv, Rule::request_partition);
    if (send.process < World::kAway) blame_requests(send, Rule::request_partition);
    return;
  }
  const Comparison c = compare(s, n, r, m);
  using What = Comparison::What;
  if (c.what != What::mismatch && c.what != What::equivalent) return;
  const std::string sent = name_of(c.sent), received = name_of(c.received);
  tell(c.what == What::mismatch ? Rule::type_mismatch : Rule::type_equivalent, match,
       fmt::format("item {}: sent {}, received as {}", c.item, sent, received),
       sent + "/" + received);
}

// It is known, and only to be counted. At the end of a run it is not: there is somebody to blame.
bool TypeMatch::again(Rule rule, const Match& match) {
  if (match.settled) return false;
  blame(match, rule);
  const Involved places[] = {{world_.process(match.recv.process).rank, match.recv.site},
                             {world_.process(match.send.process).rank, match.send.site}};
  return sink_.again({rule, info(rule).severity, places, {}, false, {}, common_key(rule, match)});
}

// Types that are only not portable are used everywhere for one reason. Where types do not fit, each
// pair of lines may have a mistake of its own, unless they use one communicator.
std::uint64_t TypeMatch::common_key(Rule rule, const Match& match) {
  if (rule != Rule::type_mismatch || match.recv.channel == nullptr) return 0;
  std::uint64_t h = match.recv.channel->id;
  const auto mix = [&h](std::uint64_t v) { h = (h ^ v) * 0x9e3779b97f4a7c15u, h ^= h >> 29; };
  for (const Operation* op : {&match.send, &match.recv}) mix(op->type->made.value);
  return h | 1;
}

// The datatype on each side, whatever line uses it: by its only item, or by where it was made.
// Misses: where a process of another agent made its own.
std::string TypeMatch::types_of(const Match& match) const {
  std::string text;
  for (const Operation* op : {&match.send, &match.recv}) {
    if (op->type == nullptr) return {};
    const Signature& s = *op->type->signature;
    if (s.n == 1 && s.children.empty()) {
      text += name_of(s.atom);
    } else {
      if (op->process >= World::kAway) return {};
      text += mention(op->type->made);
    }
    text += '/';
  }
  return text;
}

void TypeMatch::tell(Rule rule, const Match& match, std::string message, std::string cause,
                     Cause why) {
  std::string common;
  if (rule == Rule::type_mismatch || rule == Rule::type_equivalent) common = types_of(match);
  const std::uint64_t key = common.empty() ? 0 : common_key(rule, match);
  std::vector<Involved> both;  // the library may die at either side
  if (rule == Rule::request_partition)
    both.push_back({place_of(world_, match.send).rank, match.send.site});
  if (key != 0) common += std::to_string(match.recv.channel->id);
  sink_.report({.rule = rule,
                .severity = info(rule).severity,
                .message = std::move(message),
                .cause = std::move(cause),
                .places = {place_of(world_, match.recv), place_of(world_, match.send, "sent here")},
                .involved = std::move(both),
                .why = why,
                .common = std::move(common),
                .common_key = key});
  blame(match, rule);
}

// The receive may still be open, at the end of the run or since its message was known before it
// (MPI_Mrecv): what the library does in it, or in the call that waits for it, follows from this.
void TypeMatch::blame(const Match& match, Rule rule) {
  for (Thread& thread : world_.process(match.recv.process).threads) {
    for (int i = 0; i < thread.depth; ++i) {
      Call& call = thread.calls[static_cast<std::size_t>(i)];
      if (call.seq() == match.recv.seq) spoil(call, rule);
    }
  }
  if (match.settled || match.recv.proc == Proc::imrecv) blame_requests(match.recv, rule);
}

void TypeMatch::blame_requests(const Operation& op, Rule rule) {
  if (info(rule).severity != Severity::error) return;
  world_.process(op.process).requests.for_each([&](Request& request) {
    if (request.call == op.seq || (request.persistent && call_of(request.pattern) == op.seq))
      request.blamed = op.site;
  });
}

}  // namespace vouch
