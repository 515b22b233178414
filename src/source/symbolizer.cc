#include "source/symbolizer.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <gelf.h>

#include "source/names.h"

namespace vouch {

namespace {

constexpr Dwfl_Callbacks kCallbacks = {
    .find_elf = dwfl_build_id_find_elf,
    .find_debuginfo = dwfl_standard_find_debuginfo,
    .section_address = dwfl_offline_section_address,
    .debuginfo_path = nullptr,
};

struct ScopesFree {
  void operator()(Dwarf_Die* scopes) const { std::free(scopes); }
};
using Scopes = std::unique_ptr<Dwarf_Die, ScopesFree>;

bool is_fortran(Dwarf_Die* unit) {
  switch (dwarf_srclang(unit)) {
    case DW_LANG_Fortran77:
    case DW_LANG_Fortran90:
    case DW_LANG_Fortran95:
    case DW_LANG_Fortran03:
    case DW_LANG_Fortran08:
      return true;
    default:
      return false;
  }
}

// The declaration behind an inlined copy or an out-of-class definition: its parents are the class
// and namespaces.
Dwarf_Die declaration_of(Dwarf_Die die) {
  for (const unsigned link : {DW_AT_abstract_origin, DW_AT_specification}) {
    Dwarf_Attribute attribute;
    Dwarf_Die next;
    if (dwarf_attr(&die, link, &attribute) && dwarf_formref_die(&attribute, &next)) die = next;
  }
  return die;
}

// "solver::Grid::step"; Fortran names stand alone, as they are written in a call.
std::string qualified_name(Dwarf_Die die, bool fortran) {
  Dwarf_Die declaration = declaration_of(die);
  const char* own = dwarf_diename(&declaration);
  if (!own) return {};
  std::string name = own;
  if (fortran) return name;
  Dwarf_Die* raw = nullptr;
  const int count = dwarf_getscopes_die(&declaration, &raw);
  const Scopes scopes(raw);
  for (int i = 1; i < count; ++i) {
    Dwarf_Die* parent = scopes.get() + i;
    switch (dwarf_tag(parent)) {
      case DW_TAG_namespace:
      case DW_TAG_class_type:
      case DW_TAG_structure_type:
      case DW_TAG_union_type: {
        const char* part = dwarf_diename(parent);
        if (part) name = std::string(part) + "::" + name;
        break;
      }
      default:
        break;
    }
  }
  return name;
}

std::string function_at(Dwarf_Die* unit, Dwarf_Addr address) {
  Dwarf_Die* raw = nullptr;
  const int count = dwarf_getscopes(unit, address, &raw);
  const Scopes scopes(raw);
  for (int i = 0; i < count; ++i) {
    const int tag = dwarf_tag(scopes.get() + i);
    if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine)
      return qualified_name(scopes.get()[i], is_fortran(unit));
  }
  return {};
}

}  // namespace

class Symbolizer::Module {
 public:
  explicit Module(const std::string& path) : dwfl_(dwfl_begin(&kCallbacks)) {
    if (!dwfl_) return;
    dwfl_report_begin(dwfl_);
    module_ = dwfl_report_offline(dwfl_, path.c_str(), path.c_str(), -1);
    dwfl_report_end(dwfl_, nullptr, nullptr);
    if (module_) elf_ = dwfl_module_getelf(module_, &bias_);
  }
  ~Module() {
    if (dwfl_) dwfl_end(dwfl_);
  }
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

  Symbol look_up(std::uint64_t address) {
    Symbol result;
    if (!elf_) return result;
    const Dwarf_Addr at = address + bias_;
    Dwarf_Addr dwarf_bias = 0;
    if (Dwarf_Die* unit = unit_at(at, &dwarf_bias)) {
      if (Dwarf_Line* line = dwarf_getsrc_die(unit, at - dwarf_bias)) {
        int number = 0;
        const char* file = dwarf_linesrc(line, nullptr, nullptr);
        if (file && dwarf_lineno(line, &number) == 0 && number > 0) {
          result.path = absolute(file, unit);
          result.line = number;
        }
      }
      result.function = function_at(unit, at - dwarf_bias);
      if (of_cxx_library(result.path)) leave_the_library(unit, at - dwarf_bias, result);
    }
    if (result.function.empty()) from_symbol_table(at, result);
    return result;
  }

  const DataObject* object_at(std::uint64_t address) {
    if (!read_objects_) read_objects();
    auto at =
        std::upper_bound(objects_.begin(), objects_.end(), address,
                         [](std::uint64_t wanted, const DataObject& o) { return wanted < o.lo; });
    if (at == objects_.begin()) return nullptr;
    --at;
    return address < at->hi ? &*at : nullptr;
  }

  bool is_program() const {
    GElf_Ehdr header;
    if (!elf_ || !gelf_getehdr(elf_, &header)) return false;
    if (header.e_type == ET_EXEC) return true;
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf_, section));) {
      GElf_Shdr shdr;
      if (!gelf_getshdr(section, &shdr) || shdr.sh_type != SHT_DYNAMIC) continue;
      Elf_Data* data = elf_getdata(section, nullptr);
      GElf_Dyn entry;
      for (int i = 0; data && gelf_getdyn(data, i, &entry) && entry.d_tag != DT_NULL; ++i)
        if (entry.d_tag == DT_FLAGS_1) return (entry.d_un.d_val & DF_1_PIE) != 0;
    }
    return false;
  }

 private:
  // Names that overlap are one object: an alias, or parts of what a linker script put together.
  void read_objects() {
    read_objects_ = true;
    const int count = module_ != nullptr && elf_ != nullptr ? dwfl_module_getsymtab(module_) : 0;
    for (int i = 1; i < count; ++i) {
      GElf_Sym symbol;
      GElf_Addr value = 0;
      const char* name =
          dwfl_module_getsym_info(module_, i, &symbol, &value, nullptr, nullptr, nullptr);
      if (name == nullptr || GELF_ST_TYPE(symbol.st_info) != STT_OBJECT || symbol.st_size == 0 ||
          symbol.st_shndx == SHN_UNDEF)
        continue;
      objects_.push_back({value - bias_, value - bias_ + symbol.st_size, readable_name(name)});
    }
    std::sort(objects_.begin(), objects_.end(), [](const DataObject& a, const DataObject& b) {
      return a.lo != b.lo ? a.lo < b.lo : a.hi > b.hi;
    });
    std::size_t kept = 0;
    for (std::size_t i = 1; i < objects_.size(); ++i) {
      if (objects_[i].lo < objects_[kept].hi) {
        objects_[kept].hi = std::max(objects_[kept].hi, objects_[i].hi);
      } else {
        if (++kept != i) objects_[kept] = std::move(objects_[i]);
      }
    }
    if (!objects_.empty()) objects_.resize(kept + 1);
  }

  // The index of address ranges is optional in DWARF, and clang does not write it: then ask each
  // unit.
  Dwarf_Die* unit_at(Dwarf_Addr at, Dwarf_Addr* dwarf_bias) {
    if (Dwarf_Die* unit = dwfl_module_addrdie(module_, at, dwarf_bias)) return unit;
    for (Dwarf_Die* unit = nullptr; (unit = dwfl_module_nextcu(module_, unit, dwarf_bias));)
      if (dwarf_haspc(unit, at - *dwarf_bias) > 0) return unit;
    return nullptr;
  }

  // The innermost place of the program itself that the code at an address was inlined into.
  // Misses: without optimisation the library's function is one of its own, and who calls it is not
  // in the address.
  static void leave_the_library(Dwarf_Die* unit, Dwarf_Addr address, Symbol& result) {
    Dwarf_Files* files = nullptr;
    std::size_t file_count = 0;
    if (dwarf_getsrcfiles(unit, &files, &file_count) != 0) return;
    // Around inlined code these are the scopes of its definition; those of its copy, in which we
    // are, stand around the innermost one.
    Dwarf_Die* raw = nullptr;
    if (dwarf_getscopes(unit, address, &raw) <= 0) return;
    const Scopes defined(raw);
    raw = nullptr;
    const int count = dwarf_getscopes_die(&defined.get()[0], &raw);
    const Scopes scopes(raw);
    bool left = false;
    for (int i = 0; i < count; ++i) {
      Dwarf_Die* scope = scopes.get() + i;
      const int tag = dwarf_tag(scope);
      if (tag != DW_TAG_subprogram && tag != DW_TAG_inlined_subroutine) continue;
      if (left) {
        result.function = qualified_name(*scope, is_fortran(unit));
        return;
      }
      Dwarf_Attribute attribute;
      Dwarf_Word file = 0, line = 0;
      if (tag == DW_TAG_subprogram ||
          dwarf_formudata(dwarf_attr(scope, DW_AT_call_file, &attribute), &file) != 0 ||
          dwarf_formudata(dwarf_attr(scope, DW_AT_call_line, &attribute), &line) != 0)
        return;
      const char* name = file < file_count ? dwarf_filesrc(files, file, nullptr, nullptr) : nullptr;
      if (name == nullptr) return;
      std::string path = absolute(name, unit);
      if (of_cxx_library(path)) continue;
      left = true;
      result.path = std::move(path);
      result.line = static_cast<int>(line);
    }
  }

  static std::string absolute(const char* file, Dwarf_Die* unit) {
    std::filesystem::path path = file;
    if (path.is_relative()) {
      Dwarf_Attribute attribute;
      const char* folder = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
      if (folder) path = std::filesystem::path(folder) / path;
    }
    return path.lexically_normal().string();
  }

  void from_symbol_table(Dwarf_Addr at, Symbol& result) const {
    GElf_Off offset = 0;
    GElf_Sym symbol;
    const char* name =
        dwfl_module_addrinfo(module_, at, &offset, &symbol, nullptr, nullptr, nullptr);
    // A stripped file names only what it exports: the nearest one below is not where we are.
    if (!name || offset >= symbol.st_size) return;
    result.function = readable_name(name);
    result.function_offset = offset;
  }

  Dwfl* dwfl_;
  Dwfl_Module* module_ = nullptr;
  Elf* elf_ = nullptr;
  GElf_Addr bias_ = 0;
  std::vector<DataObject> objects_;  // by address, apart from each other
  bool read_objects_ = false;
};

Symbolizer::Symbolizer() {
  // elfutils would ask these servers for debug information; a report must not wait for a network.
  unsetenv("DEBUGINFOD_URLS");
}
Symbolizer::~Symbolizer() = default;

Symbolizer::Module& Symbolizer::module(const std::string& path) {
  auto& entry = modules_[path];
  if (!entry) entry = std::make_unique<Module>(path);
  return *entry;
}

Symbol Symbolizer::look_up(const std::string& path, std::uint64_t address) {
  return module(path).look_up(address);
}

const DataObject* Symbolizer::object_at(const std::string& path, std::uint64_t address) {
  return module(path).object_at(address);
}

bool Symbolizer::is_program(const std::string& path) { return module(path).is_program(); }

}  // namespace vouch
