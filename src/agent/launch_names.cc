#include "agent/launch_names.h"

#include <charconv>
#include <fstream>
#include <iterator>
#include <string>

#include "base/hash.h"

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

// 0: there is no name.
std::uint64_t number_of(std::string_view name) { return name.empty() ? 0 : hash_of(name) | 1; }

}  // namespace

LaunchNames launch_names(std::string_view environment) {
  LaunchNames names;
  const std::string_view world = value_of(environment, "PMIX_NAMESPACE");
  const std::string_view rank = value_of(environment, "PMIX_RANK");
  const std::string_view port = value_of(environment, "OMPI_PARENT_PORT");
  names.size = number(value_of(environment, "OMPI_COMM_WORLD_SIZE"), 0);
  names.rank = number(rank, -1);
  names.world = number_of(world);
  if (!world.empty() && names.rank >= 0)
    names.process = number_of(std::string(world) + '.' + std::to_string(names.rank));
  if (const auto colon = port.rfind(':'); colon != std::string_view::npos)
    names.parent = number_of(port.substr(0, colon));
  return names;
}

LaunchNames launch_names_of(int pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/environ", std::ios::binary);
  return launch_names(std::string(std::istreambuf_iterator<char>(file), {}));
}

}  // namespace vouch
