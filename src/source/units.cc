#include "source/units.h"

#include <algorithm>
#include <string_view>

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <unistd.h>

namespace vouch {
namespace {

// What gcc and clang call the function that calls __tsan_init.
bool is_constructor(std::string_view symbol) {
  return symbol.starts_with("_sub_I_00099") || symbol.starts_with("tsan.module_ctor");
}

// The part of vouch in the program (src/shim/program) says so.
constexpr std::string_view kOfVouch = "vouch_is_no_unit";

// Files that the compiler adds to every program.
bool is_of_compiler(std::string_view file) {
  return file.empty() || file == "crtstuff.c" || file == "init.c" || file.ends_with(".o") ||
         file.ends_with(".S");
}

class Units {
 public:
  void symbol(std::string_view name, unsigned char type) {
    if (type == STT_FILE) {
      close();
      file_ = name;
    }
    seen_ = seen_ || is_constructor(name);
    ours_ = ours_ || name.find(kOfVouch) != std::string_view::npos;
  }
  ModuleUnits take() {
    close();
    return std::move(units_);
  }

 private:
  void close() {
    units_.instrumented += seen_;
    if (!seen_ && !ours_ && !is_of_compiler(file_) &&
        std::find(units_.others.begin(), units_.others.end(), file_) == units_.others.end())
      units_.others.push_back(file_);
    seen_ = ours_ = false;
  }

  ModuleUnits units_;
  std::string file_;
  bool seen_ = false, ours_ = false;
};

void read_symbols(Elf* elf, Units& units) {
  for (Elf_Scn* section = nullptr; (section = ::elf_nextscn(elf, section)) != nullptr;) {
    GElf_Shdr header;
    if (::gelf_getshdr(section, &header) == nullptr || header.sh_type != SHT_SYMTAB ||
        header.sh_entsize == 0)
      continue;
    Elf_Data* data = ::elf_getdata(section, nullptr);
    if (data == nullptr) continue;
    // Global symbols stand behind all local ones, without a file.
    const std::size_t locals =
        std::min<std::size_t>(header.sh_info, header.sh_size / header.sh_entsize);
    for (std::size_t i = 1; i < locals; ++i) {
      GElf_Sym symbol;
      if (::gelf_getsym(data, static_cast<int>(i), &symbol) == nullptr) break;
      const char* name = ::elf_strptr(elf, header.sh_link, symbol.st_name);
      if (name != nullptr) units.symbol(name, GELF_ST_TYPE(symbol.st_info));
    }
  }
}

}  // namespace

ModuleUnits read_units(const std::string& path) {
  Units units;
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return {};
  ::elf_version(EV_CURRENT);
  if (Elf* elf = ::elf_begin(fd, ELF_C_READ_MMAP, nullptr); elf != nullptr) {
    if (::elf_kind(elf) == ELF_K_ELF) read_symbols(elf, units);
    ::elf_end(elf);
  }
  ::close(fd);
  return units.take();
}

}  // namespace vouch
