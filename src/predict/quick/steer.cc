#include "predict/quick/steer.h"

#include <algorithm>
#include <map>
#include <random>

namespace vouch::predict {
namespace {

// Messages of one source to one destination that wait to be received, and receives posted there.
struct Channel {
  std::vector<OpId> sent;  // unmatched, in order
};
struct Mailbox {
  int process = 0;
  std::vector<OpId> posted;             // unmatched, in order
  std::vector<std::uint32_t> channels;  // that lead here
};

class Run {
 public:
  Run(const Program& program, Buffering buffering, const Steering& steering)
      : program_(program),
        buffering_(buffering),
        steering_(steering),
        random_(steering.seed),
        at_(program.first.begin(), program.first.end() - 1),
        entered_(program.ops.size()),
        matched_(program.ops.size()),
        issued_at_(program.ops.size()),
        box_of_(program.ops.size()),
        channel_of_(program.ops.size()),
        inside_(program.groups.size()),
        queued_(at_.size(), true) {
    index();
    for (int p = program.processes() - 1; p >= 0; --p) ready_.push_back(p);
  }

  SteeredRun run() {
    do {
      while (!ready_.empty()) {
        const int p = ready_.back();
        ready_.pop_back();
        queued_[p] = false;
        advance(p);
      }
    } while (match_somewhere());
    result_.end = End::complete;
    for (int p = 0; p < program_.processes(); ++p)
      if (at_[p] != program_.first[p + 1]) result_.end = End::deadlock;
    return std::move(result_);
  }

 private:
  void index() {
    std::map<std::pair<int, int>, std::uint32_t> boxes;           // process, comm
    std::map<std::pair<int, std::uint32_t>, std::uint32_t> ways;  // source, box
    for (OpId id = 0; id < program_.ops.size(); ++id) {
      const auto& op = program_[id];
      const bool is_send = op.kind == OpKind::send;
      if (!is_send && op.kind != OpKind::receive && op.kind != OpKind::probe) continue;
      const int dest = is_send ? op.peer : op.process;
      const auto [box, new_box] = boxes.try_emplace({dest, op.comm}, boxes_.size());
      if (new_box) boxes_.push_back({dest, {}, {}});
      box_of_[id] = box->second;
      if (!is_send) continue;
      const auto [way, new_way] = ways.try_emplace({op.process, box->second}, channels_.size());
      if (new_way) {
        channels_.push_back({});
        boxes_[box->second].channels.push_back(way->second);
      }
      channel_of_[id] = way->second;
    }
    dirty_.assign(boxes_.size(), true);
  }

  void wake(int process) {
    if (queued_[process]) return;
    queued_[process] = true;
    ready_.push_back(process);
  }

  void record(Step::What what, OpId op, OpId send = kNoOp) {
    result_.schedule.push_back({what, op, send});
  }

  bool stays(const Operation& op) const {
    return op.blocking && (op.kind == OpKind::sync || rendezvous(op, buffering_));
  }

  bool complete(OpId id) const {
    const auto& op = program_[id];
    if (op.kind == OpKind::receive) return matched_[id];
    if (op.kind == OpKind::send) return matched_[id] || !rendezvous(op, buffering_);
    const auto& group = program_.groups[op.group];
    if (inside_[op.group] == group.members.size()) return true;
    if (group.kind == SyncKind::all || buffering_ == Buffering::zero) return false;
    const auto me = std::find(group.members.begin(), group.members.end(), op.process);
    const auto needed = needs(group, me - group.members.begin(), buffering_);
    return std::all_of(needed.begin(), needed.end(), [&](std::size_t other) {
      return group.ops[other] != kNoOp && entered_[group.ops[other]];
    });
  }

  void issue(OpId id) {
    const auto& op = program_[id];
    entered_[id] = true;
    record(Step::What::issue, id);
    if (op.kind == OpKind::sync) {
      ++inside_[op.group];
      for (int member : program_.groups[op.group].members)
        if (member != op.process) wake(member);
      return;
    }
    dirty_[box_of_[id]] = true;
    if (op.kind == OpKind::receive) {
      boxes_[box_of_[id]].posted.push_back(id);
      return;
    }
    issued_at_[id] = ++clock_;
    channels_[channel_of_[id]].sent.push_back(id);
    wake(op.peer);  // it may stand at a probe
  }

  void advance(int p) {
    for (auto& at = at_[p]; at != program_.first[p + 1]; ++at) {
      const auto& op = program_[at];
      switch (op.kind) {
        case OpKind::send:
        case OpKind::receive:
        case OpKind::sync:
          if (!entered_[at]) issue(at);
          if (op.kind == OpKind::receive || !stays(op)) break;
          if (!complete(at)) return;
          record(Step::What::pass, at);
          break;
        case OpKind::wait:
          if (!std::all_of(op.completes.begin(), op.completes.end(),
                           [&](OpId done) { return complete(done); }))
            return;
          record(Step::What::pass, at);
          break;
        case OpKind::probe:
          if (!probe(at)) return;
          record(Step::What::pass, at);
          break;
        case OpKind::assume:
        case OpKind::assertion:
          break;
      }
    }
  }

  // The first message of the channel that the receive accepts.
  OpId first_for(const Operation& receive, const Channel& channel) const {
    for (OpId s : channel.sent)
      if (accepts(receive, program_[s])) return s;
    return kNoOp;
  }

  bool probe(OpId id) const {
    const auto& box = boxes_[box_of_[id]];
    for (auto channel : box.channels) {
      const OpId s = first_for(program_[id], channels_[channel]);
      const bool reserved =
          s != kNoOp && std::any_of(box.posted.begin(), box.posted.end(),
                                    [&](OpId r) { return accepts(program_[r], program_[s]); });
      if (s != kNoOp && !reserved) return true;
    }
    return false;
  }

  bool match_somewhere() {
    const OpId about = steering_.starve != kNoOp ? steering_.starve : steering_.leave;
    const auto last = about == kNoOp ? boxes_.size() : std::size_t{box_of_[about]};
    for (std::size_t box = 0; box < boxes_.size(); ++box)
      if (box != last && dirty_[box] && match_in(box)) return true;
    return last < boxes_.size() && dirty_[last] && match_in(last);
  }

  // The first posted receive that can have a message takes one. Those before it accept none that
  // is there, so it has the right to it.
  bool match_in(std::size_t box) {
    auto& posted = boxes_[box].posted;
    for (std::size_t i = 0; i < posted.size(); ++i) {
      const OpId s = choose(posted[i], boxes_[box]);
      if (s == kNoOp) continue;
      take(posted[i], s);
      return true;
    }
    dirty_[box] = false;
    return false;
  }

  void take(OpId r, OpId s) {
    std::erase(boxes_[box_of_[r]].posted, r);
    std::erase(channels_[channel_of_[s]].sent, s);
    matched_[r] = matched_[s] = true;
    record(Step::What::match, r, s);
    wake(program_[r].process);
    wake(program_[s].process);
  }

  // What the receive could take now.
  void collect(OpId receive, const Mailbox& box) {
    options_.clear();
    for (auto channel : box.channels) {
      const OpId s = first_for(program_[receive], channels_[channel]);
      if (s != kNoOp) options_.push_back(s);
    }
    result_.chose |= options_.size() > 1;
    if (options_.size() > 1) std::erase(options_, steering_.leave);
  }

  OpId choose(OpId receive, const Mailbox& box) {
    collect(receive, box);
    const std::vector<OpId>& options = options_;
    if (options.empty()) return kNoOp;
    const OpId starve = steering_.starve;
    if (starve != kNoOp && receive != starve) {
      const auto wanted = std::find_if(options.begin(), options.end(), [&](OpId s) {
        return accepts(program_[starve], program_[s]);
      });
      if (wanted != options.end()) return *wanted;
    }
    if (steering_.seed != 0) return options[random_() % options.size()];
    return *std::min_element(options.begin(), options.end(),
                             [&](OpId a, OpId b) { return issued_at_[a] < issued_at_[b]; });
  }

  const Program& program_;
  const Buffering buffering_;
  const Steering steering_;
  std::mt19937_64 random_;
  std::vector<OpId> at_;       // by process
  std::vector<bool> entered_;  // by operation
  std::vector<bool> matched_;  // by operation
  std::vector<std::uint32_t> issued_at_;
  std::vector<std::uint32_t> box_of_, channel_of_;  // by operation
  std::vector<std::size_t> inside_;                 // by group
  std::vector<bool> queued_;                        // by process: in ready_
  std::vector<int> ready_;
  std::vector<Mailbox> boxes_;
  std::vector<Channel> channels_;
  std::vector<bool> dirty_;  // by mailbox: something came since nothing fitted
  std::vector<OpId> options_;
  std::uint32_t clock_ = 0;
  SteeredRun result_;
};

}  // namespace

SteeredRun steer(const Program& program, Buffering buffering, const Steering& steering) {
  return Run(program, buffering, steering).run();
}

}  // namespace vouch::predict
