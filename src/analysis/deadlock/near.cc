// What a stuck rank waits for, and what comes close to it.
//
// MPI_Wait says nothing about the message: its operations are named with their own place. A message
// that differs in one thing only, the tag, the communicator or the rank, is most likely the one
// that was meant; so is a persistent request that was made and never started.

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "analysis/deadlock/deadlock.h"
#include "model/named_request.h"

namespace vouch {
namespace {

constexpr std::size_t kOperations = 3;  // named of one completing call

// Not of a message, but of what only its own process does: the marks that a partitioned send waits
// for (WaitFeed::ready), or MPI_Grequest_complete.
bool waits_for_itself(const wait::OpState& op) {
  const ProcInfo& proc = info(static_cast<Proc>(op.label.proc));
  return op.kind == wait::Kind::recv &&
         ((proc.family == Family::partitioned && proc.send.peer >= 0) ||
          static_cast<Proc>(op.label.proc) == Proc::grequest_start);
}

bool is_message(const wait::OpState& op) {
  if (waits_for_itself(op)) return false;
  const Family family = info(static_cast<Proc>(op.label.proc)).family;
  return (op.kind == wait::Kind::send || op.kind == wait::Kind::recv ||
          op.kind == wait::Kind::probe) &&
         (family == Family::p2p || family == Family::probe || family == Family::partitioned);
}

std::string tag_words(std::int32_t tag) {
  return tag == wait::kAnyTag ? "MPI_ANY_TAG" : std::to_string(tag);
}

const char* waited_for(Pause::ThreadWait::For what) {
  using For = Pause::ThreadWait::For;
  switch (what) {
    case For::lock:
      return "a lock";
    case For::condition:
      return "a condition";
    case For::semaphore:
      return "a semaphore";
    case For::end_of_thread:
      return "a thread to end";
    case For::barrier:
      return "others at a barrier";
    case For::future:
      return "a future";
    case For::openmp:
      return "a lock or for other threads";
    case For::wake:
      break;
  }
  return "a thread of its own rank";
}

// What tells two messages apart, the likeliest slip first. Nothing: several things, or none.
enum class Apart { tag, comm, rank };
std::optional<Apart> apart(const wait::Envelope& send, const wait::Envelope& recv) {
  if (send.dest != recv.dest) return std::nullopt;
  const bool tag = recv.tag != wait::kAnyTag && recv.tag != send.tag;
  const bool comm = recv.comm != send.comm;
  const bool rank = recv.source != wait::kAnyRank && recv.source != send.source;
  if (tag + comm + rank != 1) return std::nullopt;
  return tag ? Apart::tag : comm ? Apart::comm : Apart::rank;
}

}  // namespace

// "MPI_Irecv(source=1, tag=7)", on another communicator than MPI_COMM_WORLD with its name.
std::string DeadlockSearch::words_of(const wait::OpState& op) const {
  std::string text = info(static_cast<Proc>(op.label.proc)).name;
  if (!is_message(op)) return text;
  const bool sends = op.kind == wait::Kind::send;
  const wait::Envelope& e = op.decided ? op.asked : op.envelope;
  wait::Rank peer = sends ? e.dest : e.source;
  // As the program says it: by the rank in the communicator.
  if (const auto group = node_->groups().find(e.comm); group != node_->groups().end()) {
    const wait::RankList& members = group->second->members;
    const wait::RankList& partners =
        group->second->inter() && members.contains(op.rank) ? group->second->others : members;
    const std::int64_t at = partners.place_of(peer);
    if (at >= 0) peer = static_cast<wait::Rank>(at);
  }
  return fmt::format("{}({}={}, tag={})", text, sends ? "dest" : "source",
                     peer == wait::kAnyRank ? "MPI_ANY_SOURCE" : std::to_string(peer),
                     tag_words(e.tag));
}

// Operations that a completing call still waits for, or that a loop asks for.
std::vector<wait::OpState> DeadlockSearch::open_parts(const wait::Stuck& s) const {
  std::vector<wait::OpState> parts;
  const wait::Rank rank = s.ranks.first();
  if (process_of(rank) == nullptr) return parts;
  if (s.polling) {
    node_->for_each_polled(rank, [&](const wait::OpState& op) { parts.push_back(op); });
    return parts;
  }
  const wait::Op* op = nullptr;
  node_->for_each_current(rank, [&](const wait::Op& one) {
    if (op == nullptr || one.label == s.label) op = &one;  // of its threads the one meant
  });
  if (op == nullptr) return parts;
  if (op->kind != wait::Kind::completion) return {*op};
  for (const wait::Op* part : op->parts) {
    if (!part->fulfilled()) parts.push_back(*part);
  }
  return parts;
}

void DeadlockSearch::add_operations(const wait::Stuck& s, std::vector<Place>& places) const {
  if (s.kind != wait::Kind::completion) return;
  std::size_t named = 0;
  for (const wait::OpState& part : open_parts(s)) {
    // MPI_Sendrecv is its own part, MPI_Win_wait waits for calls of others.
    if (part.label == s.label || (!is_message(part) && part.kind != wait::Kind::collective))
      continue;
    if (named++ == kOperations) return;
    std::string role = s.polling ? "what it asks for" : "what it waits for";
    if (const std::string name = feed_->name_of(part.envelope.comm);
        is_message(part) && !name.empty() && name != "MPI_COMM_WORLD")
      role += ", on " + name;
    places.push_back({WorldRank{part.rank}, part.label.site, words_of(part), role, {}, {}});
  }
}

// "partitions 1 and 3 of 4": those that were not marked ready.
std::string DeadlockSearch::unmarked_words(const Request& r) {
  constexpr std::size_t kShown = 4;
  std::vector<std::size_t> missing;
  for (std::size_t i = 0; i < r.ready.size(); ++i) {
    if (!r.ready[i]) missing.push_back(i);
  }
  if (missing.size() == r.ready.size() && missing.size() > 1)
    return fmt::format("none of {} partitions", missing.size());
  std::string text = missing.size() == 1 ? "partition " : "partitions ";
  for (std::size_t i = 0; i < missing.size() && i < kShown; ++i)
    text += fmt::format("{}{}", i == 0 ? "" : ", ", missing[i]);
  if (missing.size() > kShown) text += fmt::format(" and {} more", missing.size() - kShown);
  return text + fmt::format(" of {}", r.ready.size());
}

// Says it of a started partitioned send; `first`: in the message, too.
void DeadlockSearch::add_unmarked(const Process& process, const Request& r, bool first,
                                  Report& report) {
  const std::string what = unmarked_words(r);
  const bool none = what.starts_with("none");
  if (first) {
    report.message = fmt::format("rank {} waits for a partitioned send of which {} {} marked ready",
                                 process.rank.value, what,
                                 none                             ? "was"
                                 : what.starts_with("partitions") ? "were never"
                                                                  : "was never");
    report.advice = "Call MPI_Pready for every partition before waiting for the send.";
  }
  report.places.push_back({process.rank,
                           r.made,
                           fmt::format("{}(dest={}, tag={})", info(r.made_by).name, r.peer, r.tag),
                           none ? "not marked ready" : what + " not marked ready",
                           {},
                           {}});
}

// Something that only its own process can do, and has not done: that is the cause.
bool DeadlockSearch::add_own_cause(const wait::Deadlock& d, Report& report) const {
  // Else another thread may be the one that would have completed a request.
  const bool only = std::all_of(d.core.begin(), d.core.end(), [&](const wait::Stuck& s) {
    const std::vector<wait::OpState> open = open_parts(s);
    return std::all_of(open.begin(), open.end(), waits_for_itself);
  });
  bool some = false;
  for (const wait::Stuck& s : d.core) {
    const Process* process = process_of(s.ranks.first());
    if (process == nullptr) continue;
    for (const wait::OpState& open : open_parts(s)) {
      const Request* r = waits_for_itself(open) ? feed_->unready(*process, open) : nullptr;
      if (r == nullptr) continue;
      if (r->kind == RequestKind::generalized) {
        if (!some && only) {
          report.message =
              fmt::format("rank {} {} for a generalized request that it has not completed",
                          process->rank.value, s.polling ? "asks again and again" : "waits");
          report.advice =
              "Call MPI_Grequest_complete, before the wait or on another thread, when what the "
              "request stands for is done.";
        }
        report.places.push_back(
            {process->rank, r->made, info(r->made_by).name, "not completed", {}, {}});
        some = some || only;
      } else {
        add_unmarked(*process, *r, !some, report);
        some = true;
      }
    }
  }
  return some;
}

// Threads that could act if another one woke them. Who has a lock nobody knows: most likely a
// thread that waits in MPI. True: some wait for a lock.
bool DeadlockSearch::add_thread_waits(const wait::Deadlock& d, Report& report) const {
  using For = Pause::ThreadWait::For;
  bool locks = false;
  std::set<wait::Rank> named;
  for (const wait::Stuck& s : d.core) {
    const auto found = thread_waits_.find(s.ranks.first());
    if (found == thread_waits_.end() || !named.insert(s.ranks.first()).second) continue;
    for (const Pause::ThreadWait& wait : found->second) {
      const bool one = wait.threads == 1;
      const std::string who =
          one ? "another thread waits" : fmt::format("{} other threads wait", wait.threads);
      report.places.push_back({WorldRank{found->first},
                               wait.at,
                               wait.what == For::openmp ? "OpenMP" : wait.procedure,
                               who + " for " + waited_for(wait.what),
                               {},
                               {}});
      locks = locks || wait.what == For::lock;
    }
  }
  return locks;
}

// A matched message can only be received by its handle (MPI-4.1 3.8.2): who receives by source and
// tag instead waits for another one.
bool DeadlockSearch::add_taken_message(const wait::Deadlock& d, Report& report) const {
  for (const wait::Stuck& s : d.core) {
    const Process* process = process_of(s.ranks.first());
    if (process == nullptr) continue;
    for (const wait::OpState& open : open_parts(s)) {
      if (open.kind == wait::Kind::send || !is_message(open)) continue;
      const wait::Envelope& e = open.decided ? open.asked : open.envelope;
      const Message* taken = nullptr;
      process->messages.for_each([&](const Message& m) {
        const Communicator* comm = process->comms.find(m.comm);
        if (m.no_proc || m.constant != Constant::none || comm == nullptr ||
            comm->members == nullptr || comm->inter() || !feed_->is(e.comm, *comm) ||
            (e.tag != wait::kAnyTag && e.tag != m.tag) ||
            (e.source != wait::kAnyRank &&
             comm->members->world(CommRank{m.source}).value != e.source))
          return;
        if (taken == nullptr) taken = &m;
      });
      if (taken == nullptr) continue;
      const char* probe = info(taken->made_by).name;
      report.message +=
          fmt::format("; rank {} has matched such a message with {} and not received it",
                      process->rank.value, probe);
      report.places.push_back({process->rank, taken->made, probe, "takes the message out", {}, {}});
      report.advice =
          "Receive a message that was matched by MPI_Mprobe with MPI_Mrecv, by its handle.";
      return true;
    }
  }
  return false;
}

// MPI-4.1 3.8.2: the send of a matched message can complete only once that is received.
bool DeadlockSearch::add_claimed_message(const wait::Deadlock& d, Report& report) const {
  for (const wait::Stuck& s : d.core) {
    for (const wait::OpState& open : open_parts(s)) {
      const wait::Op* probe = node_->claim_of(open);
      if (probe == nullptr) continue;
      const std::string name = info(static_cast<Proc>(probe->label.proc)).name;
      report.message += fmt::format(
          "; rank {} has matched the message of rank {} with {} and not "
          "received it",
          probe->rank, open.rank, name);
      report.places.push_back({WorldRank{probe->rank},
                               probe->label.site,
                               words_of(*probe),
                               "matches the message, and does not receive it",
                               {},
                               {}});
      report.advice =
          "Receive a message that was matched by MPI_Mprobe with MPI_Mrecv or MPI_Imrecv before "
          "waiting for something else: until then its sender may wait.";
      return true;
    }
  }
  return false;
}

// A receive that names its message waits for one that an earlier wildcard has taken.
bool DeadlockSearch::add_taken_before(const wait::Deadlock& d, Report& report) const {
  for (const wait::Stuck& s : d.core) {
    const Process* process = process_of(s.ranks.first());
    if (process == nullptr) continue;
    for (const wait::OpState& open : open_parts(s)) {
      if (open.kind == wait::Kind::send || !is_message(open)) continue;
      if (open.envelope.source == wait::kAnyRank && open.envelope.tag == wait::kAnyTag) continue;
      const std::optional<WaitFeed::Taken> taken = feed_->taken_before(*process, open);
      if (!taken) continue;
      const std::string name = info(static_cast<Proc>(taken->label.proc)).name;
      const char* asked = taken->any_source && taken->any_tag ? "MPI_ANY_SOURCE and MPI_ANY_TAG"
                          : taken->any_source                 ? "MPI_ANY_SOURCE"
                                                              : "MPI_ANY_TAG";
      report.message += fmt::format("; {} with {} has taken such a message of rank {} before", name,
                                    asked, taken->message.source);
      report.places.push_back({process->rank,
                               taken->label.site,
                               fmt::format("{} with {}", name, asked),
                               fmt::format("took the message of rank {}, tag {}",
                                           taken->message.source, taken->message.tag),
                               {},
                               {}});
      return true;
    }
  }
  return false;
}

bool DeadlockSearch::add_near_miss(const wait::Deadlock& d, Report& report) const {
  for (const wait::Stuck& s : d.core) {
    for (const wait::OpState& open : open_parts(s)) {
      if (!is_message(open)) continue;
      const bool sends = open.kind == wait::Kind::send;
      const wait::Op* best = nullptr;
      Apart why{};
      node_->for_each_open([&](const wait::Op& other) {
        if (!is_message(other) || other.promised || other.kind == wait::Kind::probe ||
            (other.kind == wait::Kind::send) == sends)
          return;
        const std::optional<Apart> how =
            sends ? apart(open.envelope, other.envelope) : apart(other.envelope, open.envelope);
        if (!how || (best != nullptr && std::tuple(*how, other.rank, other.at) >=
                                            std::tuple(why, best->rank, best->at)))
          return;
        best = &other;
        why = *how;
      });
      if (best == nullptr) continue;
      std::string text = fmt::format("rank {} has {}", best->rank,
                                     sends ? "posted such a receive" : "sent such a message");
      if (why == Apart::tag)
        text += fmt::format(" with tag {}, not {}", tag_words(best->envelope.tag),
                            tag_words(open.envelope.tag));
      if (why == Apart::comm) {
        const auto name = [&](const wait::OpState& op) {
          const std::string known = feed_->name_of(op.envelope.comm);
          return known.empty() ? std::string("another communicator") : known;
        };
        text += fmt::format(" on {}, not on {}", name(*best), name(open));
      }
      if (why == Apart::rank)
        text += sends ? fmt::format(", but for one of rank {}", best->envelope.source)
                      : fmt::format(", but rank {} is asked for it", open.envelope.source);
      report.message += "; " + text;
      report.places.push_back(
          {WorldRank{best->rank}, best->label.site, words_of(*best), "nearly matches", {}, {}});
      return true;
    }
  }
  return false;
}

// Two ranks that are in the same collective on different communicators.
bool DeadlockSearch::add_other_communicator(const wait::Deadlock& d, Report& report) const {
  const auto collective = [&](const wait::Stuck& s) -> std::optional<wait::OpState> {
    const std::vector<wait::OpState> parts = open_parts(s);
    const bool one = parts.size() == 1 && parts[0].kind == wait::Kind::collective;
    // Windows and files have orders of their own, and no name here.
    if (!one || feed_->name_of(parts[0].envelope.comm).empty()) return std::nullopt;
    return parts[0];
  };
  const auto base = [](const wait::OpState& op) {
    return info(static_cast<Proc>(op.label.proc)).base;
  };
  for (std::size_t i = 0; i < d.core.size(); ++i) {
    const std::optional<wait::OpState> a = collective(d.core[i]);
    for (std::size_t k = i + 1; a && k < d.core.size(); ++k) {
      const std::optional<wait::OpState> b = collective(d.core[k]);
      if (!b || base(*a) != base(*b) || a->envelope.comm == b->envelope.comm) continue;
      const std::string first = feed_->name_of(a->envelope.comm);
      const std::string second = feed_->name_of(b->envelope.comm);
      report.message +=
          fmt::format("; rank {} is in {} on {}, rank {} on {}", a->rank, words_of(*a), first,
                      b->rank, first == second ? std::string("another one made there") : second);
      return true;
    }
  }
  return false;
}

std::optional<DeadlockSearch::Idle> DeadlockSearch::idle(const Process& process, const Request& r) {
  if (!r.persistent || r.ever_started) return std::nullopt;
  if (r.kind != RequestKind::send && r.kind != RequestKind::recv) return std::nullopt;
  const Communicator* comm = process.comms.find(r.comm);
  if (comm == nullptr || comm->members == nullptr || comm->inter()) return std::nullopt;
  Idle one{process.rank, r.made, r.made_by, r.kind, wait::kAnyRank, r.tag, {}};
  if (r.peer != wire::kAnySource) {
    one.peer = comm->members->world(CommRank{static_cast<int>(r.peer)}).value;
    if (one.peer < 0) return std::nullopt;
  }
  return one;
}

void DeadlockSearch::note_idle(const Process& process, const Call& call) {
  constexpr std::size_t kKept = 64;
  for (int i = 0; i < static_cast<int>(call.info().params.size()); ++i) {
    const Param& p = call.info().params[static_cast<std::size_t>(i)];
    if (p.kind != Kind::request || p.dir == Dir::out) continue;
    const std::uint64_t n = p.is_array() ? call.enter().array(i).size() : 1;
    for (std::uint64_t k = 0; k < n && idle_.size() < kKept; ++k) {
      const Request* r = named_request(process, call, i, k).request;
      std::optional<Idle> one = r == nullptr ? std::nullopt : idle(process, *r);
      if (!one) continue;
      one->waited = call.site();
      idle_.push_back(*one);
    }
  }
}

// The one of another rank that would have been the partner.
std::optional<DeadlockSearch::Idle> DeadlockSearch::never_started(const wait::Deadlock& d) const {
  for (const wait::Stuck& s : d.core) {
    for (const wait::OpState& open : open_parts(s)) {
      if (!is_message(open) || open.kind == wait::Kind::probe) continue;
      const bool sends = open.kind == wait::Kind::send;
      const wait::Rank partner = sends ? open.envelope.dest : open.envelope.source;
      const auto fits = [&](const Idle& one) {
        return one.rank.value == partner &&
               one.kind == (sends ? RequestKind::recv : RequestKind::send) &&
               (one.peer == wait::kAnyRank || one.peer == open.rank) &&
               (one.tag == wire::kAnyTag || open.envelope.tag == wait::kAnyTag ||
                one.tag == open.envelope.tag);
      };
      const auto waited = std::find_if(idle_.begin(), idle_.end(), fits);
      if (waited != idle_.end()) return *waited;
      const Process* process = partner < 0 ? nullptr : process_of(partner);
      if (process == nullptr) continue;
      std::optional<Idle> found;
      process->requests.for_each([&](const Request& r) {
        const std::optional<Idle> one = idle(*process, r);
        if (one && !found && fits(*one)) found = one;
      });
      if (found) return found;
    }
  }
  return std::nullopt;
}

// By what its ranks are in. "": what the rule says.
std::string DeadlockSearch::advice_for(const wait::Deadlock& d) const {
  bool sends = false, receives = false, collectives = false, windows = false, detach = false,
       polls = false;
  bool groups = true;  // all of them create inter-communicators
  for (const wait::Stuck& s : d.core) {
    const Proc proc = static_cast<Proc>(s.label.proc);
    windows = windows || info(proc).family == Family::window;
    detach = detach || proc == Proc::buffer_detach;
    groups =
        groups && (proc == Proc::intercomm_create || proc == Proc::intercomm_create_from_groups);
    collectives = collectives || s.kind == wait::Kind::collective;
    polls = polls || s.polling;
    for (const wait::OpState& op : open_parts(s)) {
      sends = sends || op.kind == wait::Kind::send;
      receives = receives || op.kind == wait::Kind::recv || op.kind == wait::Kind::probe;
      collectives = collectives || op.kind == wait::Kind::collective;
    }
  }
  if (polls)
    return "Let the rank that should send do so before it waits, or let the loop end without the "
           "message.";
  if (windows)
    return "Let each rank end or open its epochs in an order in which nobody waits for a rank that "
           "waits for it.";
  if (detach) return "Receive the buffered messages before the buffer is detached.";
  if (d.shape != wait::Deadlock::Shape::cycle) return {};
  if (groups)
    return "Let one of the groups begin with another partner, so that two of them always name each "
           "other first.";
  if (d.order.size() == 1) {
    if (sends)
      return "Post the receive before the send, with MPI_Irecv, or make the send nonblocking.";
    if (receives) return "Send the message to itself, with MPI_Isend, before waiting for it.";
    return {};
  }
  if (collectives)
    return "Call the collectives, and the messages between them, in one order on all ranks.";
  if (sends && !receives)
    return "Let one of them receive first, use MPI_Sendrecv, or make the sends nonblocking.";
  if (receives && !sends)
    return "Let one of them send first, use MPI_Sendrecv, or make the receives nonblocking.";
  return {};
}

}  // namespace vouch
