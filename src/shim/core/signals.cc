#include "shim/core/signals.h"

#include <signal.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

#include "shim/core/call.h"
#include "shim/core/meta.h"
#include "shim/core/sites.h"

namespace vouch::shim {

namespace {

constexpr int kSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
struct sigaction previous[NSIG];

bool is_default(const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) == 0 && action.sa_handler == SIG_DFL;
}

// Nobody will resume after this handler: the default, or the MPI library's own, which prints and
// dies.
bool is_deadly(const struct sigaction& action) {
  if (is_default(action)) return true;
  Place place;
  return known_place_of(reinterpret_cast<const void*>(action.sa_sigaction), place) &&
         place.caller == Caller::library;
}

void record(Thread& t, int signal, const siginfo_t* info, void* context) {
  note_end();
  const bool busy = (t.inside & 1) != 0;
  if (busy) {
    // A record is half written. If the process may go on, it must be left to be finished; else its
    // memory is ours, and the words of a call whose arrays could not be read are worth more than
    // nothing.
    if (!is_deadly(previous[signal])) return;
    t.ring.resync();
    if (t.filling != 0) {
      wire::RecordHeader* torn = t.ring.reserve(sizeof(wire::RecordHeader) + t.filling * 8);
      if (torn == nullptr) return;
      torn->seq = take_seq();
      t.ring.header().entered.store(torn->seq, std::memory_order_relaxed);
      t.ring.publish(sizeof(wire::RecordHeader) + t.filling * 8);
      t.filling = 0;
    }
  }
  Busy mark(t);
  std::uint64_t pc = 0;
#ifdef __x86_64__
  if (context != nullptr)
    pc = static_cast<std::uint64_t>(static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
#endif
  Place place{UINT32_MAX, pc, Caller::user, false};
  known_place_of(reinterpret_cast<const void*>(pc), place);
  const std::uint64_t words[] = {
      static_cast<std::uint64_t>(signal),
      info != nullptr ? reinterpret_cast<std::uint64_t>(info->si_addr) : 0, pc, place.module,
      place.offset};
  write_meta(t, wire::Meta::signal, words, 5);
}

void hand_on(int signal, siginfo_t* info, void* context) {
  const struct sigaction action = previous[signal];
  if ((action.sa_flags & SA_RESETHAND) != 0 || is_default(action)) {
    struct sigaction plain {};
    plain.sa_handler = SIG_DFL;
    ::sigaction(signal, &plain, nullptr);
  }
  if (is_default(action)) {
    // A fault comes again when we return; what was sent by somebody is sent again, with the same
    // sender.
    const bool sent = info == nullptr || info->si_code <= 0;
    if (sent && signal != SIGABRT)
      ::syscall(SYS_rt_tgsigqueueinfo, ::getpid(), ::syscall(SYS_gettid), signal, info);
    if (sent && signal == SIGABRT) ::syscall(SYS_tgkill, ::getpid(), ::syscall(SYS_gettid), signal);
    return;
  }
  if ((action.sa_flags & SA_SIGINFO) != 0) {
    action.sa_sigaction(signal, info, context);
  } else if (action.sa_handler != SIG_IGN) {
    action.sa_handler(signal);
  }
}

void on_signal(int signal, siginfo_t* info, void* context) {
  const int error = errno;
  auto* t = static_cast<Thread*>(vouch_tls.thread);
  if (t != nullptr && recording() && ::getpid() == process.pid) record(*t, signal, info, context);
  errno = error;
  hand_on(signal, info, context);
}

}  // namespace

void chain_signals() {
  static bool done;
  if (done) return;
  done = true;
  for (int signal : kSignals) {
    struct sigaction now;
    if (::sigaction(signal, nullptr, &now) != 0) continue;
    if ((now.sa_flags & SA_SIGINFO) == 0 && now.sa_handler == SIG_IGN) continue;
    previous[signal] = now;
    Place place;
    auto* t = static_cast<Thread*>(vouch_tls.thread);
    if (!is_default(now) && t != nullptr) {
      Busy busy(*t);
      place_of(*t, reinterpret_cast<const void*>(now.sa_sigaction), place);
    }
    struct sigaction ours {};
    ours.sa_sigaction = on_signal;
    ours.sa_mask = now.sa_mask;
    ours.sa_flags = SA_SIGINFO | SA_ONSTACK | (now.sa_flags & (SA_NODEFER | SA_RESTART));
    ::sigaction(signal, &ours, nullptr);
  }
}

}  // namespace vouch::shim
