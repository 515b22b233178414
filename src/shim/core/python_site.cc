// The Python line that makes an MPI call through mpi4py.
//
// The interpreter is reached by name, as far as the process has one; nothing is linked. mpi4py
// gives up the interpreter lock around calls that may block, so it is taken here for a moment.

#include <dlfcn.h>

#include <cstring>

#include "shim/core/meta.h"
#include "shim/core/paths.h"
#include "shim/core/sites.h"

namespace vouch::shim {

namespace {

struct Python {
  int (*is_initialized)();
  int (*is_finalizing)();  // may be missing
  int (*ensure)();
  void (*release)(int);
  void* (*get_frame)();
  void* (*get_code)(void*);
  void* (*get_back)(void*);
  int (*get_line)(void*);
  void* (*get_attribute)(void*, const char*);
  const char* (*as_utf8)(void*);
  void (*fetch_error)(void**, void**, void**);
  void (*restore_error)(void*, void*, void*);
  void (*decref)(void*);
  void (*incref)(void*);
  bool usable;
};

template <typename T>
bool find(T& function, const char* name) {
  function = reinterpret_cast<T>(::dlsym(RTLD_DEFAULT, name));
  return function != nullptr;
}

const Python& python() {
  static Python p;
  static std::atomic<int> state;  // 0: not looked, 1: looked
  if (state.load(std::memory_order_acquire) == 0) {
    Python found{};
    found.usable =
        find(found.is_initialized, "Py_IsInitialized") && find(found.ensure, "PyGILState_Ensure") &&
        find(found.release, "PyGILState_Release") && find(found.get_frame, "PyEval_GetFrame") &&
        find(found.get_code, "PyFrame_GetCode") && find(found.get_back, "PyFrame_GetBack") &&
        find(found.get_line, "PyFrame_GetLineNumber") &&
        find(found.get_attribute, "PyObject_GetAttrString") &&
        find(found.as_utf8, "PyUnicode_AsUTF8") && find(found.fetch_error, "PyErr_Fetch") &&
        find(found.restore_error, "PyErr_Restore") && find(found.decref, "Py_DecRef") &&
        find(found.incref, "Py_IncRef");
    if (!find(found.is_finalizing, "Py_IsFinalizing"))
      find(found.is_finalizing, "_Py_IsFinalizing");
    p = found;
    state.store(1, std::memory_order_release);
  }
  return p;
}

// Code objects that were seen, by line. Guarded by the interpreter lock; a kept reference keeps the
// address unique.
struct Line {
  void* code;
  std::uint32_t line, site;
  bool helper;  // the place of a call only where no frame of the user's is above
};
constexpr std::uint64_t kLines = 1 << 14;
Line* lines;
std::uint64_t line_count;

Line* slot(void* code, std::uint32_t line) {
  if (lines == nullptr) lines = static_cast<Line*>(pages(kLines * sizeof(Line)));
  if (lines == nullptr) return nullptr;
  const std::uint64_t key = (reinterpret_cast<std::uint64_t>(code) >> 4) * 0x9E3779B97F4A7C15u +
                            line * 0xC2B2AE3D27D4EB4Fu;
  for (std::uint64_t i = key >> 50;; i = (i + 1) & (kLines - 1)) {
    if (lines[i].code == nullptr || (lines[i].code == code && lines[i].line == line))
      return &lines[i];
  }
}

struct Name {
  void* object = nullptr;
  Text text{"", 0};
};

Name attribute(const Python& p, void* object, const char* name) {
  Name result;
  result.object = p.get_attribute(object, name);
  const char* utf8 = result.object != nullptr ? p.as_utf8(result.object) : nullptr;
  if (utf8 != nullptr) result.text = {utf8, std::strlen(utf8)};
  return result;
}

bool contains(const Text& text, const char* part) {
  return std::strstr(text.data, part) != nullptr;
}

std::uint32_t site_of(const Python& p, Thread& t, void* code, std::uint32_t line,
                      const Text& file) {
  Line* known = slot(code, line);
  if (known == nullptr) return 0;
  if (known->code != nullptr) return known->site;
  if (line_count >= kLines / 2) return 0;
  const Name function = attribute(p, code, "co_name");
  const std::uint32_t number = new_site_number();
  const std::uint64_t words[] = {number, line};
  const Text texts[] = {file, function.text};
  write_meta(t, wire::Meta::python_site, words, 2, texts, 2);
  if (function.object != nullptr) p.decref(function.object);
  p.incref(code);
  ++line_count;
  *known = {code, line, number, false};
  return number;
}

// Whose a frame is, by the file of its code.
enum class Owner : std::uint8_t {
  mpi,     // mpi4py's own modules, the import machinery: never the place of a call
  helper,  // Python's own library (unittest, concurrent) or an installed package: a place only
           // where there is no other
  user,
};

Owner owner_of(const Text& file) {
  if (contains(file, "<frozen ") || contains(file, "/mpi4py/")) return Owner::mpi;
  const bool installed = contains(file, "/site-packages/") || contains(file, "/dist-packages/") ||
                         contains(file, "/lib/python3.") || contains(file, "/lib64/python3.");
  return installed ? Owner::helper : Owner::user;
}

// A frame, held by references of its own.
struct Held {
  void* frame = nullptr;
  void* code = nullptr;
  std::uint32_t line = 0;
};

std::uint32_t site_of(const Python& p, Thread& t, const Held& held) {
  const Name file = attribute(p, held.code, "co_filename");
  const std::uint32_t site = site_of(p, t, held.code, held.line, file.text);
  if (file.object != nullptr) p.decref(file.object);
  return site;
}

// A new site: the place and its callers. 0: it could not be told.
std::uint32_t tell_path(const Python& p, Thread& t, const Held& place, const Held* callers,
                        unsigned count) {
  Name names[2 * (kMaxPath + 1)];
  Text texts[2 + 3 * kMaxPath];
  char digits[kMaxPath][12];
  unsigned used = 0;
  const auto name = [&](unsigned i, const Held& held) {
    names[2 * i] = attribute(p, held.code, "co_filename");
    names[2 * i + 1] = attribute(p, held.code, "co_name");
    texts[used++] = names[2 * i].text;
    texts[used++] = names[2 * i + 1].text;
  };
  name(0, place);
  for (unsigned i = 0; i < count; ++i) {
    name(i + 1, callers[i]);
    unsigned at = sizeof(digits[i]);
    std::uint32_t line = callers[i].line;
    do {
      digits[i][--at] = static_cast<char>('0' + line % 10);
      line /= 10;
    } while (line != 0);
    texts[used++] = {digits[i] + at, sizeof(digits[i]) - at};
  }
  const std::uint32_t number = new_site_number();
  const std::uint64_t words[] = {number, place.line};
  const bool told = write_meta(t, wire::Meta::python_site, words, 2, texts, used);
  for (const Name& n : names) {
    if (n.object != nullptr) p.decref(n.object);
  }
  return told ? number : 0;
}

// The innermost frame that is the user's; if all belong to helpers, the innermost of these.
std::uint32_t look(const Python& p, Thread& t) {
  Held at{p.get_frame()}, helper;
  if (at.frame == nullptr) return 0;
  p.incref(at.frame);
  std::uint32_t site = 0;
  while (at.frame != nullptr && site == 0) {
    at.code = p.get_code(at.frame);
    at.line = static_cast<std::uint32_t>(p.get_line(at.frame));
    Line* known = slot(at.code, at.line);
    Owner owner = Owner::mpi;
    if (known != nullptr && known->code != nullptr && !known->helper) {
      site = known->site;
    } else {
      const Name file = attribute(p, at.code, "co_filename");
      owner = owner_of(file.text);
      if (file.object != nullptr) p.decref(file.object);
      if (owner == Owner::user) {
        site = site_of(p, t, at);
        if (site == 0) break;  // no room: the call keeps its place in mpi4py
      }
    }
    void* outer = p.get_back(at.frame);
    if (owner == Owner::helper && helper.frame == nullptr) {
      helper = at;
    } else {
      p.decref(at.code);
      p.decref(at.frame);
    }
    at = {outer};
  }
  if (at.frame != nullptr) {
    if (at.code != nullptr) p.decref(at.code);
    p.decref(at.frame);
  }
  if (helper.frame == nullptr) return site;
  if (site == 0) {
    site = site_of(p, t, helper);
    if (Line* known = slot(helper.code, helper.line); known != nullptr && known->code != nullptr)
      known->helper = true;
  }
  p.decref(helper.code);
  p.decref(helper.frame);
  return site;
}

// The frames above that of `site`, as a site of its own.
std::uint32_t with_callers(const Python& p, Thread& t, std::uint32_t site) {
  Held at{p.get_frame()}, place;
  Held callers[kMaxPath + 1];
  unsigned count = 0;
  std::uint64_t hash = mix_path(~std::uint64_t{0}, site);
  p.incref(at.frame);
  while (at.frame != nullptr && count < path_length) {
    at.code = p.get_code(at.frame);
    at.line = static_cast<std::uint32_t>(p.get_line(at.frame));
    void* outer = p.get_back(at.frame);
    const Line* known = slot(at.code, at.line);
    if (place.frame != nullptr) {
      hash = mix_path(mix_path(hash, reinterpret_cast<std::uint64_t>(at.code)), at.line);
      callers[count++] = at;
    } else if (known != nullptr && known->code != nullptr && known->site == site) {
      place = at;
    } else {
      p.decref(at.code);
      p.decref(at.frame);
    }
    at = {outer};
  }
  if (at.frame != nullptr) p.decref(at.frame);
  std::uint32_t number = place.frame != nullptr && count > 0 ? find_path(hash) : site;
  if (number == 0) {
    number = tell_path(p, t, place, callers, count);
    // A reference keeps the address of a code object unique.
    if (number != 0 && keep_path(hash, number)) {
      for (unsigned i = 0; i < count; ++i) p.incref(callers[i].code);
    }
    if (number == 0) number = site;
  }
  if (place.frame != nullptr) callers[count++] = place;
  for (unsigned i = 0; i < count; ++i) {
    p.decref(callers[i].code);
    p.decref(callers[i].frame);
  }
  return number;
}

}  // namespace

std::uint32_t python_site(Thread& t) {
  const Python& p = python();
  if (!p.usable || p.is_initialized() == 0) return 0;
  if (p.is_finalizing != nullptr && p.is_finalizing() != 0) return 0;
  const int held = p.ensure();
  void *type, *value, *trace;
  p.fetch_error(&type, &value, &trace);
  std::uint32_t site = look(p, t);
  if (site != 0 && path_length > 0) site = with_callers(p, t, site);
  p.restore_error(type, value, trace);
  p.release(held);
  return site;
}

}  // namespace vouch::shim
