#include "shim/core/claims.h"

#include <unistd.h>

#include <cstring>

#include "shim/core/meta.h"
#include "shim/core/sites.h"
#include "shim/solo/solo.h"
#include "vouch.h"

namespace vouch::shim {

namespace {
constexpr std::size_t kLongest = 4096;  // of a text
}

static_assert(VOUCH_TERM_REAL_ == wire::kTermReal && VOUCH_TERM_INEXACT_ == wire::kTermInexact);

void claimed(unsigned kind, int holds, unsigned frames, const char* condition, const char* names,
             unsigned count, const vouch_term* terms, const void* caller) {
  if (solo_claim(kind, holds)) return;
  if (!recording() || ::getpid() != process.pid || condition == nullptr || names == nullptr) return;
  Thread* t = this_thread();
  if (t == nullptr || (t->inside & 1) != 0) return;
  Busy busy(*t);
  const SiteEntry site = find_site(*t, frames == 0 ? caller : caller_above(caller, frames));
  if (count > wire::kMaxTerms) count = wire::kMaxTerms;
  std::uint64_t words[4 + 3 * wire::kMaxTerms] = {kind, site.number(), holds != 0 ? 1u : 0u, count};
  for (unsigned i = 0; i < count; ++i) {
    words[4 + 3 * i] = reinterpret_cast<std::uint64_t>(terms[i].address);
    words[5 + 3 * i] = terms[i].form;
    words[6 + 3 * i] = static_cast<std::uint64_t>(terms[i].value);
  }
  const Text texts[] = {{condition, strnlen(condition, kLongest)},
                        {names, strnlen(names, kLongest)}};
  write_meta(*t, wire::Meta::claim, words, 4 + 3 * count, texts, 2);
}

}  // namespace vouch::shim
