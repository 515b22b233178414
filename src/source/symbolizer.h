// Addresses of ELF files into functions and source lines, by elfutils.
//
// Reads files, never a process. Each file is opened once, when it is first asked for; one that
// cannot be read or has no debug information just gives less.

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>

namespace vouch {

struct Symbol {
  std::string path;  // absolute path of the source file, "" unknown
  int line = 0;
  std::string function;               // as the user wrote it; "" unknown
  std::uint64_t function_offset = 0;  // of the address within it, if it came from the symbol table
};

// A variable with a place of its own in a file: ELF virtual addresses [lo, hi).
struct DataObject {
  std::uint64_t lo = 0, hi = 0;
  std::string name;  // as the user wrote it
};

class Symbolizer {
 public:
  Symbolizer();
  ~Symbolizer();

  // `address` is an ELF virtual address: a program counter less the load bias.
  Symbol look_up(const std::string& module, std::uint64_t address);
  // The variable around an address; nullptr: the symbols do not tell. Lives as long as this.
  const DataObject* object_at(const std::string& module, std::uint64_t address);
  // An executable, position independent or not, and no shared library.
  bool is_program(const std::string& module);

 private:
  class Module;
  Module& module(const std::string& path);
  std::unordered_map<std::string, std::unique_ptr<Module>> modules_;
};

}  // namespace vouch
