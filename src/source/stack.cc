#include "source/stack.h"

#include <memory>
#include <string_view>

#include <elfutils/libdwfl.h>

namespace vouch {
namespace {

constexpr std::size_t kFrames = 64, kThreads = 16;

using Stacks = std::vector<std::vector<StackFrame>>;

// Lines are looked up later, by the site table: this needs no debug information.
int no_debug_information(Dwfl_Module*, void**, const char*, Dwarf_Addr, const char*, const char*,
                         GElf_Word, char**) {
  return -1;
}

using Modules = std::unique_ptr<Dwfl, decltype(&dwfl_end)>;

Modules modules_of(int pid) {
  static const Dwfl_Callbacks callbacks = {.find_elf = dwfl_linux_proc_find_elf,
                                           .find_debuginfo = no_debug_information,
                                           .section_address = nullptr,
                                           .debuginfo_path = nullptr};
  Modules dwfl(dwfl_begin(&callbacks), &dwfl_end);
  if (dwfl != nullptr && (dwfl_linux_proc_report(dwfl.get(), pid) != 0 ||
                          dwfl_report_end(dwfl.get(), nullptr, nullptr) != 0))
    dwfl.reset();
  return dwfl;
}

// `within`: an address in the module of `address`. Nothing: in none.
StackFrame frame_in(Dwfl* dwfl, Dwarf_Addr address, Dwarf_Addr within) {
  Dwfl_Module* module = dwfl_addrmodule(dwfl, within);
  GElf_Addr bias = 0;
  if (module == nullptr || dwfl_module_getelf(module, &bias) == nullptr) return {};
  const char* file = nullptr;
  const char* name =
      dwfl_module_info(module, nullptr, nullptr, nullptr, nullptr, nullptr, &file, nullptr);
  return {file != nullptr ? file : name != nullptr ? name : "", address - bias, {}};
}

bool starts_module(const StackFrame& frame, std::string_view start) {
  return std::string_view(frame.module).substr(frame.module.rfind('/') + 1).starts_with(start);
}

bool in_libc(const StackFrame& frame) {
  return starts_module(frame, "libc.so") || starts_module(frame, "libc-");
}

bool has_locks(const StackFrame& frame) {
  return in_libc(frame) || starts_module(frame, "libpthread") ||
         starts_module(frame, "libstdc++") || starts_module(frame, "libgomp") ||
         starts_module(frame, "libomp");
}

std::string function_at(Dwfl* dwfl, Dwarf_Addr address) {
  Dwfl_Module* module = dwfl_addrmodule(dwfl, address);
  const char* name = module == nullptr ? nullptr : dwfl_module_addrname(module, address);
  if (name == nullptr) return {};
  const std::string_view all(name);
  const std::size_t first = all.find_first_not_of('_');
  return std::string(first == std::string_view::npos ? all : all.substr(first));
}

int add_frame(Dwfl_Frame* state, void* data) {
  auto& frames = *static_cast<std::vector<StackFrame>*>(data);
  Dwarf_Addr pc = 0;
  bool activation = false;
  if (!dwfl_frame_pc(state, &pc, &activation)) return DWARF_CB_ABORT;
  Dwfl* dwfl = dwfl_thread_dwfl(dwfl_frame_thread(state));
  // A return address may be the first one after its function.
  StackFrame frame = frame_in(dwfl, pc, activation ? pc : pc - 1);
  if (frame.module.empty() && frame.offset == 0) return DWARF_CB_OK;
  if (has_locks(frame)) frame.function = function_at(dwfl, activation ? pc : pc - 1);
  frames.push_back(std::move(frame));
  return frames.size() < kFrames ? DWARF_CB_OK : DWARF_CB_ABORT;
}

// What calls main, or the function of a thread.
void drop_start(std::vector<StackFrame>& frames) {
  if (frames.size() > 1 && in_libc(frames[frames.size() - 2])) frames.pop_back();
  while (!frames.empty() && in_libc(frames.back())) frames.pop_back();
}

int add_thread(Dwfl_Thread* thread, void* data) {
  auto& stacks = *static_cast<Stacks*>(data);
  std::vector<StackFrame>& frames = stacks.emplace_back();
  dwfl_thread_getframes(thread, add_frame, &frames);  // what it found is kept
  drop_start(frames);
  return stacks.size() < kThreads ? DWARF_CB_OK : DWARF_CB_ABORT;
}

}  // namespace

StackFrame frame_at(int pid, std::uint64_t address) {
  const Modules dwfl = modules_of(pid);
  return dwfl == nullptr ? StackFrame{} : frame_in(dwfl.get(), address, address - 1);
}

Stacks stacks_of(int pid) {
  Stacks stacks;
  const Modules dwfl = modules_of(pid);
  if (dwfl == nullptr || dwfl_linux_proc_attach(dwfl.get(), pid, false) != 0) return stacks;
  dwfl_getthreads(dwfl.get(), add_thread, &stacks);
  return stacks;
}

}  // namespace vouch
