// From records to text: every word of a record stands in the line, so that reading it gives the
// record back.

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstring>
#include <string>

#include "event/access.h"
#include "event/claim.h"
#include "event/text.h"
#include "event/text_line.h"

namespace vouch {
namespace {

std::string hex(std::uint64_t value) {
  char digits[16];
  const auto end = std::to_chars(digits, digits + 16, value, 16).ptr;
  return "0x" + std::string(digits, end);
}

std::string address(std::uint64_t value) {
  const std::string_view name = sentinel_name(value);
  return name.empty() ? hex(value) : std::string(name);
}

std::string short_name(Constant c) {
  return std::string(info(c).name).substr(info(c).name[3] == '_' ? 4 : 0);
}

Constant constant_of(const TextContext& context, Kind kind, std::uint64_t raw) {
  return context.constant_of ? context.constant_of(kind, raw) : text_constant(kind, raw);
}

std::string integer(std::int64_t value) {
  switch (value) {
    case wire::kAnySource:
      return "ANY_SOURCE";
    case wire::kProcNull:
      return "PROC_NULL";
    case wire::kRoot:
      return "ROOT";
    case wire::kAnyTag:
      return "ANY_TAG";
    case wire::kUndefined:
      return "UNDEFINED";
    default:
      break;
  }
  if (wire::is_canonical(value)) {  // near no end of the range: the difference fits
    const std::int64_t id = value - wire::kConstantBase;
    if (id > 0 && id < static_cast<std::int64_t>(Constant::count_))
      return short_name(static_cast<Constant>(id));
  }
  return std::to_string(value);
}

std::string one(const TextContext& context, const Param& p, std::int64_t value) {
  if (is_handle(p.kind)) {
    const Constant c = constant_of(context, p.kind, static_cast<std::uint64_t>(value));
    return c != Constant::none ? short_name(c) : hex(static_cast<std::uint64_t>(value));
  }
  if (is_address(p.kind) || p.kind == Kind::status)
    return address(static_cast<std::uint64_t>(value));
  return integer(value);
}

std::string status_text(const TextContext& context, const wire::Status& s) {
  std::string text =
      "(" + std::to_string(s.source) + "," + std::to_string(s.tag) + "," + std::to_string(s.bytes);
  if (s.error != 0 || s.flags != 0) {
    const Constant c =
        s.error == 0 ? Constant::none
                     : constant_of(context, Kind::error_class, static_cast<std::uint64_t>(s.error));
    text += "," + (c != Constant::none ? short_name(c) : std::to_string(s.error)) + "," +
            std::to_string(s.flags);
  }
  return text + ")";
}

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    const auto u = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (u < 0x20 || u >= 0x7f) {
      static const char kDigits[] = "0123456789abcdef";
      result += "\\x";
      result += kDigits[u >> 4];
      result += kDigits[u & 15];
    } else {
      result += c;
    }
  }
  return result + "\"";
}

std::string elements(const TextContext& context, const Param& p, const ArrayView& a) {
  if (p.elem_size == 1) return quoted(a.text());
  std::string text = "[";
  for (std::uint64_t k = 0; k < a.size(); ++k) {
    if (k > 0) text += ",";
    text += p.kind == Kind::status ? status_text(context, a.status(k)) : one(context, p, a[k]);
  }
  return text + "]";
}

std::string head(const TextContext& context) {
  std::string text = std::to_string(context.rank);
  if (context.thread != 0) text += "." + std::to_string(context.thread);
  return text + " ";
}

// Procedures keep their full prefix where it is not MPI_: "T_init_thread", "MPIX_Bcast_init".
std::string proc_name(const ProcInfo& info) {
  const std::string_view name = info.name;
  return std::string(name.starts_with("MPI_") ? name.substr(4) : name);
}

std::string results(const Event& leave, const TextContext& context) {
  const ProcInfo& info = leave.info();
  std::string text;
  for (std::size_t p = 0; p < info.params.size(); ++p) {
    if (info.params[p].leave_word < 0) continue;
    text += (text.empty() ? std::string(" -> ") : std::string(" ")) + info.params[p].name + "=" +
            print_result(leave, static_cast<int>(p), context);
  }
  if (leave.error_class() != 0) {
    const Constant c =
        constant_of(context, Kind::error_class, static_cast<std::uint64_t>(leave.error_class()));
    text += " !" + (c != Constant::none ? short_name(c) : std::to_string(leave.error_class()));
  }
  return text;
}

}  // namespace

std::string print_value(const Event& enter, int param, const TextContext& context) {
  const Param& p = enter.info().params[static_cast<std::size_t>(param)];
  const std::string at = "&" + address(enter.address(param));
  switch (p.shape) {
    case Shape::scalar:
      return one(context, p, enter.value(param));
    case Shape::pointer_out:
      return at;
    case Shape::pointer_inout:
      return one(context, p, enter.value(param)) + at;
    case Shape::array_out:
      return "#" + std::to_string(enter.length(param)) + at;
    default:
      return elements(context, p, enter.array(param)) + at;
  }
}

std::string print_result(const Event& leave, int param, const TextContext& context) {
  const Param& p = leave.info().params[static_cast<std::size_t>(param)];
  if (p.is_array()) return elements(context, p, leave.result_array(param));
  if (p.kind == Kind::status) return status_text(context, leave.result_status(param));
  return one(context, p, leave.result(param));
}

std::string print_call(const Event& enter, const Event* leave, const TextContext& context) {
  const ProcInfo& info = enter.info();
  std::string text = head(context) + proc_name(info);
  for (std::size_t p = 0; p < info.params.size(); ++p) {
    text += std::string(" ") + info.params[p].name + "=" +
            print_value(enter, static_cast<int>(p), context);
  }
  if (!context.site.empty()) text += " @" + std::string(context.site);
  return text + (leave != nullptr ? results(*leave, context) : std::string(" ..."));
}

std::string print_leave(const Event& leave, const TextContext& context) {
  return head(context) + "return " + proc_name(leave.info()) + results(leave, context);
}

std::string print_claim(const Event& meta, const TextContext& context) {
  const Claim claim = claim_of(meta);
  std::string text = head(context);
  text += claim.kind == wire::ClaimKind::assume ? "assume " : "assert ";
  text += quoted(claim.condition);
  if (!claim.names.empty()) text += " names=" + quoted(claim.names);
  if (!claim.terms.empty()) {
    text += " terms=[";
    for (const Term& t : claim.terms) {
      if (&t != claim.terms.data()) text += ",";
      text += hex(t.address) + "," + std::to_string(t.form) + "," + std::to_string(t.value);
    }
    text += "]";
  }
  text += claim.holds ? " holds=1" : " holds=0";
  if (!context.site.empty()) text += " @" + std::string(context.site);
  return text;
}

std::string print_access(const Event& meta, const TextContext& context) {
  AccessPattern a;
  unpack(meta.words(), meta.header().words, a);  // it was sound
  std::string text = head(context) + std::string(name(a.kind)) + " " + hex(a.address) + " " +
                     std::to_string(a.bytes);
  if (a.count > 1) text += " step=" + std::to_string(a.step) + " count=" + std::to_string(a.count);
  if (a.rows > 1) text += " stride=" + std::to_string(a.stride) + " rows=" + std::to_string(a.rows);
  if (!context.site.empty()) text += " @" + std::string(context.site);
  return text;
}

std::string print_sent(const Event& meta, const TextContext& context) {
  const std::string_view bytes = value_of(meta);
  std::string text = head(context) + "value";
  for (std::size_t at = 0; at < bytes.size(); at += 4) {
    std::int32_t four = 0;
    std::memcpy(&four, &bytes[at], std::min<std::size_t>(4, bytes.size() - at));
    text += " " + std::to_string(four);
  }
  if (bytes.size() % 4 != 0) text += " bytes=" + std::to_string(bytes.size());
  return text;
}

std::string print_meta(const Event& meta, const TextContext& context) {
  static constexpr const char* kNames[] = {
      "none",    "library",  "module",   "site",   "python_site", "constant",    "communicator",
      "world",   "blob",     "thread",   "exit",   "signal",      "lost",        "block",
      "freed",   "modified", "issued",   "inside", "claim",       "value",       "polls",
      "decided", "diverged", "threaded", "access", "exposed",     "instrumented"};
  std::string text = head(context) + "# ";
  const std::size_t which = meta.header().proc;
  text += which < std::size(kNames) ? kNames[which] : "meta " + std::to_string(which);
  for (std::uint32_t w = 0; w < meta.header().words; ++w)
    text += " " + hex(meta.word(static_cast<int>(w)));
  return text;
}

}  // namespace vouch
