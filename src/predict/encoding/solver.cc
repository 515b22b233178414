#include "predict/encoding/solver.h"

#include <algorithm>
#include <fstream>
#include <numeric>
#include <unordered_set>

#include <fmt/format.h>

#include "base/check.h"
#include "base/hash.h"

namespace vouch::predict {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// The constants of an expression, by number, and the logic it needs.
void collect(const z3::expr& e, std::unordered_set<unsigned>& seen, std::vector<unsigned>& found,
             Logic& logic) {
  std::vector<z3::expr> open{e};
  while (!open.empty()) {
    const z3::expr at = open.back();
    open.pop_back();
    if (!seen.insert(at.id()).second) continue;
    if (at.is_const() && at.decl().decl_kind() == Z3_OP_UNINTERPRETED) {
      found.push_back(at.id());
      if (at.is_arith())
        logic = std::max(
            logic, at.decl().name().str().starts_with(kValuePrefix) ? Logic::values : Logic::times);
      continue;
    }
    for (unsigned i = 0; i < at.num_args(); ++i) open.push_back(at.arg(i));
  }
}

const char* name_of(Logic logic) {
  return logic == Logic::none ? "QF_FD" : logic == Logic::times ? "QF_IDL" : "QF_LIA";
}

std::size_t root(std::vector<std::size_t>& parent, std::size_t at) {
  while (parent[at] != at) at = parent[at] = parent[parent[at]];
  return at;
}

}  // namespace

std::size_t Solver::KeyHash::operator()(const std::vector<unsigned>& key) const {
  std::uint64_t hash = key.size();
  for (const unsigned id : key) hash = mix(hash, id);
  return hash;
}

Solver::Solver(SolverLimits limits) : limits_(std::move(limits)), start_(Clock::now()) {
  z3::set_param("memory_max_size", static_cast<int>(limits_.memory));
}

double Solver::seconds_left() const { return limits_.seconds - seconds_since(start_); }

void Solver::write(const std::vector<z3::expr>& constraints, const std::vector<z3::expr>& more) {
  z3::solver whole(context());
  for (const auto& one : constraints) whole.add(one);
  for (const auto& one : more) whole.add(one);
  std::ofstream file(fmt::format("{}/question-{}.smt2", limits_.smtlib, statistics_.questions));
  file << whole.to_smt2() << '\n';
}

Answer Solver::ask(z3::solver& solver, const z3::expr_vector& assumptions,
                   std::vector<unsigned>& trues) {
  const double left = seconds_left();
  if (left <= 0) {
    reason_ = "time";
    return Answer::unknown;
  }
  const auto start = Clock::now();
  Answer answer = Answer::unknown;
  try {
    z3::params limits(context());
    limits.set("timeout", static_cast<unsigned>(std::min(left, 1e6) * 1000) + 1);
    solver.set(limits);
    const auto result = solver.check(assumptions);
    if (result == z3::sat) {
      answer = Answer::sat;
      trues.clear();
      const auto model = solver.get_model();
      for (unsigned i = 0; i < model.num_consts(); ++i) {
        const auto decl = model.get_const_decl(i);
        if (model.get_const_interp(decl).is_true()) trues.push_back(decl().id());
      }
      std::sort(trues.begin(), trues.end());
    } else if (result == z3::unsat) {
      answer = Answer::unsat;
    } else {
      reason_ = out_of_time() ? "time" : solver.reason_unknown();
      if (reason_.find("memory") != std::string::npos) reason_ = "memory";
    }
  } catch (const z3::exception& e) {
    reason_ = std::string(e.msg()).find("memory") != std::string::npos ? "memory" : e.msg();
  }
  statistics_.seconds += seconds_since(start);
  return answer;
}

Question::Question(Solver& owner, const std::vector<z3::expr>& constraints,
                   const std::vector<std::vector<z3::expr>>& together,
                   const std::vector<z3::expr>& also_written)
    : owner_(owner) {
  ++owner.statistics_.questions;
  owner.statistics_.constraints += constraints.size();
  if (owner.writes()) owner.write(constraints, also_written);
  std::unordered_map<unsigned, std::size_t> number;  // constant: index
  std::vector<std::size_t> parent;
  std::vector<std::size_t> of(constraints.size());
  std::vector<Logic> logic(constraints.size());
  for (std::size_t c = 0; c < constraints.size(); ++c) {
    std::unordered_set<unsigned> seen;
    std::vector<unsigned> found;
    collect(constraints[c], seen, found, logic[c]);
    std::size_t first = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      const auto [known, is_new] = number.try_emplace(found[i], parent.size());
      if (is_new) parent.push_back(parent.size());
      if (i == 0) first = known->second;
      parent[root(parent, known->second)] = root(parent, first);
    }
    // A constraint without constants is true or false by itself: it goes anywhere.
    if (found.empty()) {
      parent.push_back(parent.size());
      first = parent.size() - 1;
    }
    of[c] = first;
  }
  for (const auto& group : together)
    for (const auto& literal : group) {
      const auto [known, is_new] = number.try_emplace(literal.id(), parent.size());
      if (is_new) parent.push_back(parent.size());
      parent[root(parent, known->second)] = root(parent, number.at(group[0].id()));
    }
  std::unordered_map<std::size_t, std::size_t> part_by_root;
  const auto part_at = [&](std::size_t index) {
    const auto [known, is_new] = part_by_root.try_emplace(root(parent, index), parts_.size());
    if (is_new) parts_.emplace_back();
    return known->second;
  };
  for (std::size_t c = 0; c < constraints.size(); ++c) {
    auto& part = parts_[part_at(of[c])];
    part.constraints.push_back(constraints[c]);
    part.key.push_back(constraints[c].id());
    part.logic = std::max(part.logic, logic[c]);
  }
  for (const auto& [constant, index] : number) part_of_[constant] = part_at(index);
  for (auto& part : parts_) std::sort(part.key.begin(), part.key.end());
  owner.statistics_.parts += parts_.size();
}

z3::solver& Question::solver_of(Part& part) {
  if (part.solver.empty()) {
    part.solver.emplace_back(owner_.context(), name_of(part.logic));
    for (const auto& one : part.constraints) part.solver.back().add(one);
  }
  return part.solver.back();
}

Answer Question::base(Part& part) {
  if (part.asked) return part.answer;
  part.asked = true;
  const auto known = owner_.known_.find(part.key);
  if (known != owner_.known_.end()) {
    ++owner_.statistics_.remembered;
    part.answer = known->second.answer;
    part.trues = known->second.trues;
    return part.answer;
  }
  part.answer = owner_.ask(solver_of(part), z3::expr_vector(owner_.context()), part.trues);
  if (part.answer != Answer::unknown)
    owner_.known_[part.key] = {part.answer, part.trues, part.constraints};
  return part.answer;
}

Answer Question::check(const std::vector<z3::expr>& assumptions) {
  std::vector<z3::expr_vector> by_part(parts_.size(), z3::expr_vector(owner_.context()));
  for (std::size_t i = 0; i < parts_.size(); ++i) by_part[i] = z3::expr_vector(owner_.context());
  for (const auto& one : assumptions) {
    if (one.is_true()) continue;
    if (one.is_false()) return Answer::unsat;
    const auto constant = one.is_not() ? one.arg(0) : one;
    const auto known = part_of_.find(constant.id());
    VOUCH_CHECK(known != part_of_.end());
    by_part[known->second].push_back(one);
  }
  Answer all = Answer::sat;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    auto& part = parts_[i];
    const auto answer =
        by_part[i].empty() ? base(part) : owner_.ask(solver_of(part), by_part[i], part.trues);
    if (answer == Answer::unsat) return Answer::unsat;
    if (answer == Answer::unknown) all = Answer::unknown;
  }
  return all;
}

bool Question::value(const z3::expr& literal) const {
  if (literal.is_true() || literal.is_false()) return literal.is_true();
  const auto known = part_of_.find(literal.id());
  if (known == part_of_.end()) return false;
  const auto& trues = parts_[known->second].trues;
  return std::binary_search(trues.begin(), trues.end(), literal.id());
}

void Question::add(const z3::expr& constraint) {
  std::unordered_set<unsigned> seen;
  std::vector<unsigned> found;
  Logic logic = Logic::none;
  collect(constraint, seen, found, logic);
  VOUCH_CHECK(!found.empty());
  auto& part = parts_[part_of_.at(found[0])];
  for (const unsigned constant : found) VOUCH_CHECK(&parts_[part_of_.at(constant)] == &part);
  solver_of(part).add(constraint);
  part.constraints.push_back(constraint);
  part.key.push_back(constraint.id());
  part.asked = false;
}

}  // namespace vouch::predict
