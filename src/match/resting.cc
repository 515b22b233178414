#include "match/resting.h"

#include <iterator>
#include <utility>

#include "base/flat_map.h"

namespace vouch {
namespace {

// What a send may be marked with, each a bit of Kind::flags.
constexpr bool OperationFields::*kMarks[] = {
    &OperationFields::poisoned, &OperationFields::freed,    &OperationFields::incomplete,
    &OperationFields::blocking, &OperationFields::needless, &OperationFields::status_seen,
    &OperationFields::polled};

}  // namespace

std::size_t SendKinds::KindHash::operator()(const Kind& k) const {
  const std::uint64_t places = (std::uint64_t{k.site.value} << 32) | k.posted.value;
  const std::uint64_t rest = (static_cast<std::uint64_t>(k.proc) << 32) |
                             (static_cast<std::uint64_t>(k.thread) << 16) |
                             (static_cast<std::uint64_t>(k.mode) << 8) | k.flags;
  return scatter(scatter(places) ^ rest ^ reinterpret_cast<std::uintptr_t>(k.type));
}

SendKinds::Kind SendKinds::kind_of(const Operation& op) {
  Kind k;
  k.proc = op.proc;
  k.mode = op.mode;
  k.thread = op.thread;
  k.site = op.site;
  k.posted = op.posted;
  k.type = op.type;
  for (unsigned i = 0; i < std::size(kMarks); ++i)
    k.flags = static_cast<std::uint8_t>(k.flags | unsigned{op.*kMarks[i]} << i);
  return k;
}

std::uint32_t SendKinds::hold(const Operation& op) {
  const Kind kind = kind_of(op);
  if (latest_ != kUnknown && entries_[latest_].kind == kind) {
    ++entries_[latest_].holders;
    return latest_;
  }
  auto [found, is_new] = numbers_.try_emplace(kind);
  if (is_new) {
    if (unused_.empty()) {
      unused_.push_back(static_cast<std::uint32_t>(entries_.size()));
      entries_.emplace_back();
    }
    found->second = unused_.back();
    unused_.pop_back();
    entries_[found->second] = {kind, op.held(), 0};
  }
  latest_ = found->second;
  ++entries_[latest_].holders;
  return latest_;
}

void SendKinds::let_go(std::uint32_t kind) {
  if (kind == kUnknown || --entries_[kind].holders > 0) return;
  numbers_.erase(entries_[kind].kind);
  entries_[kind] = {};
  unused_.push_back(kind);
  if (latest_ == kind) latest_ = kUnknown;
}

void SendKinds::fill(Operation& op, std::uint32_t number) const {
  if (number == kUnknown) {
    op.poisoned = true;
    return;
  }
  const Entry& entry = entries_[number];
  const Kind& k = entry.kind;
  op.proc = k.proc;
  op.mode = k.mode;
  op.thread = k.thread;
  op.site = k.site;
  op.posted = k.posted;
  op.hold(entry.held);
  op.type = k.type;
  for (unsigned i = 0; i < std::size(kMarks); ++i) op.*kMarks[i] = (k.flags >> i & 1) != 0;
}

void Batch::prepend(RestingSend send) {
  if (first_ > 0) {
    sends_[--first_] = std::move(send);
  } else {
    sends_.insert(sends_.begin(), std::move(send));
  }
}

Batch::Taken Batch::take_first(SendKinds& kinds) {
  if (forgotten_.empty()) return {std::move(sends_[first_++]), false};
  Forgotten& g = forgotten_.front();
  RestingSend send;
  send.position = g.position++;
  send.count = g.count;
  send.kind = g.kind;
  if (--g.number > 0) {
    if (g.kind != SendKinds::kUnknown) kinds.hold(g.kind);
  } else {
    forgotten_.erase(forgotten_.begin());
  }
  return {std::move(send), true};
}

// Takes over the hold on its kind.
void Batch::forget(const Forgotten& g, SendKinds& kinds) {
  if (!forgotten_.empty()) {
    Forgotten& last = forgotten_.back();
    if (last.kind == g.kind && last.count == g.count) {
      last.number += g.number;
      return kinds.let_go(g.kind);
    }
    if (forgotten_.size() == kRuns) {
      kinds.let_go(last.kind);
      kinds.let_go(g.kind);
      last.kind = SendKinds::kUnknown;
      last.count = 0;
      last.number += g.number;
      return;
    }
  }
  forgotten_.push_back(g);
}

std::size_t Batch::forget(SendKinds& kinds) {
  const std::size_t number = resting();
  for (std::size_t i = first_; i < sends_.size(); ++i) {
    const RestingSend& send = sends_[i];
    forget({1, send.position, send.count, send.kind}, kinds);
  }
  sends_ = {};
  first_ = 0;
  return number;
}

void Batch::take_over(Batch& earlier, SendKinds& kinds) {
  std::vector<Forgotten> own = std::exchange(forgotten_, std::move(earlier.forgotten_));
  earlier.forgotten_.clear();
  for (const Forgotten& g : own) forget(g, kinds);
}

}  // namespace vouch
