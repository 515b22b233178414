#include "run/surroundings.h"

#include <csignal>
#include <filesystem>

#include <fcntl.h>
#include <sys/auxv.h>
#include <unistd.h>

namespace vouch {
namespace {

bool closed[3];
bool file_size_kills = false;

}  // namespace

void settle_in() {
  for (int fd = 0; fd < 3; ++fd) {
    closed[fd] = ::fcntl(fd, F_GETFD) < 0;
    // The lowest free number is this one.
    if (closed[fd] && ::open("/dev/null", O_RDWR | O_CLOEXEC) < 0)
      (void)!::open("/", O_PATH | O_CLOEXEC);
  }
  struct sigaction before {};
  file_size_kills = ::sigaction(SIGXFSZ, nullptr, &before) == 0 && before.sa_handler == SIG_DFL;
  if (file_size_kills) std::signal(SIGXFSZ, SIG_IGN);
}

void keep_standard_descriptors() {
  for (int fd = 0; fd < 3; ++fd) {
    if (closed[fd]) ::fcntl(fd, F_SETFD, 0);
  }
}

void give_back_signals() {
  if (file_size_kills) std::signal(SIGXFSZ, SIG_DFL);
}

std::string own_path() {
  namespace fs = std::filesystem;
  std::error_code none;
  if (fs::path self = fs::read_symlink("/proc/self/exe", none); !self.empty()) return self.string();
  // As it was given to execve(), from the folder we were started in.
  const auto* name = reinterpret_cast<const char*>(::getauxval(AT_EXECFN));
  return name != nullptr ? fs::canonical(name, none).string() : "";
}

}  // namespace vouch
