#include "analysis/rma/asserts.h"

#include <algorithm>

namespace vouch {

template <typename T>
void Asserts::limit(std::map<std::uint64_t, T>& kept) {
  if (kept.size() <= kKept) return;
  kept.erase(kept.begin());
  forgot_ = true;
}

void Asserts::judge_put(const Exposure& exposure, const Use& put, Found& found) {
  if (!exposure.says.no_put) return;
  found.push_back({Cause::epoch_no_put, put, exposure.by,
                   "changes the memory of rank {}, which says MPI_MODE_NOPUT", "promised here"});
}

void Asserts::judge(const Exposure& exposure, const Access& access, Found& found) {
  for (const Use& put : access.puts) judge_put(exposure, put, found);
  if (access.start.proc == Proc::none || access.says.no_check == exposure.says.no_check) return;
  found.push_back({Cause::epoch_no_check, access.start, exposure.by,
                   access.says.no_check
                       ? "says MPI_MODE_NOCHECK, and the matching post of rank {} does not"
                       : "does not say MPI_MODE_NOCHECK, and the matching post of rank {} does",
                   "posted here"});
}

void Asserts::expose(Line& line, std::uint64_t number, const Exposure& exposure, Found& found) {
  line.exposed = number;
  if (const auto waits = line.accesses.find(number); waits != line.accesses.end())
    judge(exposure, waits->second, found);
  line.accesses.erase(line.accesses.begin(), line.accesses.upper_bound(number));
}

void Asserts::put(Line& line, std::uint64_t number, const Use& use, Found& found) {
  if (number <= line.exposed) {
    const auto exposure = line.exposures.find(number);
    if (exposure != line.exposures.end()) judge_put(exposure->second, use, found);
    return;
  }
  std::vector<Use>& puts = line.accesses[number].puts;
  const auto same = [&](const Use& u) { return u.site == use.site && u.rank == use.rank; };
  if (std::none_of(puts.begin(), puts.end(), same)) puts.push_back(use);
  limit(line.accesses);
}

// Fences ------------------------------------------------
void Asserts::fence(int members, int rank, std::uint64_t number, const Says& says, const Use& use,
                    Found& found) {
  Line& line = fenced_[rank];
  expose(line, number, {use, says}, found);
  // Another process may be behind, and put to it yet.
  if (says.no_put) line.exposures[number] = {use, says};
  limit(line.exposures);
  Fence& fence = fences_[number];
  const std::array<bool, 2> bits = {says.no_precede, says.no_succeed};
  for (std::size_t i = 0; i < bits.size(); ++i) {
    Use& lowest = bits[i] ? fence.splits[i].says : fence.splits[i].does_not;
    if (lowest.proc == Proc::none || use.rank.value < lowest.rank.value) lowest = use;
  }
  if (++fence.told == members) {
    judge_fence(fence, found);
    fences_.erase(number);
    for (auto& [target, past] : fenced_)
      past.exposures.erase(past.exposures.begin(), past.exposures.lower_bound(number));
  }
  limit(fences_);
}

void Asserts::judge_fence(const Fence& fence, Found& found) {
  constexpr std::array<const char*, 2> kTexts = {
      "says MPI_MODE_NOPRECEDE, and that of rank {} does not",
      "says MPI_MODE_NOSUCCEED, and that of rank {} does not"};
  for (std::size_t i = 0; i < kTexts.size(); ++i) {
    const Split& split = fence.splits[i];
    if (split.says.proc == Proc::none || split.does_not.proc == Proc::none) continue;
    found.push_back(
        {Cause::epoch_fence_differs, split.says, split.does_not, kTexts[i], "the same fence"});
  }
}

void Asserts::put_fenced(int target, std::uint64_t number, const Use& use, Found& found) {
  put(fenced_[target], number, use, found);
}

void Asserts::conclude(Found& found) {
  for (const auto& [number, fence] : fences_) judge_fence(fence, found);
  fences_.clear();
}

// Post and start ------------------------------------------------
void Asserts::post(int target, int origin, const Says& says, const Use& use, Found& found) {
  if (no_groups_) return;
  Line& line = started_[{target, origin}];
  const std::uint64_t number = line.exposed + 1;
  expose(line, number, {use, says}, found);
  if (number >= line.accessed) line.exposures[number] = {use, says};
  limit(line.exposures);
}

void Asserts::start(int origin, int target, const Says& says, const Use& use, Found& found) {
  if (no_groups_) return;
  Line& line = started_[{target, origin}];
  const std::uint64_t number = ++line.accessed;
  line.exposures.erase(line.exposures.begin(), line.exposures.lower_bound(number));
  const Access access{use, says, {}};
  if (number > line.exposed) {
    line.accesses[number] = access;
    limit(line.accesses);
  } else if (const auto exposure = line.exposures.find(number); exposure != line.exposures.end()) {
    judge(exposure->second, access, found);
  }
}

void Asserts::put_started(int origin, int target, const Use& use, Found& found) {
  if (no_groups_) return;
  Line& line = started_[{target, origin}];
  if (line.accessed > 0) put(line, line.accessed, use, found);
}

void Asserts::give_up_groups() {
  no_groups_ = true;
  started_.clear();
}

}  // namespace vouch
