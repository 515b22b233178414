#include "event/sound.h"

#include "event/proc.h"

namespace vouch {
namespace {

constexpr std::uint64_t padded(std::uint64_t bytes) { return (bytes + 7) & ~std::uint64_t{7}; }
constexpr auto kProcs = static_cast<std::size_t>(Proc::count_);

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

// The model reads these words without looking at the length again.
bool meta_fits(wire::Meta what, std::uint64_t count, const std::uint64_t* words) {
  const auto text_at = [&](std::uint64_t at) {
    return at < count && words[at] <= (count - at - 1) * 8;
  };
  switch (what) {
    case wire::Meta::library:
    case wire::Meta::module:
      return text_at(2);
    case wire::Meta::site:
      return count >= 5 && words[4] <= (count - 5) / 2;
    case wire::Meta::python_site:
      return text_at(2) && text_at(3 + (words[2] + 7) / 8);
    case wire::Meta::constant:
      return count >= 4;
    case wire::Meta::communicator:
      return count >= 8 && words[7] <= (count - 8) / 3;
    case wire::Meta::world:
    case wire::Meta::signal:
      return count >= 5;
    case wire::Meta::blob:
    case wire::Meta::value:
      return text_at(0);
    case wire::Meta::thread:
    case wire::Meta::exit:
    case wire::Meta::lost:
    case wire::Meta::inside:
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
      return count >= 2 && (words[0] != 0 || count >= 5);
    case wire::Meta::diverged:
      return count >= 5;
    case wire::Meta::claim: {
      if (count < 4 || words[3] > (count - 4) / 3) return false;
      const std::uint64_t condition = 4 + 3 * words[3];
      return text_at(condition) && text_at(condition + 1 + (words[condition] + 7) / 8);
    }
    case wire::Meta::none:
      break;
  }
  return false;
}

}  // namespace

namespace detail {

bool sound_closer(const wire::RecordHeader& header, const std::uint64_t* words,
                  std::uint64_t blob_bytes) {
  if (header.phase == wire::Phase::meta) {
    return meta_fits(static_cast<wire::Meta>(header.proc), header.words, words);
  }
  if (header.phase > wire::Phase::meta || header.proc == 0 || header.proc >= kProcs) return false;
  const ProcInfo& proc = info(static_cast<Proc>(header.proc));
  const bool leave = header.phase == wire::Phase::leave;
  const std::uint32_t fixed = leave ? proc.leave_words : proc.enter_words;
  // A call that failed may have nothing but its error class to tell; one of a program with threads,
  // whose results nobody needs, tells only that it is over.
  if (leave && header.words == 1) return true;
  if (header.words < fixed) return false;
  const std::uint64_t room = (header.flags & wire::kFlagBlob) != 0
                                 ? blob_bytes + 7
                                 : std::uint64_t{header.words - fixed} * 8;
  return tails_fit(proc, words, leave, room);
}

const LeastWords least_words = [] {
  LeastWords least;
  for (std::size_t p = 0; p < kProcs; ++p) {
    const ProcInfo& proc = info(static_cast<Proc>(p));
    bool tails[2] = {p == 0, p == 0};
    for (const Param& param : proc.params) {
      tails[0] = tails[0] || param.enter_tail >= 0;
      tails[1] = tails[1] || param.leave_tail >= 0;
    }
    least[0][p] = tails[0] ? kLookCloser : proc.enter_words;
    least[1][p] = tails[1] ? kLookCloser : proc.leave_words;
  }
  return least;
}();

}  // namespace detail

}  // namespace vouch
