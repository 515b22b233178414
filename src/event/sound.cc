#include "event/sound.h"

#include <optional>

#include "event/access.h"

namespace vouch {
namespace {

constexpr std::uint64_t padded(std::uint64_t bytes) { return (bytes + 7) & ~std::uint64_t{7}; }
// Of one message; a request keeps a bit for each, and calls name ranges of them.
constexpr std::int64_t kMostPartitions = std::int64_t{1} << 20;
constexpr auto kProcs = static_cast<std::size_t>(Proc::count_);

// Arrays lie within `room` bytes.
bool tails_fit(const ProcInfo& proc, const std::uint64_t* words, bool leave, std::uint64_t room) {
  for (const Param& p : proc.params) {
    if ((leave ? p.leave_tail : p.enter_tail) < 0) continue;
    const std::uint64_t length = words[leave ? p.leave_word : p.enter_word + 1];
    if (length > room) return false;  // also keeps the product below from wrapping
    const std::uint64_t bytes = padded(length * p.elem_size);
    if (bytes > room) return false;
    room -= bytes;
  }
  return true;
}

// How long the table says that an array is, by the enter record; nothing: that depends on what is
// not in the record.
std::optional<std::uint64_t> length_of(const Event& enter, const Param& p) {
  constexpr std::int64_t kMost = std::int64_t{1} << 48;
  const auto clamped = [&](std::int64_t value) -> std::optional<std::uint64_t> {
    if (value <= 0) return 0;
    if (value > kMost) return std::nullopt;
    return static_cast<std::uint64_t>(value) * p.length_factor;
  };
  const auto elements = [&]() -> std::optional<ArrayView> {
    if (enter.info().params[static_cast<std::size_t>(p.length_param)].enter_tail < 0)
      return std::nullopt;
    return enter.array(p.length_param);
  };
  switch (p.length) {
    case Length::number:
      return p.length_factor;
    case Length::param: {
      const Shape shape = enter.info().params[static_cast<std::size_t>(p.length_param)].shape;
      if (shape != Shape::scalar && shape != Shape::pointer_inout) return std::nullopt;
      return clamped(enter.value(p.length_param));
    }
    case Length::sum: {
      const auto of = elements();
      if (!of) return std::nullopt;
      std::int64_t sum = 0;
      for (std::uint64_t i = 0; i < of->size(); ++i) {
        if ((*of)[i] > kMost || sum > kMost) return std::nullopt;
        sum += (*of)[i] > 0 ? (*of)[i] : 0;
      }
      return clamped(sum);
    }
    case Length::last: {
      const auto of = elements();
      if (!of) return std::nullopt;
      return of->empty() ? 0 : clamped((*of)[of->size() - 1]);
    }
    default:
      return std::nullopt;
  }
}

// An array that is not there (NULL, not significant) has no elements.
bool lengths_fit(const Event& enter) {
  for (const Param& p : enter.info().params) {
    if (!p.is_array()) continue;
    const std::uint64_t length = enter.words()[p.enter_word + 1];
    if (length == 0) continue;
    const auto expected = length_of(enter, p);
    if (expected && length != *expected) return false;
  }
  return true;
}

bool partitions_fit(const Event& enter) {
  const int param = enter.info().at.partitions;
  return param < 0 || enter.value(param) <= kMostPartitions;
}

bool in_range(std::uint64_t word, std::int64_t least, std::uint64_t end) {
  const auto value = static_cast<std::int64_t>(word);
  return value >= least && value < static_cast<std::int64_t>(end);
}

// Members of a group as runs, as many as its size says; or nothing.
bool is_group(std::uint64_t runs, const std::uint64_t* words, std::uint64_t size) {
  std::uint64_t members = 0;
  for (std::uint64_t i = 0; i < runs; ++i) {
    const std::uint64_t* run = words + 3 * i;
    const auto first = static_cast<std::int64_t>(run[0]),
               stride = static_cast<std::int64_t>(run[1]);
    if (run[2] == 0 || run[2] > size - members) return false;
    members += run[2];
    if (first == -1 && stride == 0) continue;
    if (stride == 0 && run[2] > 1) return false;  // nobody is a member twice
    const auto most = static_cast<std::int64_t>(kMostRanks);
    if (first < 0 || first >= most || stride <= -most || stride >= most) return false;
    const std::int64_t last = first + stride * static_cast<std::int64_t>(run[2] - 1);
    if (last < 0 || last >= most) return false;
  }
  return runs == 0 || members == size;
}

// Facts of a communicator: ranks that can be, and members as many as its sizes say.
bool is_communicator(std::uint64_t count, const std::uint64_t* words) {
  if (count < 8 || words[7] > (count - 8) / 3) return false;
  const std::uint64_t size = words[1];
  if (size > kMostRanks || !in_range(words[2], INT32_MIN, size > 0 ? size : 1) ||
      !in_range(words[3], -1, kMostRanks + 1) || words[4] > 3 || words[5] > INT32_MAX ||
      words[6] > INT32_MAX)
    return false;
  const std::uint64_t behind = 8 + 3 * words[7];
  const auto remote = static_cast<std::int64_t>(words[3]);
  return is_group(words[7], words + 8, size) && (count - behind) % 3 == 0 &&
         is_group((count - behind) / 3, words + behind,
                  remote > 0 ? static_cast<std::uint64_t>(remote) : 0);
}

// The model reads these words without looking at them again.
bool meta_fits(wire::Meta what, std::uint64_t count, const std::uint64_t* words) {
  const auto text_at = [&](std::uint64_t at) {
    return at < count && words[at] <= (count - at - 1) * 8;
  };
  switch (what) {
    case wire::Meta::library:
      return text_at(2);
    case wire::Meta::module:
      return text_at(2) && words[0] < kMostModules;
    case wire::Meta::site:
      return count >= 5 && words[4] <= (count - 5) / 2 && words[0] < kMostSites;
    case wire::Meta::python_site:
      return text_at(2) && text_at(3 + (words[2] + 7) / 8) && words[0] < kMostSites;
    case wire::Meta::constant:
      return count >= 4;
    case wire::Meta::communicator:
      return is_communicator(count, words);
    case wire::Meta::world:
      return count >= 5 && words[1] <= kMostRanks && words[0] < words[1];
    case wire::Meta::signal:
      return count >= 5;
    case wire::Meta::blob:
    case wire::Meta::value:
      return text_at(0);
    case wire::Meta::thread:
    case wire::Meta::inside:
      return count >= 2 && words[0] < kMostThreads;
    case wire::Meta::exit:
    case wire::Meta::lost:
      return count >= 2;
    case wire::Meta::block:
    case wire::Meta::modified:
      return count >= 4;
    case wire::Meta::freed:
      return count >= 3;
    case wire::Meta::issued:
    case wire::Meta::polls:
    case wire::Meta::threaded:
      return count >= 1;
    case wire::Meta::decided:
      return count >= 2 && words[0] <= 1 && (words[0] != 0 || count >= 5);
    case wire::Meta::diverged:
      return count >= 5 && words[0] <= 1;
    case wire::Meta::claim: {
      if (count < 4 || words[3] > wire::kMaxTerms || words[3] > (count - 4) / 3) return false;
      const std::uint64_t condition = 4 + 3 * words[3];
      return text_at(condition) && text_at(condition + 1 + (words[condition] + 7) / 8);
    }
    case wire::Meta::access: {
      AccessPattern pattern;
      return unpack(words, count, pattern) && pattern.site < kMostSites;
    }
    case wire::Meta::exposed:
      return count >= 4 && words[1] < kMostRanks && words[3] <= UINT64_MAX - words[2];
    case wire::Meta::instrumented:
      return count >= 2 && words[0] < kMostModules;
    case wire::Meta::none:
      break;
  }
  return false;
}

}  // namespace

namespace detail {

bool sound_closer(const wire::RecordHeader& header, const std::uint64_t* words,
                  const std::byte* blob, std::uint64_t blob_bytes) {
  if (header.phase == wire::Phase::meta) {
    return meta_fits(static_cast<wire::Meta>(header.proc), header.words, words);
  }
  if (header.phase > wire::Phase::meta || header.proc == 0 || header.proc >= kProcs) return false;
  const ProcInfo& proc = info(static_cast<Proc>(header.proc));
  const bool leave = header.phase == wire::Phase::leave;
  const std::uint32_t fixed = leave ? proc.leave_words : proc.enter_words;
  // A call that failed may have nothing but its error class to tell; one of a program with threads,
  // whose results nobody needs, tells only that it is over.
  if (leave && header.words == 1) return (header.flags & wire::kFlagBlob) == 0;
  if (header.words < fixed) return false;
  const bool apart = (header.flags & wire::kFlagBlob) != 0;
  if (apart && header.words != fixed) return false;
  const std::uint64_t room = apart ? blob_bytes : std::uint64_t{header.words - fixed} * 8;
  if (!tails_fit(proc, words, leave, room)) return false;
  if (leave) return true;
  const Event enter = apart ? Event(&header, words, blob) : Event(&header, words);
  return lengths_fit(enter) && partitions_fit(enter);
}

const LeastWords least_words = [] {
  LeastWords least;
  for (std::size_t p = 0; p < kProcs; ++p) {
    const ProcInfo& proc = info(static_cast<Proc>(p));
    bool arrays[2] = {p == 0 || proc.at.partitions >= 0, p == 0};
    for (const Param& param : proc.params) {
      arrays[0] = arrays[0] || param.is_array();
      arrays[1] = arrays[1] || param.leave_tail >= 0;
    }
    least[0][p] = arrays[0] ? kLookCloser : proc.enter_words;
    least[1][p] = arrays[1] ? kLookCloser : proc.leave_words;
  }
  return least;
}();

bool belongs_closer(const Event& leave, const Event& enter) {
  const ProcInfo& proc = enter.info();
  if (leave.header().words < proc.leave_words) return true;
  for (const Param& p : proc.params) {
    if (p.leave_tail < 0 || p.length == Length::nul) continue;
    const std::uint64_t length = leave.words()[p.leave_word];
    const auto most = length == 0 ? std::nullopt : length_of(enter, p);
    if (most && length > *most) return false;
  }
  return true;
}

}  // namespace detail

}  // namespace vouch
