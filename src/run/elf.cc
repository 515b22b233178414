#include "run/elf.h"

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <set>
#include <unordered_map>

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <unistd.h>

#include "base/read_file.h"

namespace vouch {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> split(std::string_view text, char by) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(by), text.size());
    if (end > 0) parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

void read_dynamic(Elf* elf, Elf_Scn* section, const GElf_Shdr& header, ElfFile& file) {
  Elf_Data* data = ::elf_getdata(section, nullptr);
  if (data == nullptr || header.sh_entsize == 0) return;
  for (std::size_t i = 0; i < header.sh_size / header.sh_entsize; ++i) {
    GElf_Dyn entry;
    if (::gelf_getdyn(data, static_cast<int>(i), &entry) == nullptr || entry.d_tag == DT_NULL)
      break;
    if (entry.d_tag == DT_FLAGS_1 && (entry.d_un.d_val & DF_1_PIE) != 0) file.executable = true;
    if (entry.d_tag != DT_NEEDED && entry.d_tag != DT_RPATH && entry.d_tag != DT_RUNPATH) continue;
    const char* text = ::elf_strptr(elf, header.sh_link, entry.d_un.d_val);
    if (text == nullptr) continue;
    if (entry.d_tag == DT_NEEDED) file.needed.emplace_back(text);
    if (entry.d_tag == DT_RPATH) file.rpath = split(text, ':');
    if (entry.d_tag == DT_RUNPATH) file.runpath = split(text, ':');
  }
}

// Marks that only one library has: a data symbol of Open MPI, an internal function that MPICH and
// its offspring export.
void read_symbols(Elf* elf, Elf_Scn* section, const GElf_Shdr& header, ElfFile& file) {
  Elf_Data* data = ::elf_getdata(section, nullptr);
  if (data == nullptr || header.sh_entsize == 0) return;
  bool openmpi = false, mpich = false, plain = false, passes_on = false;
  for (std::size_t i = 1; i < header.sh_size / header.sh_entsize; ++i) {
    GElf_Sym symbol;
    if (::gelf_getsym(data, static_cast<int>(i), &symbol) == nullptr) continue;
    const char* text = ::elf_strptr(elf, header.sh_link, symbol.st_name);
    if (text == nullptr) continue;
    const std::string_view symbol_name = text;
    const bool profiled = symbol_name == "PMPI_Init" || symbol_name == "PMPI_Finalize";
    if (symbol.st_shndx == SHN_UNDEF) {
      if (profiled) passes_on = true;
      continue;
    }
    if (profiled) file.defines_mpi = true;
    if (symbol_name == "MPI_Init" || symbol_name == "MPI_Finalize") plain = true;
    // An executable has a copy of the first one too.
    if (symbol_name == "ompi_mpi_comm_world") openmpi = true;
    if (symbol_name == "MPIR_Process" || symbol_name == "MPIR_Dup_fn" ||
        symbol_name == "MPIR_Err_return_comm")
      mpich = true;
  }
  // A program or tool with a profiling layer has an MPI_Init of its own, which calls the library's
  // PMPI_Init (MPI-4.1 15.2); a library without that layer has no PMPI_Init at all.
  if (plain && !passes_on) file.defines_mpi = true;
  if (file.defines_mpi && file.mpi != MpiKind::openmpi && file.mpi != MpiKind::mpich) {
    file.mpi = openmpi ? MpiKind::openmpi : mpich ? MpiKind::mpich : MpiKind::unknown;
  }
}

// ld.so.cache of glibc 2.2 and later: soname -> paths.
class LinkerCache {
 public:
  LinkerCache() {
    bytes_ = read_file("/etc/ld.so.cache").value_or("");
    constexpr std::string_view kMagic = "glibc-ld.so.cache1.1";
    struct Header {
      char magic[20];
      std::uint32_t count, string_bytes;
      std::uint32_t more[5];
    };
    struct Entry {
      std::int32_t flags;
      std::uint32_t key, value, os_version;
      std::uint64_t hardware;
    };
    const std::size_t start = bytes_.find(kMagic);
    if (start == std::string::npos || bytes_.size() - start < sizeof(Header)) return;
    Header header;
    std::memcpy(&header, bytes_.data() + start, sizeof(header));
    for (std::size_t i = 0; i < header.count; ++i) {
      const std::size_t at = start + sizeof(Header) + i * sizeof(Entry);
      if (at + sizeof(Entry) > bytes_.size()) break;
      Entry entry;
      std::memcpy(&entry, bytes_.data() + at, sizeof(entry));
      if (start + entry.key >= bytes_.size() || start + entry.value >= bytes_.size()) continue;
      paths_.emplace(bytes_.c_str() + start + entry.key, bytes_.c_str() + start + entry.value);
    }
  }
  auto find(const std::string& soname) const { return paths_.equal_range(soname); }

 private:
  std::string bytes_;
  std::unordered_multimap<std::string, std::string> paths_;
};

// Of the same architecture: e_machine stands at the same place in 32 and 64 bit files.
bool fits(const std::string& path, int machine) {
  Elf64_Ehdr header{};
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  const ssize_t got = ::read(fd, &header, sizeof(header));
  ::close(fd);
  return got == sizeof(header) && std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
         header.e_machine == machine;
}

std::string with_origin(std::string directory, const std::string& of) {
  for (const std::string_view word : {"$ORIGIN", "${ORIGIN}"}) {
    for (std::size_t at; (at = directory.find(word)) != std::string::npos;) {
      directory.replace(at, word.size(), fs::path(of).parent_path().string());
    }
  }
  return directory;
}

// Where the dynamic linker finds a dependency of `file`; "" if nowhere. rpath: of those that loaded
// it, outermost last.
std::string locate(const std::string& soname, const ElfFile& file,
                   const std::vector<std::string>& inherited, const LinkerCache& cache) {
  if (soname.find('/') != std::string::npos) return fits(soname, file.machine) ? soname : "";
  std::vector<std::string> directories;
  if (file.runpath.empty()) {
    for (const std::string& d : file.rpath) directories.push_back(with_origin(d, file.path));
    directories.insert(directories.end(), inherited.begin(), inherited.end());
  }
  if (const char* more = std::getenv("LD_LIBRARY_PATH")) {
    for (std::string& d : split(more, ':')) directories.push_back(std::move(d));
  }
  for (const std::string& d : file.runpath) directories.push_back(with_origin(d, file.path));
  for (const std::string& d : directories) {
    if (const std::string path = d + "/" + soname; fits(path, file.machine)) return path;
  }
  for (auto [at, end] = cache.find(soname); at != end; ++at) {
    if (fits(at->second, file.machine)) return at->second;
  }
  for (const char* d : {"/lib", "/usr/lib", "/lib64", "/usr/lib64", "/usr/local/lib"}) {
    if (const std::string path = std::string(d) + "/" + soname; fits(path, file.machine))
      return path;
  }
  return "";
}

}  // namespace

const char* name(MpiKind kind) {
  switch (kind) {
    case MpiKind::openmpi:
      return "Open MPI";
    case MpiKind::mpich:
      return "MPICH";
    case MpiKind::unknown:
      return "an unknown MPI library";
    case MpiKind::none:
      break;
  }
  return "no MPI library";
}

bool is_elf(const std::string& path) {
  char magic[4] = {};
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  const ssize_t got = ::read(fd, magic, sizeof(magic));
  ::close(fd);
  return got == 4 && std::memcmp(magic, ELFMAG, SELFMAG) == 0;
}

Result<ElfFile> read_elf(const std::string& path) {
  ::elf_version(EV_CURRENT);
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return Error{"cannot read " + path + ": " + std::strerror(errno)};
  Elf* elf = ::elf_begin(fd, ELF_C_READ_MMAP, nullptr);
  GElf_Ehdr header;
  if (elf == nullptr || ::elf_kind(elf) != ELF_K_ELF || ::gelf_getehdr(elf, &header) == nullptr) {
    ::elf_end(elf);
    ::close(fd);
    return Error{path + " is no ELF file"};
  }
  ElfFile file;
  file.path = path;
  file.machine = header.e_machine;
  file.native = header.e_machine == EM_X86_64 && header.e_ident[EI_CLASS] == ELFCLASS64;
  std::size_t segments = 0;
  ::elf_getphdrnum(elf, &segments);
  for (std::size_t i = 0; i < segments; ++i) {
    GElf_Phdr segment;
    if (::gelf_getphdr(elf, static_cast<int>(i), &segment) == nullptr) break;
    file.interpreted = file.interpreted || segment.p_type == PT_INTERP;
    file.dynamic = file.dynamic || segment.p_type == PT_DYNAMIC;
  }
  file.executable = header.e_type == ET_EXEC || (header.e_type == ET_DYN && file.interpreted);
  Elf_Scn* section = nullptr;
  while ((section = ::elf_nextscn(elf, section)) != nullptr) {
    GElf_Shdr shape;
    if (::gelf_getshdr(section, &shape) == nullptr) continue;
    if (shape.sh_type == SHT_DYNAMIC) read_dynamic(elf, section, shape, file);
    if (shape.sh_type == SHT_DYNSYM || shape.sh_type == SHT_SYMTAB)
      read_symbols(elf, section, shape, file);
  }
  ::elf_end(elf);
  ::close(fd);
  return file;
}

std::string find_library(const std::string& soname) {
  const auto self = read_elf("/proc/self/exe");
  return self.ok() ? locate(soname, self.value(), {}, LinkerCache()) : "";
}

MpiLibrary find_mpi(const std::string& path) {
  const LinkerCache cache;
  struct Visit {
    std::string path;
    std::vector<std::string> rpath;
  };
  // Breadth first, as the dynamic linker does: the first library that defines MPI is the one whose
  // symbols are used. A second one means that parts of the program were built for another.
  std::vector<Visit> queue = {{path, {}}};
  std::set<std::string> seen;
  MpiLibrary found_mpi;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const Visit visit = queue[i];
    const auto read = read_elf(visit.path);
    if (!read.ok()) continue;
    const ElfFile& file = read.value();
    if (i > 0 && file.defines_mpi) {
      if (found_mpi.path.empty()) {
        found_mpi = {file.mpi, file.path, {}};
      } else if (file.mpi != found_mpi.kind) {
        found_mpi.second = file.path;
        break;
      }
      continue;  // what it needs itself brings no other one
    }
    std::vector<std::string> rpath = visit.rpath;
    if (file.runpath.empty()) {
      for (const std::string& d : file.rpath)
        rpath.insert(rpath.begin(), with_origin(d, file.path));
    }
    for (const std::string& soname : file.needed) {
      if (!seen.insert(soname).second) continue;
      if (std::string found = locate(soname, file, visit.rpath, cache); !found.empty())
        queue.push_back({std::move(found), rpath});
    }
  }
  return found_mpi;
}

}  // namespace vouch
