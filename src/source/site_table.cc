#include "source/site_table.h"

#include <charconv>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "base/check.h"
#include "source/names.h"
#include "source/symbolizer.h"

namespace fs = std::filesystem;

namespace vouch {

namespace {

// As people name it: relative to where they stand, or just its name.
std::string shown(const std::string& path) {
  if (path.empty()) return path;
  std::error_code ignored;
  const fs::path here = fs::current_path(ignored);
  const fs::path relative = fs::path(path).lexically_relative(here);
  if (!here.empty() && !relative.empty() && *relative.begin() != "..") return relative.string();
  return fs::path(path).filename().string();
}

std::string read_line(const std::string& path, int number) {
  std::ifstream in(path);
  std::string line;
  for (int i = 0; i < number; ++i)
    if (!std::getline(in, line)) return {};
  while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
  return line;
}

template <typename T>
void append(std::string& key, T value) {
  key.append(reinterpret_cast<const char*>(&value), sizeof value);
}

// What ships with the system was not compiled by the user: no use in asking for -g.
bool of_the_system(std::string_view module) {
  return module.starts_with("/usr/") || module.starts_with("/lib");
}

}  // namespace

SiteTable::SiteTable(std::shared_ptr<Symbolizer> files)
    : symbolizer_(files != nullptr ? std::move(files) : std::make_shared<Symbolizer>()) {
  entries_.emplace_back();  // Site 0: unknown
  entries_[0].place.emplace();
}
SiteTable::~SiteTable() = default;

std::uint32_t SiteTable::module_number(std::string_view path) {
  const auto [at, is_new] =
      module_numbers_.try_emplace(std::string(path), static_cast<std::uint32_t>(modules_.size()));
  if (is_new) modules_.emplace_back(path);
  return at->second;
}

Site SiteTable::intern_entry(std::string key, Entry entry) {
  const auto [at, is_new] =
      known_.try_emplace(std::move(key), static_cast<std::uint32_t>(entries_.size()));
  if (is_new) entries_.push_back(std::move(entry));
  return Site{at->second};
}

Site SiteTable::intern(Frame call, std::span<const Frame> callers) {
  if (call.module.empty()) return Site{};  // such an address is another one in each process
  Entry entry;
  entry.native = true;
  entry.address = {module_number(call.module), call.offset};
  std::string key = "n";
  append(key, entry.address.module);
  append(key, entry.address.offset);
  if (const auto at = known_.find(key); at != known_.end()) return Site{at->second};
  for (const Frame& frame : callers)
    entry.callers.push_back({module_number(frame.module), frame.offset});
  return intern_entry(std::move(key), std::move(entry));
}

Site SiteTable::intern_exact(Frame at) {
  if (at.module.empty()) return Site{};
  Entry entry;
  entry.native = entry.exact = true;
  entry.address = {module_number(at.module), at.offset};
  std::string key = "x";
  append(key, entry.address.module);
  append(key, entry.address.offset);
  return intern_entry(std::move(key), std::move(entry));
}

Site SiteTable::intern_python(std::string_view file, int line, std::string_view function) {
  std::string key = "p";
  append(key, line);
  key.append(file).append(1, '\0').append(function);
  Entry entry;
  std::error_code ignored;
  const std::string path = fs::absolute(file, ignored).lexically_normal().string();
  entry.place = SourcePlace{shown(path), line, std::string(function), 0, path};
  return intern_entry(std::move(key), std::move(entry));
}

Site SiteTable::with_path(Site call, const std::vector<Site>& callers) {
  std::string key = "c";
  append(key, call.value);
  for (const Site caller : callers) append(key, caller.value);
  if (const auto at = known_.find(key); at != known_.end()) return Site{at->second};
  Entry entry = entries_[call.value];
  entry.path = callers;
  entry.callers.clear();
  for (const Site caller : callers) {
    if (entries_[caller.value].native) entry.callers.push_back(entries_[caller.value].address);
  }
  return intern_entry(std::move(key), std::move(entry));
}

const std::vector<Site>& SiteTable::path(Site site) const {
  VOUCH_CHECK(site.value < entries_.size());
  return entries_[site.value].path;
}

Site SiteTable::intern_text(std::string_view text) {
  if (text.empty()) return Site{};
  Entry entry;
  entry.place.emplace();
  entry.place->file = text;
  const std::size_t colon = text.rfind(':');
  if (colon != std::string_view::npos && colon + 1 < text.size()) {
    int line = 0;
    const char* end = text.data() + text.size();
    if (std::from_chars(text.data() + colon + 1, end, line).ptr == end && line > 0) {
      entry.place->file = text.substr(0, colon);
      entry.place->line = line;
    }
  }
  return intern_entry("t" + std::string(text), std::move(entry));
}

PortableSite SiteTable::portable(Site site) {
  PortableSite result;
  result.place = resolve(site);
  if (const SourcePlace* from = application_frame(site)) result.application = *from;
  const Entry& entry = entries_[site.value];
  result.native = entry.native;
  result.exact = entry.exact;
  result.offset = entry.address.offset;
  if (entry.native) result.module = modules_[entry.address.module];
  return result;
}

Site SiteTable::adopt(const PortableSite& from) {
  const SourcePlace& place = from.place;
  if (!from.native) {
    return place.path.empty()
               ? intern_text(place.line > 0 ? place.file + ':' + std::to_string(place.line)
                                            : place.file)
               : intern_python(place.path, place.line, place.function);
  }
  const std::size_t before = entries_.size();
  const Frame at{from.module, from.offset};
  const Site site = from.exact ? intern_exact(at) : intern(at);
  if (site.value >= before) {
    Entry& entry = entries_[site.value];
    entry.place = place;
    entry.application = from.application;
    entry.looked_for_application = true;
  }
  return site;
}

SourcePlace SiteTable::look_up(Address address, bool exact) {
  const std::string& module = modules_[address.module];
  // The return address is the instruction after the call, perhaps of the next line or even the next
  // function.
  const std::uint64_t back = exact || address.offset == 0 ? 0 : 1;
  const Symbol symbol = symbolizer_->look_up(module, address.offset - back);
  SourcePlace place;
  place.function = symbol.function;
  if (symbol.line > 0) {
    place.file = shown(symbol.path);
    place.line = symbol.line;
    place.path = symbol.path;
  } else {
    place.file = fs::path(module).filename().string();
    place.offset = symbol.function.empty() ? address.offset : symbol.function_offset + back;
    // What the compiler adds to start the program never has lines.
    if (!of_the_system(module) && symbol.function != "_start") lacks_lines_ = true;
  }
  return place;
}

const SourcePlace& SiteTable::resolve(Site site) {
  VOUCH_CHECK(site.value < entries_.size());
  Entry& entry = entries_[site.value];
  if (!entry.place) entry.place = look_up(entry.address, entry.exact);
  return *entry.place;
}

Site SiteTable::first_of_line(Site site) {
  const SourcePlace& place = resolve(site);
  if (place.line <= 0) return site;
  const std::string& file = place.path.empty() ? place.file : place.path;
  return lines_.try_emplace(file + ':' + std::to_string(place.line), site).first->second;
}

const SourcePlace* SiteTable::application_frame(Site site) {
  VOUCH_CHECK(site.value < entries_.size());
  Entry& entry = entries_[site.value];
  if (!entry.native) return nullptr;
  if (!entry.looked_for_application) {
    entry.looked_for_application = true;
    if (!symbolizer_->is_program(modules_[entry.address.module])) {
      for (const Address& caller : entry.callers) {
        if (!symbolizer_->is_program(modules_[caller.module])) continue;
        entry.application = look_up(caller, false);
        break;
      }
    }
  }
  return entry.application ? &*entry.application : nullptr;
}

bool SiteTable::in_runtime(Site site) {
  const SourcePlace& place = resolve(site);
  if (!place.path.empty() && of_cxx_library(place.path)) return true;
  const Entry& entry = entries_[site.value];
  if (!entry.native) return false;
  const std::string& module = modules_[entry.address.module];
  const std::string_view name = std::string_view(module).substr(module.rfind('/') + 1);
  for (const std::string_view start : {"libstdc++.", "libc++.", "libc.so", "libc-", "libpthread"}) {
    if (name.starts_with(start)) return true;
  }
  return false;
}

std::string SiteTable::source_line(Site site) {
  const SourcePlace& place = resolve(site);
  if (place.line <= 0 || place.path.empty()) return {};
  const Entry& entry = entries_[site.value];
  if (entry.native) {
    // Edited since it was compiled: the line is another one by now.
    std::error_code no_source, no_module;
    const auto source = fs::last_write_time(place.path, no_source);
    const auto module = fs::last_write_time(modules_[entry.address.module], no_module);
    if (no_source || no_module || source > module) return {};
  }
  return read_line(place.path, place.line);
}

const DataObject* SiteTable::object_at(Frame at) {
  return symbolizer_->object_at(std::string(at.module), at.offset);
}

}  // namespace vouch
