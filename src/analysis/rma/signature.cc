#include "analysis/rma/signature.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "base/count_words.h"
#include "type/op_class.h"
#include "type/path.h"

namespace vouch {
namespace {

using Fault = std::optional<SignatureFault>;

const Type* type_at(const Process& process, const Event& enter, int param) {
  const Datatype* t = param < 0 ? nullptr : process.datatypes.find(enter.handle(param));
  return t == nullptr ? nullptr : t->type.get();
}

// Predefined, or what counts as such.
const Type* predefined(const Type* type) {
  switch (type->combiner) {
    case Constant::combiner_dup:
      return type->types.empty() || type->types[0] == nullptr ? nullptr
                                                              : predefined(type->types[0].get());
    case Constant::combiner_f90_real:
    case Constant::combiner_f90_complex:
    case Constant::combiner_f90_integer:
    case Constant::combiner_value_index:
      return type;
    default:
      return type->named != Constant::none ? type : nullptr;
  }
}

void collect(const Type& type, std::vector<const Type*>& leaves, int& budget) {
  if (const Type* leaf = predefined(&type)) {
    if (std::find(leaves.begin(), leaves.end(), leaf) == leaves.end()) leaves.push_back(leaf);
    return;
  }
  for (const TypeRef& part : type.types) {
    if (--budget < 0) return;
    if (part != nullptr) collect(*part, leaves, budget);
  }
}

// Whether all elements are of one predefined type. Pair types are two atoms each.
bool uniform(const Type& type) {
  const SignatureRef& s = type.signature;
  if (s == nullptr || s->children.empty() || predefined(&type) != nullptr) return true;
  std::vector<const Type*> leaves;
  int budget = 10000;
  collect(type, leaves, budget);
  if (budget < 0) return true;
  return std::any_of(leaves.begin(), leaves.end(), [&](const Type* leaf) {
    const SignatureRef& one = leaf->signature;
    return one != nullptr && one->digest.atoms > 1 && s->digest.atoms % one->digest.atoms == 0 &&
           digest_of(one, s->digest.atoms / one->digest.atoms) == s->digest;
  });
}

// The types are wrong by themselves.
Fault error(const char* text, const char* name = "") {
  return SignatureFault{.why = Cause::signature_type, .text = text, .name = name};
}

std::string item_words(const char* side, const Type& type, std::uint64_t item) {
  const std::string path = path_to(type, item);
  return path.empty() ? std::string() : fmt::format("; {} {}", side, path);
}

// MPI-4.1 12.3.4: integers, logicals, the types of addresses, bytes.
Fault swappable(const Type& type) {
  const Type* one = predefined(&type);
  if (one == nullptr) return error("datatype is not predefined");
  constexpr std::uint8_t kTaken = kCInteger | kFortranInteger | kLogical | kMultiLanguage | kByte;
  const bool taken = one->named == Constant::none ? one->combiner == Constant::combiner_f90_integer
                                                  : (class_of_type(one->named) & kTaken) != 0;
  if (taken) return {};
  return error("{} is not among the types that can be compared and swapped",
               one->named != Constant::none ? info(one->named).name : "the datatype");
}

}  // namespace

Fault RmaSignatures::fits(const Side& from, const Side& to, bool& over_budget) {
  if (from.type == nullptr || to.type == nullptr || from.count < 0 || to.count < 0) return {};
  const SignatureRef &s = from.type->signature, &r = to.type->signature;
  if (s == nullptr || r == nullptr) return {};
  const auto n = static_cast<std::uint64_t>(from.count), m = static_cast<std::uint64_t>(to.count);
  const Comparison& c = known_.look(s, n, r, m);
  using What = Comparison::What;
  switch (c.what) {
    case What::fits:
      break;
    case What::over_budget:
      over_budget = true;
      break;
    case What::truncation:
      return SignatureFault{.why = Cause::signature_bytes, .from = from, .to = to, .compared = &c};
    case What::mismatch:
    case What::equivalent:
      return SignatureFault{
          .severity = c.what == What::mismatch ? Severity::error : Severity::warning,
          .from = from,
          .to = to,
          .compared = &c};
  }
  return {};
}

std::string SignatureFault::message() const {
  if (compared == nullptr) return fmt::format(fmt::runtime(text), name);
  if (compared->what == Comparison::What::truncation) {
    const auto bytes = [](const Side& s) {
      return s.type->signature->digest.bytes * static_cast<std::uint64_t>(s.count);
    };
    return fmt::format("{} at the {}, {} at the {}", count_words(bytes(from), "byte"), from.name,
                       bytes(to), to.name);
  }
  return fmt::format("item {}: {} at the {}, {} at the {}{}{}", compared->item,
                     name_of(compared->sent), from.name, name_of(compared->received), to.name,
                     item_words(from.name, *from.type, compared->item),
                     item_words(to.name, *to.type, compared->into));
}

Fault RmaSignatures::judge(const Process& process, const Event& enter, const WindowCall& call,
                           bool& over_budget) {
  const auto side = [&](const char* name, int type, int count) {
    return Side{name, type_at(process, enter, type), count < 0 ? 1 : enter.value(count)};
  };
  const Side target = side("target", call.target_type, call.target_count);
  if (target.type == nullptr) return {};
  if (call.target_count < 0) {  // one element, of one type for all
    if (call.swaps) return swappable(*target.type);
    if (predefined(target.type) != nullptr) return {};
    return error("datatype is not predefined");
  }
  const Op* op = call.op < 0 ? nullptr : process.ops.find(enter.handle(call.op));
  // MPI-4.1 12.3.4: with MPI_NO_OP nothing of the origin is looked at.
  const bool origin_counts = op == nullptr || op->constant != Constant::no_op;
  const Side origin = side("origin", call.origin_type, call.origin_count);
  if (call.accumulates) {
    const Side sides[] = {origin, side("result", call.result_type, call.result_count), target};
    for (const Side& s : sides) {
      if (s.type == nullptr || s.count <= 0 || (&s == sides && !origin_counts)) continue;
      if (!uniform(*s.type))
        return error("{}_datatype is made of several predefined types", s.name);
    }
    if (call.result_type >= 0) {
      if (Fault fault = fits(target, sides[1], over_budget)) return fault;
    }
  }
  if (!origin_counts) return {};
  return call.gets ? fits(target, origin, over_budget) : fits(origin, target, over_budget);
}

}  // namespace vouch
