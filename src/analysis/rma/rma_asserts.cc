// Asserts of calls on windows, and what they rule out (asserts.h).

#include <fmt/format.h>

#include "act/window_act.h"
#include "analysis/rma/rma.h"

namespace vouch {
namespace {

Asserts::Says said(const WindowAct& act) {
  return {act.no_put, act.no_check, act.no_precede, act.no_succeed};
}

// MPI_NO_OP fetches only.
bool changes_target(const Process& process, const Event& enter, const WindowCall& c) {
  if (c.gets || (c.target_count >= 0 && enter.value(c.target_count) <= 0)) return false;
  return c.op < 0 || process.constant_of(Kind::op, enter.handle(c.op)) != Constant::no_op;
}

}  // namespace

void Rma::judge_asserts(const Process& process, const Call& call, const WindowCall& c, Handle& h) {
  // What is done on other nodes is not told here [W12].
  if (h.shared == nullptr || h.rank < 0 || h.shared->members->away || h.shared->members->unseen)
    return;
  Asserts& asserts = h.shared->asserts;
  const Asserts::Use now{process.rank, call.proc(), call.site()};
  Asserts::Found found;
  if (c.deed == WindowDeed::move) {
    const Event enter = call.enter();
    const auto target = static_cast<int>(enter.value(c.rank));
    if (call.poisoned || !changes_target(process, enter, c)) return;
    if (h.epochs.fenced()) asserts.put_fenced(target, h.fences, now, found);
    if (h.epochs.started()) asserts.put_started(h.rank, target, now, found);
  } else if (c.deed == WindowDeed::fence) {
    asserts.fence(h.shared->members->size, h.rank, h.fences, said(window_act(process, call)), now,
                  found);
  } else if (c.deed == WindowDeed::post || c.deed == WindowDeed::start) {
    const WindowAct act = window_act(process, call);
    std::vector<int> others;
    if (!ranks_in(*h.shared->members, act.group, others)) return asserts.give_up_groups();
    for (const int other : others) {
      if (c.deed == WindowDeed::post) asserts.post(h.rank, other, said(act), now, found);
      if (c.deed == WindowDeed::start) asserts.start(h.rank, other, said(act), now, found);
    }
  }
  tell(*h.shared, found, call.site());
}

void Rma::tell(Shared& shared, const Asserts::Found& found, Site site) {
  if (shared.asserts.forgot())
    not_checked(site, "asserts of one-sided calls", "too many epochs wait for another process");
  constexpr Rule kRule = Rule::rma_epoch_nested;
  for (const Asserts::Broken& b : found) {
    const Involved places[] = {{b.by.rank, b.by.site}, {b.other.rank, b.other.site}};
    const char* key = info(b.why).key;
    if (sink_.again({kRule, info(kRule).severity, places, key})) continue;
    sink_.report({.rule = kRule,
                  .severity = info(kRule).severity,
                  .message = fmt::format(fmt::runtime(b.text), b.other.rank.value),
                  .cause = key,
                  .places = {{b.by.rank, b.by.site, info(b.by.proc).name, {}},
                             {b.other.rank, b.other.site, info(b.other.proc).name, b.role}},
                  .why = b.why});
  }
}

}  // namespace vouch
