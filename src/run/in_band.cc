#include "run/in_band.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include "record/band.h"

namespace vouch {
namespace {

constexpr std::pair<BandGap, const char*> kGaps[] = {
    {BandGap::matched_probe, "MPI_Mprobe sees no clock, and what it saw is no longer probed for"},
    {BandGap::persistent_collective, "persistent collectives carry no clock"},
    {BandGap::threads, "the order in which threads call is not kept"},
    {BandGap::no_clock, "a message that was too long came without its clock"},
    {BandGap::room, "there were too many events"},
    {BandGap::waited, "a receive that should have matched did not complete"},
};

explore::Carried carried_of(const BandPart& part) {
  explore::Carried out;
  const BandRank& rank = part.rank;
  out.finished = rank.finished != 0;
  if (rank.there == 0) out.gap = "a rank did not begin";
  for (const auto& [gap, words] : kGaps)
    if ((rank.gaps & static_cast<std::uint32_t>(gap)) != 0 && out.gap.empty()) out.gap = words;
  for (std::uint32_t i = 0; i < std::min(rank.events, kMostBandEvents); ++i) {
    const BandEvent& e = part.events[i];
    explore::Carried::Event event{
        static_cast<int>(e.number), e.source, e.probe != 0, e.clock, e.message, {}};
    // Backwards: the indices fall.
    for (std::uint32_t a = e.alternatives; a != 0 && a <= kMostBandAlternatives;) {
      const BandAlternative& other = part.alternatives[a - 1];
      event.alternatives.push_back(other.source);
      a = other.next < a ? other.next : 0;
    }
    std::reverse(event.alternatives.begin(), event.alternatives.end());
    out.events.push_back(std::move(event));
  }
  return out;
}

std::string line_of(std::size_t run, std::size_t rank, const explore::Carried::Event& e) {
  return fmt::format(
      "run {} rank {} event {} {} source {} clock {} message {} others {}\n", run, rank, e.number,
      e.probe ? "probe" : "receive", e.source, e.clock, e.probe ? "-" : std::to_string(e.message),
      e.alternatives.empty() ? "-" : fmt::format("{}", fmt::join(e.alternatives, ",")));
}

}  // namespace

bool InBand::write_to(const std::string& path) {
  lines_.open(path);
  return lines_.good();
}

int InBand::make() const {
  const int fd = ::memfd_create("vouch-clocks", MFD_CLOEXEC);
  if (fd < 0) return -1;
  const BandHeader header{kBandMagic, static_cast<std::uint32_t>(ranks_)};
  if (::ftruncate(fd, static_cast<off_t>(band_bytes(ranks_))) != 0 ||
      ::pwrite(fd, &header, sizeof(header), 0) != static_cast<ssize_t>(sizeof(header))) {
    ::close(fd);
    return -1;
  }
  return fd;
}

std::string InBand::told(int file) const {
  return fmt::format("{}:/proc/{}/fd/{}",
                     kBandProtocols[protocol_ == explore::Protocol::vector ? 1 : 0], ::getpid(),
                     file);
}

std::vector<explore::Carried> InBand::read(int file) const {
  std::vector<explore::Carried> all;
  void* at =
      file < 0 ? MAP_FAILED : ::mmap(nullptr, band_bytes(ranks_), PROT_READ, MAP_SHARED, file, 0);
  if (at == MAP_FAILED) return all;
  for (int rank = 0; rank < ranks_; ++rank)
    all.push_back(carried_of(*band_part(static_cast<BandHeader*>(at), rank)));
  ::munmap(at, band_bytes(ranks_));
  return all;
}

void InBand::look(const std::vector<explore::Carried>& all, const explore::Ran& ran) {
  if (all.empty()) {
    ++not_compared_["there is no memory for them"];
    return;
  }
  for (std::size_t rank = 0; lines_.is_open() && rank < all.size(); ++rank)
    for (const explore::Carried::Event& e : all[rank].events)
      lines_ << line_of(ran.job.number, rank, e) << std::flush;
  const explore::Compared result = explore::compare(ran.seen, protocol_, all);
  if (!result.why_not.empty()) {
    ++not_compared_[result.why_not];
    return;
  }
  ++compared_;
  events_ += result.events;
  alternatives_ += result.alternatives;
  missed_ += result.missed;
  impossible_ += result.impossible;
  different_ += result.differences.size();
  if (wrong_.empty() && !result.differences.empty())
    wrong_ = fmt::format("clocks in messages and clocks from records differ in run {}: {}",
                         ran.job.number, result.differences.front());
}

void InBand::tell(Summary& summary) const {
  const auto of = [](std::size_t n, const char* what) {
    return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
  };
  if (compared_ > 0)
    summary.notes.push_back(
        fmt::format("clocks in messages: {} compared with the records' clocks, {}, {}: {}",
                    of(compared_, "run"), of(events_, "event"), of(alternatives_, "alternative"),
                    different_ == 0 ? "all equal" : of(different_, "difference")));
  if (missed_ + impossible_ > 0)
    summary.notes.push_back(
        fmt::format("clocks in messages: of probes and synchronous sends they know less than "
                    "records: {} missed, "
                    "{} that cannot be",
                    of(missed_, "alternative"), impossible_));
  for (const auto& [reason, runs] : not_compared_)
    summary.not_checked.push_back({"clocks in messages", reason, runs, {}, {}});
  if (!wrong_.empty())
    summary.not_checked.push_back(
        {"clocks in messages", "internal error: " + wrong_, different_, {}, {}});
}

}  // namespace vouch
