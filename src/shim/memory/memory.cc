#include "shim/memory/memory.h"

#include <dlfcn.h>
#include <sys/mman.h>

#include <cstring>
#include <iterator>

#include "shim/core/call.h"
#include "shim/core/meta.h"
#include "shim/core/sites.h"
#include "shim/heap/heap.h"

namespace vouch::shim {

namespace {

bool checking;
HeapFind heap_find;
Sends sends;

constexpr std::uint64_t kGlobals = 1024;
std::atomic<std::uint64_t> told_globals[kGlobals];  // addresses, by a hash

bool is_memory(const void* p) {
  const std::uint64_t address = buffer_address(p);
  return address != 0 && address < wire::kBufferAutomatic;
}

bool lies_in(const void* code, const char* library) {
  Dl_info info;
  return dladdr(code, &info) != 0 && info.dli_fname != nullptr &&
         std::strstr(info.dli_fname, library) != nullptr;
}

void on_freed(const HeapBlock& block, const void* caller) {
  if (!recording()) return;
  sends.forget_memory(block.address, block.bytes);
  Thread* t = this_thread();
  if (t == nullptr || (t->inside & 1) != 0) return;
  Busy busy(*t);
  const std::uint64_t words[] = {block.address, block.bytes, find_site(*t, caller).number()};
  write_meta(*t, wire::Meta::freed, words, 3);
}

void tell_block(Thread& t, const void* p) {
  HeapBlock block;
  const HeapAnswer answer = heap_find == nullptr ? HeapAnswer::unknown : heap_find(p, &block);
  if (answer == HeapAnswer::again) return;
  if (answer == HeapAnswer::first) {
    // gfortran's library packs a section of an array for a call.
    const auto kind =
        lies_in(block.caller, "libgfortran") ? wire::BlockKind::copy : wire::BlockKind::heap;
    // Who called operator new is not known.
    const bool told = !lies_in(block.caller, "libstdc++");
    const std::uint64_t words[] = {block.address, block.bytes, static_cast<std::uint64_t>(kind),
                                   told ? find_site(t, block.caller).number() : 0};
    write_meta(t, wire::Meta::block, words, 4);
    return;
  }
  const std::uint64_t at = address(p);
  Place place;
  if (!known_place_of(p, place)) return;
  auto& told = told_globals[(at * 0x9e3779b97f4a7c15u) >> 54];
  if (told.exchange(at, std::memory_order_relaxed) == at) return;
  const std::uint64_t words[] = {at, place.module,
                                 static_cast<std::uint64_t>(wire::BlockKind::global), place.offset};
  write_meta(t, wire::Meta::block, words, 4);
}

void tell_modified(Thread& t, const Sent& sent) {
  const std::uint64_t words[] = {static_cast<std::uint64_t>(sent.proc), sent.site, sent.param,
                                 sent.data.bytes};
  write_meta(t, wire::Meta::modified, words, 4);
}

// Named types whose values are told, and their bytes. Nothing is asked about a handle of the user.
struct ValueType {
  std::uint64_t raw;
  std::uint64_t bytes;
};
ValueType value_types[40];
std::uint32_t value_type_count;
bool digesting;

void find_value_types() {
  const auto add = [](MPI_Datatype type, std::uint64_t bytes) {
    if (raw(type) != 0 && raw(type) != raw(known.datatype_null) &&
        value_type_count < std::size(value_types))
      value_types[value_type_count++] = {raw(type), bytes};
  };
  for (const MPI_Datatype type : {MPI_INT, MPI_UNSIGNED, MPI_INT32_T, MPI_UINT32_T, MPI_INTEGER,
                                  MPI_FLOAT, MPI_REAL, MPI_LOGICAL})
    add(type, 4);
  for (const MPI_Datatype type :
       {MPI_LONG, MPI_UNSIGNED_LONG, MPI_LONG_LONG, MPI_UNSIGNED_LONG_LONG, MPI_INT64_T,
        MPI_UINT64_T, MPI_DOUBLE, MPI_DOUBLE_PRECISION, MPI_AINT, MPI_COUNT, MPI_OFFSET})
    add(type, 8);
  for (const MPI_Datatype type : {MPI_SHORT, MPI_UNSIGNED_SHORT, MPI_INT16_T, MPI_UINT16_T})
    add(type, 2);
  for (const MPI_Datatype type : {MPI_CHAR, MPI_SIGNED_CHAR, MPI_UNSIGNED_CHAR, MPI_INT8_T,
                                  MPI_UINT8_T, MPI_BYTE, MPI_C_BOOL, MPI_CHARACTER})
    add(type, 1);
}

std::uint64_t value_bytes(MPI_Datatype type) {
  for (std::uint32_t i = 0; i < value_type_count; ++i)
    if (value_types[i].raw == raw(type)) return value_types[i].bytes;
  return 0;
}

}  // namespace

void start_checks(bool checks, const char* values) {
  checking = checks;
  if (values != nullptr) find_value_types();
  digesting = values != nullptr && values[0] == '2';
  if (!checks) return;
  heap_find = reinterpret_cast<HeapFind>(::dlsym(RTLD_DEFAULT, kHeapFind));
  const auto watch = reinterpret_cast<HeapWatch>(::dlsym(RTLD_DEFAULT, kHeapWatch));
  if (watch != nullptr) watch(on_freed);
}

Checked::Checked(Proc proc, const void* caller) : thread_(this_thread()), proc_(proc) {
  if (thread_ == nullptr || (thread_->inside & 1) != 0) return;
  Busy busy(*thread_);
  const SiteEntry site = find_site(*thread_, caller);
  user_ = site.caller() == Caller::glue
              ? vouch_tls.proc == static_cast<std::uint32_t>(proc)
              : site.caller() != Caller::library && site.caller() != Caller::callback;
  fortran_ = site.caller() == Caller::glue;
  thread_->checked = user_ ? proc : Proc::none;
  thread_->checked_caller = caller;
}

bool Checked::done(int rc) {
  if (thread_ != nullptr) thread_->checked = Proc::none;
  return user_ && recording() && rc == MPI_SUCCESS;
}

void Checked::uses(const void* buffer) {
  if (!checking || !user_ || !is_memory(buffer)) return;
  Busy busy(*thread_);
  tell_block(*thread_, buffer);
}

void Checked::pending(const MPI_Request* request, int param, const void* buffer, std::int64_t count,
                      MPI_Datatype type) {
  if (!checking || request == nullptr || !is_memory(buffer)) return;
  sends.add({raw(*request), address(request), proc_, thread_->last_site,
             static_cast<std::uint32_t>(param), false},
            buffer, count, type, true);
}

void Checked::will_read(const MPI_Request* request, int param, const void* buffer,
                        std::int64_t count, MPI_Datatype type) {
  if (!checking || request == nullptr || buffer_address(buffer) >= wire::kBufferAutomatic) return;
  sends.add({raw(*request), address(request), proc_, thread_->last_site,
             static_cast<std::uint32_t>(param), true},
            buffer, count, type, false);
}

void Checked::sent(const void* buffer, std::int64_t count, MPI_Datatype type) {
  const std::uint64_t element = value_bytes(type);
  if ((element == 0 && !digesting) || count <= 0 || !is_memory(buffer)) return;
  const std::uint64_t most = element == 0 ? 0 : wire::kValueBytes / element;
  const std::uint64_t bytes =
      element *
      (static_cast<std::uint64_t>(count) < most ? static_cast<std::uint64_t>(count) : most);
  Busy busy(*thread_);
  std::uint64_t digest = 0;
  const bool digested = digesting && digest_of(buffer, count, type, digest);
  const Text texts[] = {{static_cast<const char*>(buffer), bytes},
                        {reinterpret_cast<const char*>(&digest), sizeof(digest)}};
  write_meta(*thread_, wire::Meta::value, nullptr, 0, texts, digested ? 2 : 1);
}

void Checked::capture(const MPI_Request* requests, std::int64_t count) {
  if (!user_ || requests == nullptr || count <= 0 || (sends.empty() && !accesses_seen())) return;
  const auto wanted = static_cast<std::uint64_t>(count);
  slots_ = wanted <= std::size(few_)
               ? few_
               : static_cast<RequestSlot*>(pages(wanted * sizeof(RequestSlot)));
  if (slots_ == nullptr) return;
  count_ = wanted;
  for (std::uint64_t i = 0; i < count_; ++i) slots_[i] = {raw(requests[i]), address(&requests[i])};
}

void Checked::release() {
  if (slots_ != nullptr && slots_ != few_) ::munmap(slots_, count_ * sizeof(RequestSlot));
  slots_ = nullptr;
  count_ = 0;
}

void Checked::completes(const MPI_Request* requests, std::int64_t count) {
  capture(requests, count);
}

void Checked::starts(const MPI_Request* requests, std::int64_t count) {
  capture(requests, count);
  for (std::uint64_t i = 0; i < count_; ++i) {
    const void* buffers[4];
    const int n = sends.buffers(slots_[i].handle, buffers);
    for (int k = 0; k < n; ++k) uses(buffers[k]);
  }
}

void Checked::started() {
  for (std::uint64_t i = 0; i < count_; ++i) {
    sends.start(slots_[i].handle, thread_->last_site);
    if (accesses_seen()) Watching()->start(slots_[i].handle);
  }
  release();
}

void Checked::completed() {
  if (slots_ == nullptr) return;
  std::uint64_t complete = 0;
  for (std::uint64_t i = 0; i < count_; ++i) {
    if (!sends.has(slots_[i].handle) &&
        !(accesses_seen() && Watching()->has_request(slots_[i].handle)))
      continue;
    const auto now = *reinterpret_cast<const MPI_Request*>(slots_[i].where);
    // A persistent one keeps its handle; the library knows its state.
    int flag = raw(now) != slots_[i].handle ? 1 : 0;
    if (flag == 0) real.request_get_status(now, &flag, MPI_STATUS_IGNORE);
    if (flag != 0) slots_[complete++] = slots_[i];
  }
  Busy busy(*thread_);
  sends.complete(slots_, complete, tell_modified, *thread_);
  if (accesses_seen() && complete != 0) {
    Watching watching;
    for (std::uint64_t i = 0; i < complete; ++i)
      watching->complete(slots_[i].handle, slots_[i].where);
  }
  release();
}

void Checked::forgotten() {
  for (std::uint64_t i = 0; i < count_; ++i) {
    sends.forget(slots_[i].handle);
    if (accesses_seen()) Watching()->forget(slots_[i].handle);
  }
  release();
}

void Checked::holds(const MPI_Request* request, const Hull& hull, bool persistent) {
  if (request == nullptr || hull.low == hull.high) return;
  Watching()->hold(raw(*request), address(request), hull.low, hull.high, persistent);
}

void Checked::holds(MPI_Win window, int target, const Hull& hull) {
  if (hull.low == hull.high || target == MPI_PROC_NULL) return;
  Watching()->use(raw(window), number(target), hull.low, hull.high);
}

void Checked::released(MPI_Win window, int target) {
  Watching()->complete_uses(raw(window), target < 0 ? WatchedMemory::kAllTargets : number(target));
}

void Checked::exposed(MPI_Win window, const void* base, std::int64_t bytes) {
  if (base == nullptr || bytes <= 0) return;
  Watching()->expose(raw(window), address(base), address(base) + number(bytes));
}

// What all its processes have, as this one sees it.
void Checked::exposed_shared(MPI_Win window) {
  MPI_Group group;
  int size = 0;
  if (real.win_get_group(window, &group) != MPI_SUCCESS) return;
  real.group_size(group, &size);
  real.group_free(&group);
  for (int rank = 0; rank < size; ++rank) {
    MPI_Aint bytes = 0;
    int unit = 0;
    void* base = nullptr;
    if (real.win_shared_query(window, rank, &bytes, &unit, &base) != MPI_SUCCESS) continue;
    if (bytes <= 0 || base == nullptr) continue;
    exposed(window, base, bytes);
    Busy busy(*thread_);
    const std::uint64_t words[] = {raw(window), number(rank), address(base), number(bytes)};
    write_meta(*thread_, wire::Meta::exposed, words, 4);
  }
}

void Checked::detached(MPI_Win window, const void* base) {
  Watching()->detach(raw(window), address(base));
}

void Checked::window_gone(std::uint64_t window) { Watching()->free_window(window); }

}  // namespace vouch::shim
