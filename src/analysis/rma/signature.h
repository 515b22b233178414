// Types at the origin of a one-sided call against those at its target (MPI-4.1 12.3).
//
// Data go as if the one side had sent them and the other received them: what is moved must fit, and
// be described by the same basic types. Accumulates combine elements of one predefined type only.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "act/window_call.h"
#include "model/process.h"
#include "report/finding.h"
#include "type/known.h"

namespace vouch {

// Put into words only where it is a new finding. Valid as long as the types and the comparison are:
// until the next call is judged.
struct SignatureFault {
  struct Side {
    const char* name = "";
    const Type* type = nullptr;
    std::int64_t count = 0;
  };
  Severity severity = Severity::error;
  Cause why = Cause::none;
  const char* text = nullptr;  // "{}" stands for a name
  const char* name = "";       // without a comparison
  Side from{}, to{};           // of a comparison
  const Comparison* compared = nullptr;
  std::string message() const;
};

class RmaSignatures {
 public:
  // `over_budget` is set if the types are too long to be compared.
  std::optional<SignatureFault> judge(const Process&, const Event& enter, const WindowCall&,
                                      bool& over_budget);

 private:
  using Side = SignatureFault::Side;
  std::optional<SignatureFault> fits(const Side& from, const Side& to, bool& over_budget);

  KnownComparisons known_;
};

}  // namespace vouch
