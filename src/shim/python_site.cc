// The Python line that makes an MPI call through mpi4py.
//
// The interpreter is reached by name, as far as the process has one; nothing is linked. mpi4py
// gives up the interpreter lock around calls that may block, so it is taken here for a moment.

#include <dlfcn.h>

#include <cstring>

#include "shim/meta.h"
#include "shim/sites.h"

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
  *known = {code, line, number};
  return number;
}

// The innermost frame that is the user's: not mpi4py's own modules, not the import machinery.
std::uint32_t look(const Python& p, Thread& t) {
  void* frame = p.get_frame();
  if (frame == nullptr) return 0;
  p.incref(frame);
  std::uint32_t site = 0;
  while (frame != nullptr && site == 0) {
    void* code = p.get_code(frame);
    const auto line = static_cast<std::uint32_t>(p.get_line(frame));
    Line* known = slot(code, line);
    if (known != nullptr && known->code != nullptr) {
      site = known->site;
    } else {
      const Name file = attribute(p, code, "co_filename");
      const bool own = contains(file.text, "<frozen importlib") || contains(file.text, "/mpi4py/");
      if (!own) site = site_of(p, t, code, line, file.text);
      if (file.object != nullptr) p.decref(file.object);
      if (!own && site == 0) {
        p.decref(code);
        break;
      }
    }
    p.decref(code);
    void* outer = p.get_back(frame);
    p.decref(frame);
    frame = outer;
  }
  if (frame != nullptr) p.decref(frame);
  return site;
}

}  // namespace

std::uint32_t python_site(Thread& t) {
  const Python& p = python();
  if (!p.usable || p.is_initialized() == 0) return 0;
  if (p.is_finalizing != nullptr && p.is_finalizing() != 0) return 0;
  const int held = p.ensure();
  void *type, *value, *trace;
  p.fetch_error(&type, &value, &trace);
  const std::uint32_t site = look(p, t);
  p.restore_error(type, value, trace);
  p.release(held);
  return site;
}

}  // namespace vouch::shim
