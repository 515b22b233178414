#include "base/read_file.h"

#include <fstream>

namespace vouch {
namespace {
constexpr std::size_t kLargest = std::size_t{256} << 20;
}

std::optional<std::string> read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return std::nullopt;
  std::string text;
  char part[4096];
  while (text.size() <= kLargest && (in.read(part, sizeof(part)), in.gcount() > 0))
    text.append(part, static_cast<std::size_t>(in.gcount()));
  if (in.bad() || text.size() > kLargest) return std::nullopt;
  return text;
}

}  // namespace vouch
