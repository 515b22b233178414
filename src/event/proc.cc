// The generated tables, and look-up by name.

#include "event/proc.h"

#include <cstddef>
#include <string>
#include <unordered_map>

namespace vouch {
namespace {

#include "event/proc_table.inc"

#include "event/constant_table.inc"

static_assert(std::size(kProcs) == static_cast<std::size_t>(Proc::count_));
static_assert(std::size(kConstants) == static_cast<std::size_t>(Constant::count_));
static_assert(std::size(kKindNames) == static_cast<std::size_t>(Kind::count_));

// "MPI_Send" -> "send", "MPIX_Bcast_init" -> "x_bcast_init", "SEND" -> "send": the spelling of the
// enumerators.
std::string folded(std::string_view name) {
  std::string result;
  if (name.size() > 4) {
    const std::string_view prefix = name.substr(0, 4);
    if (prefix == "MPI_" || prefix == "mpi_") {
      name.remove_prefix(4);
    } else if (name.size() > 5 && (name.substr(0, 5) == "MPIX_" || name.substr(0, 5) == "mpix_")) {
      name.remove_prefix(5);
      result = "x_";
    }
  }
  for (const char c : name) result += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return result;
}

template <typename Id, typename Table>
std::unordered_map<std::string, Id> index_of(const Table& table) {
  std::unordered_map<std::string, Id> index;
  for (std::size_t i = 1; i < std::size(table); ++i)
    index.emplace(folded(table[i].name), static_cast<Id>(i));
  return index;
}

}  // namespace

const ProcInfo* const detail::procs = kProcs;

Proc proc_by_name(std::string_view name) {
  static const auto index = index_of<Proc>(kProcs);
  const auto found = index.find(folded(name));
  return found == index.end() ? Proc::none : found->second;
}

std::string_view kind_name(Kind kind) { return kKindNames[static_cast<std::size_t>(kind)]; }

const ConstantInfo& info(Constant constant) {
  VOUCH_CHECK(constant < Constant::count_);
  return kConstants[static_cast<std::size_t>(constant)];
}

Constant constant_by_name(std::string_view name) {
  static const auto index = index_of<Constant>(kConstants);
  const auto found = index.find(folded(name));
  return found == index.end() ? Constant::none : found->second;
}

int ProcInfo::param(Arg wanted) const {
  for (std::size_t i = 0; i < params.size(); ++i) {
    if (wanted == params[i].arg) return static_cast<int>(i);
  }
  return -1;
}

int ProcInfo::param(std::string_view wanted) const {
  for (std::size_t i = 0; i < params.size(); ++i) {
    if (wanted == params[i].name) return static_cast<int>(i);
  }
  return -1;
}

int ProcInfo::first(Kind kind, Dir dir) const {
  for (std::size_t i = 0; i < params.size(); ++i) {
    if (params[i].kind == kind && params[i].dir == dir) return static_cast<int>(i);
  }
  return -1;
}

}  // namespace vouch
