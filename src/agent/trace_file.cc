#include "agent/trace_file.h"

#include <vector>

#include "report/finding.h"

namespace vouch {
namespace {

constexpr auto kKept = std::chrono::seconds(1);

}  // namespace

TraceFile::TraceFile(int fd, const std::string& path) {
  if (fd >= 0) writer_ = std::make_unique<trace::Writer>(fd, path);
}

void TraceFile::keep() {
  if (writer_ == nullptr) return;
  const auto now = Clock::now();
  if (now - kept_ < kKept) return;
  kept_ = now;
  writer_->flush();
}

// Elsewhere the program's files are not at hand: the trace gets its places in words.
void TraceFile::finish(const World& world, SiteTable& sites, Sink& sink) {
  if (writer_ == nullptr) return;
  std::vector<std::string> places;
  for (std::uint32_t s = 1; s < sites.size(); ++s) {
    const SourcePlace& place = sites.resolve(Site{s});
    Location at;
    at.file = place.file;
    at.line = place.line;
    at.function = place.function;
    at.offset = place.offset;
    places.push_back(where(at));
  }
  writer_->places(places);
  std::vector<std::uint32_t> local;
  for (std::size_t p = 0; p < world.processes(); ++p) {
    local.clear();
    for (const Site site : world.process(p).sites) local.push_back(site.value);
    writer_->sites(p, local);
  }
  writer_->close();
  if (!writer_->problem().empty()) sink.not_checked({"the trace", writer_->problem(), 1, {}, {}});
  if (writer_->too_large() > 0)
    sink.not_checked(
        {"the trace", "calls are missing in it: too large", writer_->too_large(), {}, {}});
}

}  // namespace vouch
