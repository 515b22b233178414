#include "model/process.h"

#include <cstring>

namespace vouch {

Call* Thread::find(std::uint32_t seq) {
  for (Call& call : calls) {
    if (call.seq() == seq) return &call;
  }
  return nullptr;
}

void Call::open_large(const Event& enter) {
  words_.assign(enter.words(), enter.words() + header_.words);
  const std::span<const std::byte> tails = enter.blob_tails();
  tails_.assign(tails.begin(), tails.end());
}

Event Call::enter_large() const {
  return Event(&header_, words_.data(), tails_.empty() ? nullptr : tails_.data());
}

void Call::spoil(Harms more, bool error) {
  harms |= more;
  poisoned = harms.has(Harm::meaning);
  broken = broken || (error && more.has(Harm::failure));
}

Process::Process(std::size_t index, int pid, WorldRank hint) : index(index), pid(pid), rank(hint) {}

void Process::announce(Constant c, std::uint64_t value) {
  static_assert(static_cast<std::size_t>(Constant::count_) < kNamed / 2);
  const std::size_t id = static_cast<std::size_t>(c);
  const ConstantInfo& about = info(c);
  if (announced_[id]) return;
  values_[id] = value;
  announced_[id] = true;
  if (about.is_null) nulls_[static_cast<std::size_t>(about.kind)] = {value, true};
  // Synonyms share a value (MPI_LONG_LONG, MPI_LONG_LONG_INT): the first name stands for both.
  std::size_t i = home(about.kind, value);
  for (; named_[i].constant != Constant::none; i = (i + 1) % kNamed) {
    if (named_[i].raw == value && named_[i].kind == about.kind) return;
  }
  named_[i] = {value, about.kind, c};
}

Constant Process::constant_of(Kind kind, std::uint64_t raw) const {
  for (std::size_t i = home(kind, raw); named_[i].constant != Constant::none;
       i = (i + 1) % kNamed) {
    if (named_[i].raw == raw && named_[i].kind == kind) return named_[i].constant;
  }
  const auto value = static_cast<std::int64_t>(raw);
  if (!wire::is_canonical(value)) return Constant::none;
  switch (value) {
    case wire::kAnySource:
      return Constant::any_source;
    case wire::kProcNull:
      return Constant::proc_null;
    case wire::kRoot:
      return Constant::root;
    case wire::kAnyTag:
      return Constant::any_tag;
    case wire::kUndefined:
      return Constant::undefined;
    default:
      break;
  }
  const std::int64_t id = value - wire::kConstantBase;
  return id > 0 && id < static_cast<std::int64_t>(Constant::count_) ? static_cast<Constant>(id)
                                                                    : Constant::none;
}

std::pair<Call*, Call*> meet(Process& process, int thread, const Event& inside) {
  const auto me = static_cast<std::size_t>(thread),
             other = static_cast<std::size_t>(inside.word(0));
  if (me >= process.threads.size() || other >= process.threads.size() || me == other) return {};
  Thread& mine = process.threads[me];
  Call* found = process.threads[other].find(static_cast<std::uint32_t>(inside.word(1)));
  if (mine.depth == 0 || found == nullptr) return {};
  return {&mine.calls[static_cast<std::size_t>(mine.depth) - 1], found};
}

}  // namespace vouch
