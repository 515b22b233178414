// Places in the program's text, each with one number for all ranks.
//
// A rank tells a place as (module, offset of the return address), Python as (file, line, function),
// a text trace as "file:line". Equal places of different ranks get the same Site. What it is in
// source lines is looked up when somebody asks, from the files on disk, so it also works when the
// process is dead.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/ids.h"

namespace vouch {

struct SourcePlace {
  std::string file;      // relative to the working directory if below it, else its base name; the
                         // module without lines
  int line = 0;          // 0: no debug information
  std::string function;  // "" unknown
  std::uint64_t offset = 0;  // without a line: from the function, or from the module
  std::string path;          // absolute path of the source file, "" without a line
};

// An address in a loaded object. `offset` is the return address less the load bias, that is, the
// ELF virtual address.
struct Frame {
  std::string_view module;
  std::uint64_t offset = 0;
};

// A site as another agent can take it over: the same place has the same Site there, whether it has
// the program's files or not.
struct PortableSite {
  bool native = false, exact = false;
  std::string module;
  std::uint64_t offset = 0;
  SourcePlace place;
  std::optional<SourcePlace> application;
};

class Symbolizer;
struct DataObject;

class SiteTable {
 public:
  // `files`: shared by several tables, each file is opened once.
  explicit SiteTable(std::shared_ptr<Symbolizer> files = nullptr);
  ~SiteTable();
  SiteTable(const SiteTable&) = delete;
  SiteTable& operator=(const SiteTable&) = delete;

  // `callers`: the frames above the call, innermost first; those of the first time are kept.
  Site intern(Frame call, std::span<const Frame> callers = {});
  Site intern_python(std::string_view file, int line, std::string_view function);
  // The call by the way to it: another site for each list of callers.
  Site with_path(Site call, const std::vector<Site>& callers);
  // The callers of such a one, innermost first; empty for all others.
  const std::vector<Site>& path(Site) const;
  Site intern_text(std::string_view text);  // "ring.c:31", or any other words
  // A faulting address: the instruction itself, not the one before it.
  Site intern_exact(Frame at);

  PortableSite portable(Site);
  Site adopt(const PortableSite&);

  // Lives as long as the table. Site 0 is an empty place.
  const SourcePlace& resolve(Site);
  // Of all sites of one source line the one that was asked for first; itself without a line.
  Site first_of_line(Site);
  // The innermost frame of the application itself, if the call lies in another shared library.
  const SourcePlace* application_frame(Site);
  // Of the C++ library or the C library: what calls a thread's function, or the program's through a
  // container.
  bool in_runtime(Site);
  // Text of the line, without its line end; "" if it cannot be read or is newer than the program.
  std::string source_line(Site);

  // The global variable around an address of data; nullptr: not known.
  const DataObject* object_at(Frame);

  std::size_t size() const { return entries_.size(); }
  // A module without lines was asked for: "compile with -g" helps.
  bool lacks_lines() const { return lacks_lines_; }

 private:
  struct Address {
    std::uint32_t module = 0;
    std::uint64_t offset = 0;
  };
  struct Entry {
    bool native = false, exact = false;
    Address address;
    std::vector<Address> callers;
    std::vector<Site> path;
    std::optional<SourcePlace> place, application;
    bool looked_for_application = false;
  };

  std::uint32_t module_number(std::string_view path);
  Site intern_entry(std::string key, Entry entry);
  SourcePlace look_up(Address, bool exact);

  std::vector<Entry> entries_;
  std::unordered_map<std::string, std::uint32_t> known_;
  std::unordered_map<std::string, Site> lines_;
  std::vector<std::string> modules_;
  std::unordered_map<std::string, std::uint32_t> module_numbers_;
  std::shared_ptr<Symbolizer> symbolizer_;
  bool lacks_lines_ = false;
};

}  // namespace vouch
