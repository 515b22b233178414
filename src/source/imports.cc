#include "source/imports.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <string_view>

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <unistd.h>

namespace vouch {
namespace {

constexpr std::string_view kFunctions[] = {
    // clocks
    "clock", "clock_gettime", "ftime", "getrusage", "gettimeofday", "omp_get_wtime",
    "omp_get_wtime_", "time", "times", "timespec_get",
    // sleeping
    "clock_nanosleep", "epoll_pwait", "epoll_wait", "nanosleep", "poll", "ppoll", "pselect",
    "pthread_cond_clockwait", "pthread_cond_timedwait", "select", "sem_timedwait", "sleep",
    "thrd_sleep", "usleep",
    // timers
    "alarm", "setitimer", "timer_create", "timerfd_create", "ualarm"};

// Parts of names that the runtimes of C++ and Fortran give to theirs.
constexpr std::string_view kOfRuntimes[] = {"chrono", "sleep"};
constexpr std::string_view kOfGfortran[] = {"clock", "time", "sleep", "secnd", "second", "alarm"};

bool has_one(std::string_view name, auto first, auto last) {
  return std::any_of(first, last, [&](std::string_view part) {
    return name.find(part) != std::string_view::npos;
  });
}

bool imports_time(Elf* elf, Elf_Scn* section, const GElf_Shdr& header) {
  Elf_Data* data = ::elf_getdata(section, nullptr);
  if (data == nullptr || header.sh_entsize == 0) return false;
  for (std::size_t i = 0; i < header.sh_size / header.sh_entsize; ++i) {
    GElf_Sym symbol;
    if (::gelf_getsym(data, static_cast<int>(i), &symbol) == nullptr) break;
    if (symbol.st_shndx != SHN_UNDEF) continue;
    const char* name = ::elf_strptr(elf, header.sh_link, symbol.st_name);
    if (name != nullptr && is_about_time(name)) return true;
  }
  return false;
}

}  // namespace

bool is_about_time(const std::string& function) {
  if (std::find(std::begin(kFunctions), std::end(kFunctions), function) != std::end(kFunctions))
    return true;
  if (function.starts_with("_gfortran_"))
    return has_one(function, std::begin(kOfGfortran), std::end(kOfGfortran));
  return function.starts_with("_Z") &&
         has_one(function, std::begin(kOfRuntimes), std::end(kOfRuntimes));
}

bool knows_time(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return true;
  ::elf_version(EV_CURRENT);
  bool known = false, found = false;
  {
    const std::unique_ptr<Elf, decltype(&elf_end)> elf(::elf_begin(fd, ELF_C_READ_MMAP, nullptr),
                                                       &elf_end);
    for (Elf_Scn* section = nullptr;
         elf != nullptr && (section = ::elf_nextscn(elf.get(), section)) != nullptr;) {
      GElf_Shdr header;
      if (::gelf_getshdr(section, &header) == nullptr || header.sh_type != SHT_DYNSYM) continue;
      known = true;
      found = found || imports_time(elf.get(), section, header);
    }
  }
  ::close(fd);
  return found || !known;
}

}  // namespace vouch
