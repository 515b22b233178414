// From the places a process announces (module and offset, Python file and line) to sites that are
// the same for all ranks.

#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "agent/program_parts.h"
#include "event/event.h"
#include "model/process.h"
#include "source/site_table.h"

namespace vouch {

// One per process: modules are numbered within it.
class SiteReader {
 public:
  // Takes over Meta::module, site, python_site and signal; leaves the others alone. A record that
  // is too short says nothing.
  void take(SiteTable&, Process&, const Event& meta);
  // What Meta::instrumented has said of the modules.
  void add_parts(ProgramParts&) const;

 private:
  void take_site(SiteTable&, Process&, const Event& meta);
  static void take_python_site(SiteTable&, Process&, const Event& meta);
  Frame frame(std::uint64_t module, std::uint64_t offset) const;
  std::vector<std::string> modules_;
  std::set<std::uint64_t> instrumented_, callers_;  // numbers of modules
};

// Text number `n` of a meta record: texts follow `words` leading words, each a length word and
// padded bytes.
std::string_view meta_text(const Event&, std::uint32_t words, int n);

}  // namespace vouch
