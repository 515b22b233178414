// Which predefined operation is defined on which predefined datatype (MPI-4.1 6.9.2).
//
// Datatypes fall into classes, and an operation takes some classes. CHAR, WCHAR, CHARACTER and
// PACKED are in none.

#pragma once

#include <cstdint>
#include <string>

#include "event/proc.h"

namespace vouch {

enum OpClass : std::uint8_t {
  kCInteger = 1 << 0,
  kFortranInteger = 1 << 1,
  kFloating = 1 << 2,
  kLogical = 1 << 3,
  kComplex = 1 << 4,
  kByte = 1 << 5,
  kMultiLanguage = 1 << 6,  // AINT, OFFSET, COUNT
  kPair = 1 << 7,
};

std::uint8_t class_of_type(Constant datatype);  // 0: in no class
std::uint8_t classes_of_op(Constant op);        // 0: no operation of reductions (REPLACE, NO_OP)
std::string class_names(std::uint8_t classes);  // "C integer, logical or byte"

inline bool op_takes(Constant op, Constant datatype) {
  return (classes_of_op(op) & class_of_type(datatype)) != 0;
}

}  // namespace vouch
