// Names and numbers of the text form: what a library of its own would answer.

#include <array>
#include <cstring>

#include "event/text.h"

namespace vouch {
namespace {

constexpr std::uint64_t kHandleBase = 0x44000000;
constexpr std::int64_t kValueBase = 0x2000;

struct Named {
  const char* name;
  std::int64_t value;
};

// Bits that programs combine, and limits that are compared with.
constexpr Named kValues[] = {
    {"MPI_MODE_NOCHECK", 1024},
    {"MPI_MODE_NOSTORE", 2048},
    {"MPI_MODE_NOPUT", 4096},
    {"MPI_MODE_NOPRECEDE", 8192},
    {"MPI_MODE_NOSUCCEED", 16384},
    {"MPI_MODE_CREATE", 1},
    {"MPI_MODE_RDONLY", 2},
    {"MPI_MODE_WRONLY", 4},
    {"MPI_MODE_RDWR", 8},
    {"MPI_MODE_DELETE_ON_CLOSE", 16},
    {"MPI_MODE_UNIQUE_OPEN", 32},
    {"MPI_MODE_EXCL", 64},
    {"MPI_MODE_APPEND", 128},
    {"MPI_MODE_SEQUENTIAL", 256},
    {"MPI_BSEND_OVERHEAD", 96},
    {"MPI_MAX_INFO_KEY", 255},
    {"MPI_MAX_INFO_VAL", 1024},
    {"MPI_MAX_OBJECT_NAME", 128},
    {"MPI_MAX_PORT_NAME", 256},
    {"MPI_MAX_PROCESSOR_NAME", 128},
    {"MPI_MAX_ERROR_STRING", 512},
    {"MPI_MAX_DATAREP_STRING", 128},
    {"MPI_VERSION", 4},
    {"MPI_SUBVERSION", 1},
    {"MPI_ANY_SOURCE", -2},
    {"MPI_PROC_NULL", -1},
    {"MPI_ROOT", -3},
    {"MPI_ANY_TAG", -1},
    {"MPI_UNDEFINED", -32766},
};

struct Sized {
  const char* name;
  int size;
  int extent;
};

constexpr Sized kSizes[] = {
    {"CHAR", 1, 1},
    {"SIGNED_CHAR", 1, 1},
    {"UNSIGNED_CHAR", 1, 1},
    {"SHORT", 2, 2},
    {"UNSIGNED_SHORT", 2, 2},
    {"INT", 4, 4},
    {"UNSIGNED", 4, 4},
    {"LONG", 8, 8},
    {"UNSIGNED_LONG", 8, 8},
    {"LONG_LONG_INT", 8, 8},
    {"LONG_LONG", 8, 8},
    {"UNSIGNED_LONG_LONG", 8, 8},
    {"FLOAT", 4, 4},
    {"DOUBLE", 8, 8},
    {"LONG_DOUBLE", 16, 16},
    {"WCHAR", 4, 4},
    {"C_BOOL", 1, 1},
    {"INT8_T", 1, 1},
    {"INT16_T", 2, 2},
    {"INT32_T", 4, 4},
    {"INT64_T", 8, 8},
    {"UINT8_T", 1, 1},
    {"UINT16_T", 2, 2},
    {"UINT32_T", 4, 4},
    {"UINT64_T", 8, 8},
    {"AINT", 8, 8},
    {"COUNT", 8, 8},
    {"OFFSET", 8, 8},
    {"C_COMPLEX", 8, 8},
    {"C_FLOAT_COMPLEX", 8, 8},
    {"C_DOUBLE_COMPLEX", 16, 16},
    {"C_LONG_DOUBLE_COMPLEX", 32, 32},
    {"BYTE", 1, 1},
    {"PACKED", 1, 1},
    {"CXX_BOOL", 1, 1},
    {"CXX_FLOAT_COMPLEX", 8, 8},
    {"CXX_DOUBLE_COMPLEX", 16, 16},
    {"CXX_LONG_DOUBLE_COMPLEX", 32, 32},
    {"INTEGER", 4, 4},
    {"REAL", 4, 4},
    {"DOUBLE_PRECISION", 8, 8},
    {"COMPLEX", 8, 8},
    {"LOGICAL", 4, 4},
    {"CHARACTER", 1, 1},
    {"DOUBLE_COMPLEX", 16, 16},
    {"INTEGER1", 1, 1},
    {"INTEGER2", 2, 2},
    {"INTEGER4", 4, 4},
    {"INTEGER8", 8, 8},
    {"INTEGER16", 16, 16},
    {"REAL2", 2, 2},
    {"REAL4", 4, 4},
    {"REAL8", 8, 8},
    {"REAL16", 16, 16},
    {"COMPLEX4", 4, 4},
    {"COMPLEX8", 8, 8},
    {"COMPLEX16", 16, 16},
    {"COMPLEX32", 32, 32},
    {"LOGICAL1", 1, 1},
    {"LOGICAL2", 2, 2},
    {"LOGICAL4", 4, 4},
    {"LOGICAL8", 8, 8},
    {"LOGICAL16", 16, 16},
    {"FLOAT_INT", 8, 8},
    {"DOUBLE_INT", 12, 16},
    {"LONG_INT", 12, 16},
    {"2INT", 8, 8},
    {"SHORT_INT", 6, 8},
    {"LONG_DOUBLE_INT", 20, 32},
    {"2REAL", 8, 8},
    {"2DOUBLE_PRECISION", 16, 16},
    {"2INTEGER", 8, 8},
    {"2COMPLEX", 16, 16},
    {"2DOUBLE_COMPLEX", 32, 32},
    {"LB", 0, 0},
    {"UB", 0, 0},
};

int id(Constant c) { return static_cast<int>(c); }

}  // namespace

bool is_handle(Kind kind) {
  switch (kind) {
    case Kind::datatype:
    case Kind::comm:
    case Kind::group:
    case Kind::request:
    case Kind::message:
    case Kind::op:
    case Kind::win:
    case Kind::file:
    case Kind::info:
    case Kind::errhandler:
    case Kind::session:
    case Kind::tool_handle:
      return true;
    default:
      return false;
  }
}

bool is_address(Kind kind) {
  switch (kind) {
    case Kind::buffer:
    case Kind::function:
    case Kind::extra_state:
    case Kind::attribute:
    case Kind::pointer:
    case Kind::argv:
      return true;
    default:
      return false;
  }
}

std::uint64_t text_handle(Constant c) { return kHandleBase + static_cast<std::uint64_t>(id(c)); }

std::int64_t text_value(Constant c) {
  const ConstantInfo& i = info(c);
  if (i.is_handle) return static_cast<std::int64_t>(text_handle(c));
  for (const Named& n : kValues) {
    if (std::strcmp(n.name, i.name) == 0) return n.value;
  }
  // Error classes count on from MPI_SUCCESS, which is 0 everywhere.
  if (i.kind == Kind::error_class) return id(c) - id(constant_by_name("MPI_SUCCESS"));
  return kValueBase + id(c);
}

Constant text_constant(Kind kind, std::uint64_t raw) {
  if (is_handle(kind)) {
    if (raw <= kHandleBase || raw >= kHandleBase + static_cast<int>(Constant::count_))
      return Constant::none;
    const auto c = static_cast<Constant>(raw - kHandleBase);
    return info(c).is_handle && info(c).kind == kind ? c : Constant::none;
  }
  for (int i = 1; i < static_cast<int>(Constant::count_); ++i) {
    const auto c = static_cast<Constant>(i);
    if (info(c).kind == kind && text_value(c) == static_cast<std::int64_t>(raw)) return c;
  }
  return Constant::none;
}

TextSize text_size(Constant c) {
  const std::string_view name = std::string_view(info(c).name).substr(4);
  for (const Sized& s : kSizes) {
    if (name == s.name) return {s.size, s.extent};
  }
  return {0, 0};
}

std::int64_t recorded_value(Constant c) {
  const ConstantInfo& i = info(c);
  const std::string_view name = i.name;
  if (name == "MPI_ANY_SOURCE") return wire::kAnySource;
  if (name == "MPI_PROC_NULL") return wire::kProcNull;
  if (name == "MPI_ROOT") return wire::kRoot;
  if (name == "MPI_ANY_TAG") return wire::kAnyTag;
  if (name == "MPI_UNDEFINED") return wire::kUndefined;
  switch (i.kind) {
    // Kinds whose named values may be combined, compared or are only numbers: recorded as the
    // library gives them.
    case Kind::assert:
    case Kind::amode:
    case Kind::error_class:
    case Kind::comparison:
    case Kind::version:
    case Kind::length:
    case Kind::int_:
    case Kind::combiner:
      return text_value(c);
    case Kind::keyval:
      return name == "MPI_KEYVAL_INVALID" ? wire::kConstantBase + id(c) : text_value(c);
    default:
      return wire::kConstantBase + id(c);
  }
}

}  // namespace vouch
