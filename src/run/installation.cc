#include "run/installation.h"

#include <filesystem>

#include "run/surroundings.h"

namespace vouch {

namespace fs = std::filesystem;

std::string find_shim() {
  std::error_code none;
  const fs::path self = own_path();
  const fs::path prefix = self.parent_path().parent_path();
  for (const fs::path& candidate :
       {prefix / "lib" / "libvouch.so", prefix / VOUCH_LIBDIR / "vouch" / "libvouch.so",
        prefix / VOUCH_LIBDIR / "libvouch.so", prefix / "lib" / "vouch" / "libvouch.so",
        self.parent_path() / "libvouch.so"}) {
    if (fs::exists(candidate, none)) return candidate.string();
  }
  return "";
}

std::string find_access_library() {
  const std::string shim = find_shim();
  if (shim.empty()) return "";
  const fs::path path = fs::path(shim).parent_path() / "libvouch_access.a";
  std::error_code none;
  return fs::exists(path, none) ? path.string() : "";
}

std::string find_back_end(MpiKind kind) {
  const std::string shim = find_shim();
  if (shim.empty()) return "";
  const char* file = kind == MpiKind::openmpi ? "libvouch_openmpi.so" : "libvouch_mpich.so";
  const fs::path path = fs::path(shim).parent_path() / file;
  std::error_code none;
  return fs::exists(path, none) ? path.string() : "";
}

}  // namespace vouch
