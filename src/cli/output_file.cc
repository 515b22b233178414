#include "cli/output_file.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace vouch {

Result<OutputFile> OutputFile::open(const char* what, const std::string& path) {
  OutputFile file(what, path);
  if (path.empty()) return file;
  file.fd_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (file.fd_ < 0) return Error{fmt::format("cannot write to {}: {}", path, std::strerror(errno))};
  return file;
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : what_(other.what_), path_(std::move(other.path_)), fd_(std::exchange(other.fd_, -1)) {}

OutputFile::~OutputFile() {
  if (fd_ >= 0) ::close(fd_);
}

std::string OutputFile::write(const std::string& text) {
  if (fd_ < 0) return "";
  struct stat info;
  const bool regular = ::fstat(fd_, &info) == 0 && S_ISREG(info.st_mode);
  int why = regular && ::ftruncate(fd_, 0) != 0 ? errno : 0;
  for (std::size_t at = 0; at < text.size() && why == 0;) {
    const ssize_t put = ::write(fd_, text.data() + at, text.size() - at);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) why = errno;
    if (put > 0) at += static_cast<std::size_t>(put);
  }
  if (::close(std::exchange(fd_, -1)) != 0 && why == 0) why = errno;
  return why == 0
             ? ""
             : fmt::format("{} could not be written to {}: {}", what_, path_, std::strerror(why));
}

}  // namespace vouch
