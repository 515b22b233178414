// From the operations of each rank, as its calls made them, to the trace program.

#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "trace_program/run_builder.h"
#include "trace_program/values.h"

namespace vouch {

class ProgramBuilder {
 public:
  struct Rank {
    std::vector<TracedOp>* ops = nullptr;  // what it must not show is dropped
    const Carrier::Claims* claims = nullptr;
  };
  // Hears what is not as in the run, and why.
  using Gap = std::function<void(const std::string& what, const std::string& reason)>;

  ProgramBuilder(const TextTrace&, std::vector<Rank>, Gap);
  Result<predict::Program> build(const std::vector<TracedComm>&);
  // Of each operation of the program: TracedOp::wildcard.
  std::vector<std::int64_t> take_wildcards() { return std::move(wildcards_); }

 private:
  static Carrier carrier(const std::vector<Rank>&);
  void add(predict::Builder&, std::size_t rank, std::size_t op, Carrier::Handles&);
  void check_as_observed(const predict::Program&) const;

  const TextTrace& trace_;
  std::vector<Rank> ranks_;
  Gap gap_;
  Carrier values_;
  std::vector<std::int64_t> wildcards_;
  std::vector<std::pair<predict::OpId, std::int64_t>> got_;  // in this run
  std::vector<std::pair<predict::OpId, bool>> claimed_;      // whether it held in this run
};

}  // namespace vouch
