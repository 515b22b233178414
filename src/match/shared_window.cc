#include "match/shared_window.h"

#include "model/effect.h"

namespace vouch {
namespace {

// Where memory is that no record told the address of: each such part for itself, where no program
// has any.
constexpr std::int64_t kNowhere = INT64_MIN / 2, kApart = std::int64_t{1} << 44;

}  // namespace

bool SharedWindows::sees(Proc proc) {
  const WindowDeed deed = window_call(proc).deed;
  return deed == WindowDeed::create || deed == WindowDeed::free;
}

const SharedWindows::Handle* SharedWindows::find(std::uint32_t process, std::uint64_t raw) const {
  if (process >= ranks_.size()) return nullptr;
  const auto found = ranks_[process].handles.find(raw);
  return found == ranks_[process].handles.end() ? nullptr : &found->second;
}

const std::unordered_map<std::uint64_t, SharedWindows::Handle>& SharedWindows::of(
    std::uint32_t process) const {
  static const std::unordered_map<std::uint64_t, Handle> kNone;
  return process < ranks_.size() ? ranks_[process].handles : kNone;
}

// The memory is known as soon as the constructor is entered, if it says where: another process may
// have returned from it, and use the window.
void SharedWindows::enter(const Process& process, const Call& call) {
  const WindowCall& c = window_call(call.proc());
  if (c.deed != WindowDeed::create) return;
  const Event enter = call.enter();
  const Communicator* comm = process.comms.find(enter.handle(c.comm));
  if (comm == nullptr || comm->poisoned || comm->inter() || comm->members == nullptr ||
      comm->id == 0 || process.stranger() || comm->leads_outside())
    return;
  const int place = comm->members->rank_of(process.rank).value;
  if (place < 0) return;
  Rank& mine = rank(process);
  Made& made = mine.made[comm->raw];
  if (made.generation != comm->generation) made = {comm->generation, 0};
  const std::uint64_t key = mix(mix(world_.inter_id(comm->id), comm->members->hash), made.count++);
  if (call.broken) return;  // counted all the same: it is a window to the others
  SharedWindowRef& shared = shared_[key];
  if (shared == nullptr) {
    shared = std::make_shared<SharedWindow>();
    shared->key = key;
    shared->comm = comm->id;
    shared->number = ++numbers_;
    shared->members = comm->members;
    shared->flavour = info(call.proc()).base;
    shared->apart = world_.apart(*comm);
  }
  mine.entered[call.seq()] = {shared, place};
  if (const Info* info = process.infos.find(enter.handle(c.info)); info != nullptr) {
    shared->contiguous = shared->contiguous && !info->noncontiguous;
    shared->orders_updates = shared->orders_updates && !info->unordered_updates;
    shared->one_operation = shared->one_operation || info->same_operation;
  }
  WindowMemory& memory = shared->memory[place];
  memory.known = true;
  memory.process = static_cast<std::uint32_t>(process.index);
  memory.dynamic = c.bytes < 0;
  memory.addressed = memory.dynamic || c.base >= 0;
  if (!memory.dynamic) {
    memory.bytes = enter.value(c.bytes);
    memory.unit = enter.value(c.unit);
  }
  if (c.base >= 0) memory.base = static_cast<std::int64_t>(enter.address(c.base));
  ++version_;
}

void SharedWindows::leave(const Process& process, const Call& call, const Event& leave) {
  const WindowCall& c = window_call(call.proc());
  Rank& mine = rank(process);
  const bool ok = leave.error_class() == 0;
  if (c.deed == WindowDeed::free) {
    const auto found = mine.handles.find(call.enter().handle(c.win));
    if (!ok || found == mine.handles.end()) return;
    const Window* now = process.windows.find(found->first);
    if (now != nullptr && now->born_during(call.seq())) return;
    const SharedWindowRef window = found->second.window;
    mine.handles.erase(found);
    if (window != nullptr) gone(window);
    return;
  }
  Handle handle;
  if (const auto entered = mine.entered.find(call.seq()); entered != mine.entered.end()) {
    handle = entered->second;
    mine.entered.erase(entered);
  }
  if (!ok) {
    if (handle.window != nullptr) gone(handle.window);
    return;
  }
  if (!leave.has_words()) return;
  if (handle.window != nullptr) {
    WindowMemory& memory = handle.window->memory[handle.rank];
    if (c.base_out >= 0) {
      memory.base = leave.result(c.base_out);
      // Nobody told: it is named by the window.
      if (memory.base == 0) memory.base = kNowhere + kApart * handle.window->number;
    }
    memory.addressed = true;
  }
  mine.handles[static_cast<std::uint64_t>(leave.result(c.win))] = handle;
  ++version_;
}

void SharedWindows::gone(const SharedWindowRef& window) {
  ++version_;
  if (++window->gone == window->members->size) shared_.erase(window->key);
}

}  // namespace vouch
