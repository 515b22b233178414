#include "run/probe.h"

#include <cstdio>

#include <dlfcn.h>

namespace vouch {
namespace {

// By the global scope: with libvouch.so preloaded its entry is the one that is found, as in any
// program.
template <typename F>
F* entry(const char* name) {
  return reinterpret_cast<F*>(::dlsym(RTLD_DEFAULT, name));
}

}  // namespace

int probe(const std::string& library, const std::string& what) {
  if (::dlopen(library.c_str(), RTLD_NOW | RTLD_GLOBAL) == nullptr) {
    std::printf("%s\n", ::dlerror());
    return 1;
  }
  if (what == "version") {
    auto* get = entry<int(char*, int*)>("MPI_Get_library_version");
    char text[16384] = "";
    int length = 0;
    if (get == nullptr || get(text, &length) != 0) return 2;
    std::printf("%s\n", text);
    return 0;
  }
  auto* init = entry<int(int*, char***)>("MPI_Init");
  auto* finalize = entry<int()>("MPI_Finalize");
  if (init == nullptr || finalize == nullptr) return 2;
  if (init(nullptr, nullptr) != 0) return 3;
  return finalize() == 0 ? 0 : 4;
}

}  // namespace vouch
