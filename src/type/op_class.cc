#include "type/op_class.h"

#include <array>
#include <vector>

namespace vouch {
namespace {

using Table = std::array<std::uint8_t, static_cast<std::size_t>(Constant::count_)>;

constexpr void put(Table& table, std::uint8_t classes, std::initializer_list<Constant> constants) {
  for (Constant constant : constants) table[static_cast<std::size_t>(constant)] = classes;
}

constexpr Table make_types() {
  using C = Constant;
  Table t{};
  put(t, kCInteger,
      {C::signed_char, C::unsigned_char, C::short_, C::unsigned_short, C::int_, C::unsigned_,
       C::long_, C::unsigned_long, C::long_long_int, C::long_long, C::unsigned_long_long, C::int8_t,
       C::int16_t, C::int32_t, C::int64_t, C::uint8_t, C::uint16_t, C::uint32_t, C::uint64_t});
  put(t, kFortranInteger,
      {C::integer, C::integer1, C::integer2, C::integer4, C::integer8, C::integer16});
  put(t, kFloating,
      {C::float_, C::double_, C::long_double, C::real, C::double_precision, C::real2, C::real4,
       C::real8, C::real16, C::x_c_float16});
  put(t, kLogical,
      {C::logical, C::logical1, C::logical2, C::logical4, C::logical8, C::logical16, C::c_bool,
       C::cxx_bool});
  put(t, kComplex,
      {C::complex_, C::double_complex, C::complex4, C::complex8, C::complex16, C::complex32,
       C::c_complex, C::c_float_complex, C::c_double_complex, C::c_long_double_complex,
       C::cxx_float_complex, C::cxx_double_complex, C::cxx_long_double_complex});
  put(t, kByte, {C::byte});
  put(t, kMultiLanguage, {C::aint, C::offset, C::count});
  put(t, kPair,
      {C::float_int, C::double_int, C::long_int, C::_2int, C::short_int, C::long_double_int,
       C::_2real, C::_2double_precision, C::_2integer});
  return t;
}

constexpr Table make_ops() {
  using C = Constant;
  Table t{};
  put(t, kCInteger | kFortranInteger | kFloating | kMultiLanguage, {C::max, C::min});
  put(t, kCInteger | kFortranInteger | kFloating | kComplex | kMultiLanguage, {C::sum, C::prod});
  put(t, kCInteger | kLogical | kMultiLanguage, {C::land, C::lor, C::lxor});
  put(t, kCInteger | kFortranInteger | kByte | kMultiLanguage, {C::band, C::bor, C::bxor});
  put(t, kPair, {C::maxloc, C::minloc});
  return t;
}

constexpr Table kTypes = make_types();
constexpr Table kOps = make_ops();

}  // namespace

std::uint8_t class_of_type(Constant datatype) { return kTypes[static_cast<std::size_t>(datatype)]; }
std::uint8_t classes_of_op(Constant op) { return kOps[static_cast<std::size_t>(op)]; }

std::string class_names(std::uint8_t classes) {
  constexpr const char* kNames[] = {
      "C integer", "Fortran integer",       "floating-point",  "logical", "complex",
      "byte",      "address-sized integer", "value-index pair"};
  std::vector<const char*> names;
  for (int i = 0; i < 8; ++i) {
    if ((classes & (1 << i)) != 0) names.push_back(kNames[i]);
  }
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " and " : ", ";
    text += names[i];
  }
  return text;
}

}  // namespace vouch
