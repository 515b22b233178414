// A module of the program introduces itself to libvouch.so, if that is there.
//
// Only the C library is needed. In a program that is linked statically nobody looks for anybody.

#include <dlfcn.h>

#include "shim/program/access.h"

namespace vouch::program {

extern "C" {

__attribute__((visibility("hidden"))) AccessModule vouch_access_module = {
    0, 0, nullptr, nullptr, kAccessVersion, 0, &vouch_access_module, nullptr};

#pragma weak dlsym

// Called once by each translation unit that is instrumented.
void __tsan_init(void) { ++vouch_access_module.units; }

}  // extern "C"

namespace {

void say(const char* name) {
  if (&::dlsym == nullptr) return;
  const auto tell = reinterpret_cast<AccessCome>(::dlsym(RTLD_DEFAULT, name));
  if (tell != nullptr) tell(&vouch_access_module);
}

[[gnu::constructor(101)]] void come() { say(kAccessCome); }
[[gnu::destructor(101)]] void go() { say(kAccessGo); }

}  // namespace

}  // namespace vouch::program
