// Stage: commit state of datatypes, and operations against the datatypes they are used on.

#include <fmt/format.h>

#include "analysis/argument/checks.h"
#include "type/op_class.h"

namespace vouch {
namespace {

bool is_f90(const Type& type) {
  return type.combiner == Constant::combiner_f90_real ||
         type.combiner == Constant::combiner_f90_complex ||
         type.combiner == Constant::combiner_f90_integer;
}

// Classes of a type that counts as predefined; a dup of one counts as itself. derived: it is none.
struct Classes {
  bool derived = false;
  std::uint8_t classes = 0;
};

Classes classes_of(const Type& type) {
  if (type.named != Constant::none) return {false, class_of_type(type.named)};
  switch (type.combiner) {
    case Constant::combiner_f90_real:
      return {false, kFloating};
    case Constant::combiner_f90_complex:
      return {false, kComplex};
    case Constant::combiner_f90_integer:
      return {false, kFortranInteger};
    case Constant::combiner_value_index:
      return {false, kPair};
    case Constant::combiner_dup:
      if (!type.types.empty() && type.types[0]) return classes_of(*type.types[0]);
      break;
    default:
      break;
  }
  return {true, 0};
}

// `index`: of an element; -1: the argument itself.
void judge_committed(Checker& c, const Step& step, std::uint64_t raw, std::int64_t index) {
  const Datatype* type = c.datatype(raw);
  if (!type || type->committed || type->predefined()) return;
  if (type->type && (is_f90(*type->type) || type->type->combiner == Constant::combiner_value_index))
    return;
  c.fire(
      Rule::type_uncommitted, step.param,
      [&] {
        const char* name = c.param(step.param).name;
        return index < 0 ? fmt::format("{} was never committed", name)
                         : fmt::format("{}[{}] was never committed", name, index);
      },
      c.root(*type));
}

std::string type_words(const Checker& c, const Datatype& type) {
  return type.predefined() ? info(type.constant).name : c.name(type);
}

template <typename Words>
void fire_pair(Checker& c, const Step& step, const Op& op, Words type, const Trails& origin) {
  c.fire(
      Rule::argument_op, step.param,
      [&] {
        return fmt::format("{} is not defined on {}; it takes {} types", c.name(op), type(),
                           class_names(classes_of_op(op.constant)));
      },
      origin, [&] { return c.name(op) + " on " + type(); });
}

}  // namespace

void check_committed(Checker& c, const Step& step) {
  if (!c.significant(step.param)) return;
  const Param& p = c.param(step.param);
  if (!p.is_array()) {
    if (step.other >= 0 && c.param(step.other).is_array() && !c.any_counted(step.other)) return;
    judge_committed(c, step, c.event.handle(step.param), -1);
    return;
  }
  const ArrayView types = c.event.array(step.param);
  for (std::uint64_t i = 0; i < types.size() && !c.call.poisoned; ++i) {
    if (c.count_at(step.other, i) <= 0) continue;
    judge_committed(c, step, static_cast<std::uint64_t>(types[i]), static_cast<std::int64_t>(i));
  }
}

// Reductions: MPI-4.1 6.9.2 to 6.9.4.
void check_op_type(Checker& c, const Step& step) {
  const Op* op = c.op(step.param);
  if (!op || !op->predefined()) return;
  if (op->constant == Constant::replace || op->constant == Constant::no_op) {
    c.fire(Cause::op_accumulate_only, step.param,
           [&] { return fmt::format("{} is for one-sided accumulates only", c.name(*op)); });
    return;
  }
  // The count of the datatype: nothing is reduced, nothing is wrong.
  if (!c.significant(step.other) || !c.any_counted(count_of_type(c.info, step.other))) return;
  const Datatype* type = c.datatype(c.event.handle(step.other));
  if (!type || !type->known()) return;
  const Classes classes = classes_of(*type->type);
  if (!classes.derived && (classes.classes & classes_of_op(op->constant)) != 0) return;
  if (classes.derived) {
    c.fire(
        Cause::op_derived, step.param,
        [&] {
          return fmt::format("{} is predefined and not defined on derived datatypes such as {}",
                             c.name(*op), c.name(*type));
        },
        c.origin(*type));
    return;
  }
  fire_pair(
      c, step, *op, [&] { return type_words(c, *type); }, c.origin(*type));
}

// MPI-4.1 12.3.4: predefined operations only, on datatypes made of one predefined type.
void check_accumulate(Checker& c, const Step& step) {
  const Op* op = c.op(step.param);
  if (!op) return;
  if (!op->predefined()) {
    c.fire(
        Cause::op_user, step.param,
        [&] { return "op is user-defined; accumulates take predefined operations only"; },
        c.origin(*op));
    return;
  }
  if (op->constant == Constant::replace || op->constant == Constant::no_op) return;
  if (!c.significant(step.other) || !c.any_counted(count_of_type(c.info, step.other))) return;
  const Datatype* type = c.datatype(c.event.handle(step.other));
  if (!type || !type->known()) return;
  Classes classes = classes_of(*type->type);
  Constant made_of = Constant::none;
  if (classes.derived) {
    // The first atom stands for all: whether they are equal is a matter of signatures.
    const SignatureRef& signature = type->type->signature;
    if (!signature || signature->digest.atoms == 0) return;
    const Atom atom = atom_at(signature, 0);
    // Pair types come as two atoms here, and parametrised ones have no constant.
    if (atom.constant() == Constant::none || (classes_of_op(op->constant) & kPair) != 0) return;
    made_of = atom.constant();
    classes.classes = class_of_type(made_of);
  }
  if ((classes.classes & classes_of_op(op->constant)) != 0) return;
  const auto words = [&] {
    return made_of == Constant::none
               ? type_words(c, *type)
               : fmt::format("{}, of which {} is made", info(made_of).name, c.name(*type));
  };
  fire_pair(c, step, *op, words, c.origin(*type));
}

}  // namespace vouch
