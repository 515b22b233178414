#include "agent/channel.h"

#include <cerrno>

#include <sys/socket.h>

namespace vouch {
namespace {

bool send_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0) {
      if (errno == EINTR) continue;
      return false;
    }
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

}  // namespace

bool send_command(int fd, const Command& command) {
  return send_all(fd, {reinterpret_cast<const char*>(&command), sizeof(command)});
}

bool send_line(int fd, LineKind kind, std::string_view json) {
  std::string line;
  line.reserve(json.size() + 2);
  line += static_cast<char>(kind);
  line += json;
  line += '\n';
  return send_all(fd, line);
}

std::optional<LineReader::Line> LineReader::next() {
  const std::size_t end = pending_.find('\n', searched_);
  if (end == std::string::npos) {
    searched_ = pending_.size();
    return std::nullopt;
  }
  searched_ = 0;
  std::string line = pending_.substr(0, end);
  pending_.erase(0, end + 1);
  if (line.empty()) return next();
  return Line{static_cast<LineKind>(line[0]), line.substr(1)};
}

}  // namespace vouch
