#include "source/names.h"

#include <cxxabi.h>
#include <cstdlib>

namespace vouch {

namespace {

// "void solver::run<int>(int, double) const" -> "solver::run<int>": the parameter list is the last
// group of parentheses at the top level; a return type, which only templates carry, ends at the
// last blank before it.
std::string without_parameters(const std::string& name) {
  int depth = 0;
  std::size_t end = name.size();
  for (std::size_t i = name.size(); i-- > 0;) {
    const char c = name[i];
    if (c == ')' || c == '>') ++depth;
    if (c == '(' || c == '<') --depth;
    if (c == '(' && depth == 0) {
      end = i;
      break;
    }
  }
  if (name.find("operator") != std::string::npos || name.find("(anonymous") != std::string::npos)
    return name.substr(0, end);
  std::size_t start = 0;
  depth = 0;
  for (std::size_t i = 0; i < end; ++i) {
    if (name[i] == '<' || name[i] == '(') ++depth;
    if (name[i] == '>' || name[i] == ')') --depth;
    if (name[i] == ' ' && depth == 0) start = i + 1;
  }
  return name.substr(start, end - start);
}

}  // namespace

std::string readable_name(std::string_view symbol) {
  std::string name(symbol.substr(0, symbol.find('@')));  // "foo@VERSION"
  if (name.starts_with("_Z")) {
    int status = 0;
    char* text =
        abi::__cxa_demangle(name.substr(0, name.find('.')).c_str(), nullptr, nullptr, &status);
    if (text && status == 0) name = without_parameters(text);
    std::free(text);
    return name;
  }
  if (const std::size_t dot = name.find('.'); dot != std::string::npos && dot > 0) name.resize(dot);
  if (name == "MAIN__") return "main program";
  if (const std::size_t module = name.find("_MOD_");
      name.starts_with("__") && module != std::string::npos)
    return name.substr(module + 5);
  // A procedure of Fortran ends in one underscore; C names hardly ever do.
  if (name.size() > 1 && name.back() == '_' && name[name.size() - 2] != '_') name.pop_back();
  return name;
}

bool of_cxx_library(std::string_view path) {
  const std::size_t include = path.find("/include/");
  return include != std::string_view::npos && path.find("/c++/", include) != std::string_view::npos;
}

}  // namespace vouch
