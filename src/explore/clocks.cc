#include "explore/clocks.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

#include <fmt/format.h>

namespace vouch::explore {
namespace {

using predict::kAny;
using predict::Operation;
using predict::OpKind;
using predict::SendMode;
using predict::SyncGroup;
using predict::SyncKind;

bool knows(const Past& past, const Event& e) {
  return past.clock.at(e.id.rank) > e.number ||
         (!past.single.empty() && std::binary_search(past.single.begin(), past.single.end(), e.id));
}

// Goes through the operations of all processes, each as far as what it needs is there.
class Walk {
 public:
  Walk(const Observation& run, Protocol protocol, std::uint32_t without, Source source)
      : run_(run),
        carried_(source == Source::messages),
        without_(without),
        program_(run.program),
        vector_(protocol == Protocol::vector),
        lines_(static_cast<std::size_t>(program_.processes())),
        sent_(program_.ops.size()),
        event_of_(program_.ops.size(), kNone),
        watched_(program_.ops.size()),
        detected_(program_.ops.size()),
        groups_(program_.groups.size()) {
    out_.protocol = protocol;
    out_.members = run.members;
    list_events();
    for (std::size_t p = 0; p < lines_.size(); ++p) {
      lines_[p].now.clock = VectorClock(program_.processes());
      lines_[p].at = program_.first[p];
      ready_.push_back(static_cast<int>(p));
    }
    taken_.resize(program_.ops.size());
    for (OpId op = 0; op < program_.ops.size(); ++op)
      if (program_.ops[op].kind == OpKind::receive && run_.met[op] != kNoOp)
        taken_[run_.met[op]] = op + 1;
    forgets_ = run_.choices.empty();
    for (const Operation& op : program_.ops) any_tags_ |= op.tag == kAny;
    for (const Operation& op : program_.ops)
      forgets_ &= op.tag != kAny && op.kind != OpKind::probe &&
                  !(op.kind == OpKind::send && op.mode == SendMode::synchronous);
  }

  Analysed go() {
    while (!ready_.empty()) {
      const int p = ready_.back();
      ready_.pop_back();
      while (step(p)) {
      }
    }
    end();
    put_in_order();
    return std::move(out_);
  }

 private:
  static constexpr std::uint32_t kNone = ~0u;

  struct Line {
    OpId at = 0;
    bool entered = false;  // the operation at `at` is issued, not passed
    std::uint32_t matched = 0;
    Past now{};
    std::uint64_t learnt = 0;                // changes whenever `now` does
    std::vector<OpId> pending{};             // receives whose completion may tell of others
    std::vector<std::uint32_t> by_number{};  // events that have surely matched
    // Receives of a named source that have, and `learnt` then; only with any_tags_.
    std::vector<std::pair<OpId, std::uint64_t>> named{};
  };
  struct Group {
    std::vector<Past> snaps{};  // by member
    std::vector<bool> entered{};
    std::vector<Past> prefix{};  // what member k needs, as far as it is known
    std::size_t count = 0;
    bool ready = false;
    Past all{};
  };
  // A send that is issued; of a receive that meets a synchronous send: its issue.
  struct Snap {
    bool known = false;
    Past past{};
    std::vector<OpId> sure{};  // of a receive: these have matched when it has, itself among them
  };

  void list_events() {
    out_.first.push_back(0);
    for (int p = 0; p < program_.processes(); ++p) {
      int number = 0;
      for (OpId op = program_.first[p]; op < program_.first[p + 1]; ++op) {
        if (!is_event(program_.ops[op])) continue;
        event_of_[op] = static_cast<std::uint32_t>(out_.events.size());
        Event e;
        e.id = {p, number++};
        e.op = op;
        e.comm = program_.ops[op].comm;
        if (const OpId send = run_.met[op]; send != kNoOp) e.source = program_.ops[send].process;
        out_.events.push_back(std::move(e));
      }
      list_picks(p);
      out_.first.push_back(out_.events.size());
    }
    done_.resize(out_.events.size());
    issues_.resize(vector_ ? out_.events.size() : 0);
  }

  void list_picks(int p) {
    out_.picks.push_back(out_.events.size());
    for (; next_choice_ < run_.choices.size(); ++next_choice_) {
      const Choice& choice = run_.choices[next_choice_];
      if (choice.wait >= program_.first[p + 1]) return;
      const int label = choice.label();
      if (label < 0) {
        ++out_.unclear;
        continue;
      }
      Event e;
      e.id = {p, kFirstPick + static_cast<int>(choice.pick)};
      e.op = choice.wait;
      e.source = label;
      event_of_[choice.wait] = static_cast<std::uint32_t>(out_.events.size());
      out_.events.push_back(std::move(e));
      // Whether a send could have been complete depends on where its receive was.
      for (const auto& [place, op] : choice.open)
        if (program_.ops[op].kind == OpKind::send) watched_[op] = true;
    }
  }

  // ---- knowledge ----
  void merge(Past& into, const Past& from) const {
    into.height = std::max(into.height, from.height);
    if (!vector_) return;
    into.clock.merge(from.clock);
    if (from.single.empty()) return;
    std::vector<EventId> both;
    std::set_union(into.single.begin(), into.single.end(), from.single.begin(), from.single.end(),
                   std::back_inserter(both));
    std::erase_if(both, [&](EventId id) {
      const Event& e = event(id);
      return done_[&e - out_.events.data()] && into.clock.at(id.rank) > e.number;
    });
    into.single = std::move(both);
  }
  // The process learns this. If that says that a pending receive of its own has matched, then it
  // has before what is learnt.
  void learn(int p, const Past& from) {
    Line& line = lines_[static_cast<std::size_t>(p)];
    for (const EventId id : from.single) {
      const Event& e = event(id);
      if (id.rank != p ||
          done_[out_.first[static_cast<std::size_t>(p)] + static_cast<std::size_t>(id.number)])
        continue;
      for (const OpId sure : surely_matched(line, {e.op})) finalise(p, line, sure);
    }
    merge(line.now, from);
    ++line.learnt;
  }
  Event& event(EventId id) { return out_.events[out_.first[id.rank] + id.number]; }
  const Event& event(EventId id) const { return out_.events[out_.first[id.rank] + id.number]; }

  // The process may go on when this operation was issued.
  bool await(int p, OpId op) {
    waiters_[op].push_back(p);
    return false;
  }
  void issued(OpId op) {
    const auto waiting = waiters_.extract(op);
    if (!waiting.empty())
      ready_.insert(ready_.end(), waiting.mapped().begin(), waiting.mapped().end());
  }

  // ---- one operation of one process; false: it has to wait, or has no more ----
  bool step(int p) {
    Line& line = lines_[p];
    if (line.at == program_.first[p + 1]) return false;
    const OpId id = line.at;
    const Operation& op = program_.ops[id];
    switch (op.kind) {
      case OpKind::send:
        if (!line.entered) issue_send(line, id);
        line.entered = true;
        if (op.blocking && op.mode == SendMode::synchronous && !learn_from_receive(p, id))
          return false;
        break;
      case OpKind::receive:
        issue_receive(line, id);
        break;
      case OpKind::wait:
        if (!pass_wait(p, line, op)) return false;
        if (event_of_[id] != kNone) pick(p, line, id);
        break;
      case OpKind::probe:
        if (!line.entered) note_issue(line, id);
        line.entered = true;
        if (run_.met[id] == kNoOp || !complete(p, line, {id})) return false;
        break;
      case OpKind::sync:
        if (!line.entered) enter_group(line, op);
        line.entered = true;
        if (op.blocking && !leave_group(p, op)) return false;
        break;
      default:
        break;
    }
    line.entered = false;
    ++line.at;
    return true;
  }

  void issue_send(Line& line, OpId id) {
    sent_[id] = {true, line.now, {}};
    issued(id);
  }

  void note_issue(const Line& line, OpId id) {
    if (vector_ && event_of_[id] != kNone)
      issues_[event_of_[id]] = {line.now, line.matched, line.learnt};
  }

  void issue_receive(Line& line, OpId id) {
    const Operation& op = program_.ops[id];
    note_issue(line, id);
    // Only these can have to match before a later one completes, in a way that tells something:
    // where all tags are named, who goes before a receive of a named source goes before whatever
    // comes behind that one as well.
    if (op.peer == kAny || (carried_ ? op.tag == kAny : any_tags_)) line.pending.push_back(id);
    const OpId send = run_.met[id];
    if (send == kNoOp || (program_.ops[send].mode != SendMode::synchronous && !watched_[send]))
      return;
    sent_[id] = {true, line.now, surely_matched(line, {id})};
    issued(id);
  }

  // A synchronous send is over: its receive was issued and has matched, and so have the pending
  // ones before it that would have taken the message.
  bool learn_from_receive(int p, OpId send) {
    if (taken_[send] == 0) return false;
    const OpId receive = taken_[send] - 1;
    if (!sent_[receive].known) return await(p, receive);
    for (const OpId id : sent_[receive].sure)
      if (run_.met[id] != kNoOp && !sent_[run_.met[id]].known) return await(p, run_.met[id]);
    Past known = sent_[receive].past;
    for (const OpId id : sent_[receive].sure) {
      if (run_.met[id] == kNoOp) continue;
      merge(known, sent_[run_.met[id]].past);
      if (event_of_[id] == kNone) continue;
      Event& e = out_.events[event_of_[id]];
      // What this send tells of it is no more than this, wherever it is finalised.
      e.latest = std::min(e.latest, known.height);
      known.height += 1;
      if (vector_)
        known.single.insert(std::lower_bound(known.single.begin(), known.single.end(), e.id), e.id);
    }
    learn(p, known);
    return true;
  }

  bool pass_wait(int p, Line& line, const Operation& wait) {
    std::vector<OpId> receives;
    for (const OpId id : wait.completes) {
      const Operation& op = program_.ops[id];
      if (op.kind == OpKind::receive) {
        if (run_.met[id] == kNoOp) return false;
        receives.push_back(id);
      } else if (op.kind == OpKind::send && op.mode == SendMode::synchronous) {
        if (!learn_from_receive(p, id)) return false;
      } else if (op.kind == OpKind::sync) {
        if (!leave_group(p, op)) return false;
      }
    }
    std::sort(receives.begin(), receives.end());
    return complete(p, line, receives);
  }

  // ---- receives that complete ----
  // Pending receives that have matched when these have: what they would have taken was left to
  // others. In issue order, with `receives` themselves.
  std::vector<OpId> surely_matched(const Line& line, const std::vector<OpId>& receives) const {
    std::vector<OpId> sure = receives;
    for (std::size_t i = 0; i < sure.size(); ++i) {
      const OpId send = run_.met[sure[i]];
      if (send == kNoOp) continue;
      for (const OpId e : line.pending) {
        if (e >= sure[i]) break;
        if (has_gone_first(e, sure[i], send) &&
            std::find(sure.begin(), sure.end(), e) == sure.end())
          sure.push_back(e);
      }
    }
    std::sort(sure.begin(), sure.end());
    return sure;
  }

  // The pending receive e, issued before `receive`, has matched when that one has got this message:
  // else it would have taken it; or it had one of the same source that comes before, and that
  // `receive` would have had to take first.
  bool has_gone_first(OpId e, OpId receive, OpId send) const {
    if (predict::accepts(program_.ops[e], program_.ops[send])) return true;
    if (carried_) return false;
    const OpId other = run_.met[e];
    return other != kNoOp && other < send &&
           predict::same_channel(program_.ops[other], program_.ops[send]) &&
           predict::accepts(program_.ops[receive], program_.ops[other]);
  }

  bool complete(int p, Line& line, const std::vector<OpId>& receives) {
    const std::vector<OpId> sure = surely_matched(line, receives);
    for (const OpId id : sure) {
      const OpId send = run_.met[id];
      if (send != kNoOp && !sent_[send].known) return await(p, send);
    }
    for (const OpId id : sure) finalise(p, line, id);
    for (const OpId id : sure) detect(p, line, id);
    for (const OpId id : sure) forget(id);
    return true;
  }

  // What a message told is not looked at again once it was received; with tags that are open,
  // senders that wait to hear of it, or requests that are picked, it may be.
  void forget(OpId receive) {
    if (!forgets_ || program_.ops[receive].kind != OpKind::receive) return;
    const OpId send = run_.met[receive];
    if (send == kNoOp || !detected_[receive]) return;
    const std::uint32_t height = sent_[send].past.height;
    sent_[send].past = {};
    sent_[send].past.height = height;
  }

  void finalise(int p, Line& line, OpId id) {
    const OpId send = run_.met[id];
    if (send == kNoOp) return;
    std::erase(line.pending, id);
    const std::uint32_t index = event_of_[id];
    if (index != kNone && done_[index]) return;
    if (index != kNone) done_[index] = true;
    // Nothing was learnt since its issue: then what happens before it is what is known now.
    const bool at_once = vector_ && index != kNone && issues_[index].learnt == line.learnt;
    const std::uint64_t before = line.learnt;
    // Whoever has seen a message by a probe knows as well that it was sent.
    if (!sees_no_clock(id)) learn(p, sent_[send].past);
    if (index == kNone) {
      if (any_tags_) line.named.emplace_back(id, line.learnt);
      return;
    }
    Event& e = out_.events[index];
    if (at_once && line.learnt == before + 1) {
      e.past = line.now;
      issues_[index].past = {};
    } else if (vector_) {
      e.past = cause(line, id, index);
    }
    e.height = line.now.height;
    e.message = vector_ ? sent_[send].past.clock.at(p) : sent_[send].past.height;
    e.number = line.matched++;
    line.by_number.push_back(index);
    line.now.height = e.height + 1;
    ++line.learnt;
    if (vector_) line.now.clock.set(p, line.matched);
  }

  bool sees_no_clock(OpId id) const { return carried_ && program_.ops[id].kind == OpKind::probe; }

  // Some of several requests were taken; what they brought is known by now.
  void pick(int p, Line& line, OpId wait) {
    const std::uint32_t index = event_of_[wait];
    Event& e = out_.events[index];
    done_[index] = true;
    if (!line.pending.empty()) pending_at_[index] = line.pending;
    if (vector_) e.past = line.now;
    e.height = line.now.height;
    e.number = line.matched++;
    line.by_number.push_back(index);
    line.now.height = e.height + 1;
    ++line.learnt;
    if (vector_) line.now.clock.set(p, line.matched);
  }

  // This operation was issued because of what pick e answered, or never.
  bool behind(const Event& e, OpId op) const {
    const Past& past = sent_[op].past;
    return !sent_[op].known || (vector_ ? knows(past, e) : past.height > e.height);
  }

  // Receives pending at pick e that could match only because of what it answered: their messages
  // were sent for that; or they were there all along, but an earlier receive, itself one of these,
  // would have taken them had it not got another. Sorted.
  std::vector<OpId> matched_behind(std::uint32_t index, const Choice& choice) const {
    const Event& e = out_.events[index];
    std::vector<OpId> receives;
    if (const auto at = pending_at_.find(index); at != pending_at_.end()) receives = at->second;
    for (const auto& [place, op] : choice.open)
      if (program_.ops[op].kind == OpKind::receive) receives.push_back(op);
    std::sort(receives.begin(), receives.end());
    receives.erase(std::unique(receives.begin(), receives.end()), receives.end());
    std::vector<OpId> found;
    for (const OpId id : receives) {
      const OpId send = run_.met[id];
      if (send == kNoOp) continue;
      if (behind(e, send) || std::any_of(found.begin(), found.end(), [&](OpId first) {
            return has_gone_first(first, id, send);
          }))
        found.push_back(id);
    }
    return found;
  }

  // Whether the request could have been found complete by pick e.
  bool could_be_done(const Event& e, OpId request, const std::vector<OpId>& late) {
    const Operation& op = program_.ops[request];
    if (op.kind == OpKind::receive)
      return run_.met[request] != kNoOp && !std::binary_search(late.begin(), late.end(), request);
    if (op.kind == OpKind::send) {
      if (taken_[request] == 0 || behind(e, taken_[request] - 1)) return false;
      const std::vector<OpId>& sure = sent_[taken_[request] - 1].sure;
      return std::none_of(sure.begin(), sure.end(), [&](OpId id) {
        return run_.met[id] != kNoOp && behind(e, run_.met[id]);
      });
    }
    ++out_.unclear;
    return false;
  }

  void find_other_picks(const Choice& choice) {
    const std::uint32_t index = event_of_[choice.wait];
    if (index == kNone || !done_[index]) return;
    Event& e = out_.events[index];
    const std::vector<OpId> late = matched_behind(index, choice);
    std::vector<int> places;  // that it took, or could have
    for (const auto& [place, op] : choice.open) {
      const bool chosen =
          std::find(choice.chosen.begin(), choice.chosen.end(), place) != choice.chosen.end();
      if ((chosen || could_be_done(e, op, late)) && (places.empty() || places.back() != place))
        places.push_back(place);
    }
    const auto add = [&](int label) {
      if (label != e.source) e.alternatives.push_back({label, kNoOp, {}});
    };
    if (!choice.several) {
      for (const int place : places) add(place);
      return;
    }
    constexpr std::size_t kMostSubsets = 6;
    if (places.size() > kMostSubsets || (!places.empty() && places.back() >= Choice::kMostPlaces)) {
      ++out_.unclear;
      return;
    }
    for (unsigned subset = 1; subset < 1u << places.size(); ++subset) {
      int label = 0;
      for (std::size_t i = 0; i < places.size(); ++i)
        if ((subset >> i & 1) != 0) label |= 1 << places[i];
      add(label);
    }
  }

  // What surely happens before this match. That is less than what its process knows where it is
  // finalised: before its issue, before its message, and the receives that have gone first.
  Past cause(const Line& line, OpId id, std::uint32_t index) {
    Past past = std::move(issues_[index].past);
    merge(past, sent_[run_.met[id]].past);
    // Also those that have gone before a receive of a named source, which is no event.
    std::vector<OpId> behind{id};
    for (std::size_t i = 0; i < behind.size(); ++i) {
      const OpId at = behind[i], send = run_.met[at];
      for (std::size_t n = issues_[index].matched; n < line.by_number.size(); ++n) {
        const Event& first = out_.events[line.by_number[n]];
        if (is_pick(first.id) || first.op >= at || !has_gone_first(first.op, at, send)) continue;
        merge(past, first.past);
        const auto to = std::lower_bound(past.single.begin(), past.single.end(), first.id);
        if (to == past.single.end() || *to != first.id) past.single.insert(to, first.id);
      }
      for (auto n = line.named.rbegin();
           n != line.named.rend() && n->second > issues_[index].learnt; ++n) {
        if (n->first >= at || !has_gone_first(n->first, at, send) ||
            std::find(behind.begin(), behind.end(), n->first) != behind.end())
          continue;
        behind.push_back(n->first);
        merge(past, sent_[run_.met[n->first]].past);
      }
    }
    return past;
  }

  void detect(int p, Line& line, OpId receive) {
    if (detected_[receive] || run_.met[receive] == kNoOp || sees_no_clock(receive)) return;
    detected_[receive] = true;
    detect(p, line, receive, run_.met[receive]);
  }

  // Which wildcards, issued before `receive`, could have had this message?
  void detect(int p, Line& line, OpId receive, OpId send) {
    const Past& m = sent_[send].past;
    const Operation& s = program_.ops[send];
    const std::size_t from = vector_ ? m.clock.at(p) : 0;
    for (std::size_t n = line.by_number.size(); n-- > from;) {
      Event& r = out_.events[line.by_number[n]];
      if (is_pick(r.id) || r.op >= receive || r.source == s.process) continue;
      if (!predict::accepts(program_.ops[r.op], s)) continue;
      const bool late = vector_ ? !knows(m, r) : m.height <= std::min(r.height, r.latest);
      if (late) add_alternative(line, r, send);
    }
  }

  void add_alternative(const Line& line, Event& r, OpId send) {
    const Operation& s = program_.ops[send];
    for (const Alternative& known : r.alternatives)
      if (known.source == s.process) return;
    Alternative found{s.process, send, {}};
    // Only an any-tag receive can come before an earlier one that accepts the message.
    if (program_.ops[r.op].tag == kAny) {
      for (std::size_t n = r.number + 1; n < line.by_number.size(); ++n) {
        const Event& q = out_.events[line.by_number[n]];
        if (is_pick(q.id) || q.op > r.op || !predict::accepts(program_.ops[q.op], s) ||
            program_.ops[q.op].kind == OpKind::probe)
          continue;
        const Past& cause = sent_[run_.met[q.op]].past;
        if (vector_ ? knows(cause, r) : cause.height > r.height) {
          ++out_.suppressed;
          return;
        }
        found.with.push_back(q.id);
      }
    }
    r.alternatives.push_back(std::move(found));
  }

  // ---- collectives ----
  static std::size_t member(const SyncGroup& group, int p) {
    const auto same = static_cast<std::size_t>(p);
    if (same < group.members.size() && group.members[same] == p) return same;
    return static_cast<std::size_t>(std::find(group.members.begin(), group.members.end(), p) -
                                    group.members.begin());
  }

  void enter_group(Line& line, const Operation& op) {
    if (op.group == without_) return;
    const SyncGroup& group = program_.groups[op.group];
    Group& state = groups_[op.group];
    const std::size_t n = group.members.size();
    if (state.snaps.empty()) {
      state.snaps.resize(n);
      state.entered.resize(n);
    }
    const std::size_t me = member(group, op.process);
    state.snaps[me] = line.now;
    state.entered[me] = true;
    ++state.count;
    const bool all_wait = group.kind == SyncKind::all || group.kind == SyncKind::to_root;
    if (all_wait) merge(state.all, line.now);
    const bool wake = state.count == n ||
                      (group.kind == SyncKind::from_root ? op.process == group.root : !all_wait);
    if (!wake) return;
    for (const int other : group.members)
      if (other != op.process) ready_.push_back(other);
  }

  bool leave_group(int p, const Operation& op) {
    if (op.group == without_) return true;
    const SyncGroup& group = program_.groups[op.group];
    Group& state = groups_[op.group];
    const std::size_t n = group.members.size(), me = member(group, p);
    switch (group.kind) {
      case SyncKind::all:
        if (state.count < n) return false;
        learn(p, state.all);
        return true;
      case SyncKind::to_root:
        if (p != group.root) return true;
        if (state.count < n) return false;
        learn(p, state.all);
        return true;
      case SyncKind::from_root: {
        const std::size_t root = member(group, group.root);
        if (root == n || !state.entered[root]) return p == group.root;
        learn(p, state.snaps[root]);
        return true;
      }
      default:
        for (const std::size_t other : predict::needs(group, me, predict::Buffering::infinite)) {
          if (!state.entered[other]) return false;
          learn(p, state.snaps[other]);
        }
        return true;
      case SyncKind::prefix:
        while (state.prefix.size() <= me) {
          const std::size_t k = state.prefix.size();
          if (k > 0 && !state.entered[k - 1]) return false;
          Past before = k > 0 ? state.prefix[k - 1] : Past{};
          if (k > 0) merge(before, state.snaps[k - 1]);
          state.prefix.push_back(std::move(before));
        }
        learn(p, state.prefix[me]);
        return true;
    }
  }

  // ---- the end of the run ----
  // What is still pending and has a message is finalised, and messages that nobody received are
  // looked at as if they were received after everything.
  void end() {
    for (bool more = true; more;) {
      more = false;
      for (std::size_t p = 0; p < lines_.size(); ++p) {
        Line& line = lines_[p];
        for (OpId id = program_.first[p]; id < line.at; ++id) {
          const OpId send = run_.met[id];
          if (program_.ops[id].kind != OpKind::receive || detected_[id] || send == kNoOp ||
              !sent_[send].known)
            continue;
          more = true;
          finalise(static_cast<int>(p), line, id);
          detect(static_cast<int>(p), line, id);
        }
      }
    }
    for (OpId op = 0; op < program_.ops.size(); ++op) {
      const Operation& o = program_.ops[op];
      if (o.kind != OpKind::send || taken_[op] != 0 || !sent_[op].known) continue;
      out_.unreceived.push_back(op);
      detect(o.peer, lines_[static_cast<std::size_t>(o.peer)], kNoOp, op);
    }
    // A synchronous send may have told of it only after a message was found late.
    for (Event& e : out_.events)
      std::erase_if(e.alternatives, [&](const Alternative& a) {
        return !vector_ && sent_[a.send].past.height > e.latest;
      });
    for (const Choice& choice : run_.choices) find_other_picks(choice);
    for (const Event& e : out_.events)
      if (e.source >= 0 && !done_[&e - out_.events.data()] && out_.stuck.empty())
        out_.stuck = is_pick(e.id)
                         ? fmt::format("pick {} of rank {} took what was never sent",
                                       e.id.number - kFirstPick, e.id.rank)
                         : fmt::format("event {} of rank {} has a message that was never sent",
                                       e.id.number, e.id.rank);
  }

  void put_in_order() {
    for (std::size_t i = 0; i < out_.events.size(); ++i)
      if (done_[i]) out_.order.push_back(i);
    const auto key = [&](std::size_t i) {
      const Event& e = out_.events[i];
      return std::tuple(e.height, e.id);
    };
    // A single event known to happen before may have a greater height: raise what lies behind it.
    for (bool raised = vector_; raised;) {
      raised = false;
      for (const std::size_t i : out_.order) {
        Event& e = out_.events[i];
        for (const EventId id : e.past.single) {
          const std::uint32_t needed = event(id).height + 1;
          if (id == e.id || e.height >= needed) continue;
          raised = true;
          const std::uint32_t by = needed - e.height;
          for (const std::size_t k : out_.order)
            if (k == i || out_.before(e, out_.events[k])) out_.events[k].height += by;
        }
      }
    }
    std::sort(out_.order.begin(), out_.order.end(),
              [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
  }

  const Observation& run_;
  const bool carried_;           // only what clocks in messages tell
  const std::uint32_t without_;  // a collective that is not there
  const predict::Program& program_;
  const bool vector_;
  std::vector<Line> lines_;
  std::vector<Snap> sent_;
  std::vector<std::uint32_t> event_of_;
  std::vector<bool> watched_;  // by send: some call could have taken it or not
  std::size_t next_choice_ = 0;
  struct Issue {
    Past past{};
    std::uint32_t matched = 0;  // events of the process so far
    std::uint64_t learnt = 0;   // Line::learnt
  };
  std::vector<Issue> issues_;                                        // by event
  std::unordered_map<std::uint32_t, std::vector<OpId>> pending_at_;  // by pick: Line::pending
  std::vector<bool> done_;      // by event: it has surely matched
  std::vector<bool> detected_;  // by receive: whose message it could have been
  std::unordered_map<OpId, std::vector<int>> waiters_;  // by operation: who waits for its issue
  std::vector<OpId> taken_;                             // by send: its receive + 1
  std::vector<Group> groups_;
  std::vector<int> ready_;
  bool forgets_ = true;
  bool any_tags_ = false;  // some receive takes messages of all tags
  Analysed out_;
};

}  // namespace

const Event* Analysed::find(EventId id) const {
  if (id.rank < 0 || static_cast<std::size_t>(id.rank) + 1 >= first.size()) return nullptr;
  const auto end = events.begin() + static_cast<std::ptrdiff_t>(first[id.rank + 1]);
  const auto picked = events.begin() + static_cast<std::ptrdiff_t>(picks[id.rank]);
  if (is_pick(id)) {
    const auto at = std::lower_bound(picked, end, id,
                                     [](const Event& e, EventId wanted) { return e.id < wanted; });
    return at != end && at->id == id ? &*at : nullptr;
  }
  const std::size_t at = first[id.rank] + static_cast<std::size_t>(id.number);
  return id.number >= 0 && at < picks[id.rank] ? &events[at] : nullptr;
}

bool Analysed::before(const Event& a, const Event& b) const {
  if (a.id == b.id) return false;
  if (protocol == Protocol::vector) return knows(b.past, a);
  return std::tuple(a.height, a.id) < std::tuple(b.height, b.id);
}

int Analysed::steered(const Event& at, const Alternative& other, EventId id) const {
  if (id == at.id) return other.source;
  const Event* e = find(id);
  if (e == nullptr || e->source < 0) return -1;
  if (!before(at, *e)) return e->source;
  return std::find(other.with.begin(), other.with.end(), id) != other.with.end() ? e->source : -1;
}

Decisions Analysed::steer(const Event& at, const Alternative& other) const {
  Decisions all;
  for (const Event& e : events) {
    const int source = steered(at, other, e.id);
    if (source < 0) continue;
    const auto of = members.find(e.comm);
    const int rank =
        of == members.end()
            ? source
            : static_cast<int>(std::find(of->second.begin(), of->second.end(), source) -
                               of->second.begin());
    all.push_back({e.id, source, rank});
  }
  return all;
}

Analysed analyse(const Observation& run, Protocol protocol, std::uint32_t without, Source source) {
  return Walk(run, protocol, without, source).go();
}

std::vector<std::uint32_t> irrelevant_barriers(const Observation& run) {
  const auto alternatives = [](const Analysed& all) {
    std::size_t sum = 0;
    for (const Event& e : all.events) sum += e.alternatives.size();
    return sum;
  };
  const std::size_t with = alternatives(analyse(run, Protocol::vector));
  std::vector<std::uint32_t> found;
  for (std::uint32_t g = 0; g < run.program.groups.size(); ++g)
    if (run.program.groups[g].kind == SyncKind::all &&
        alternatives(analyse(run, Protocol::vector, g)) == with)
      found.push_back(g);
  return found;
}

}  // namespace vouch::explore
