#include "agent/launch_names.h"

#include <charconv>
#include <fstream>
#include <iterator>
#include <string>

namespace vouch {
namespace {

std::string_view value_of(std::string_view environment, std::string_view name) {
  while (!environment.empty()) {
    const std::string_view entry = environment.substr(0, environment.find('\0'));
    if (entry.size() > name.size() && entry.starts_with(name) && entry[name.size()] == '=')
      return entry.substr(name.size() + 1);
    environment.remove_prefix(std::min(entry.size() + 1, environment.size()));
  }
  return {};
}

int number(std::string_view text, int otherwise) {
  int value = otherwise;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), value);
  return end.ec == std::errc() && end.ptr == text.data() + text.size() ? value : otherwise;
}

std::uint64_t hash_of(std::string_view text) {
  if (text.empty()) return 0;
  std::uint64_t h = 0xcbf29ce484222325u;
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return h | 1;
}

}  // namespace

LaunchNames launch_names(std::string_view environment) {
  LaunchNames names;
  const std::string_view world = value_of(environment, "PMIX_NAMESPACE");
  const std::string_view rank = value_of(environment, "PMIX_RANK");
  const std::string_view port = value_of(environment, "OMPI_PARENT_PORT");
  names.size = number(value_of(environment, "OMPI_COMM_WORLD_SIZE"), 0);
  names.rank = number(rank, -1);
  names.world = hash_of(world);
  if (!world.empty() && names.rank >= 0)
    names.process = hash_of(std::string(world) + '.' + std::to_string(names.rank));
  if (const auto colon = port.rfind(':'); colon != std::string_view::npos)
    names.parent = hash_of(port.substr(0, colon));
  return names;
}

LaunchNames launch_names_of(int pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/environ", std::ios::binary);
  return launch_names(std::string(std::istreambuf_iterator<char>(file), {}));
}

}  // namespace vouch
