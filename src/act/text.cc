#include "act/text.h"

namespace vouch {
namespace {

const char* name_of(Act::What what) {
  constexpr const char* kNames[] = {"called",  "posted",    "returned", "withdrawn", "prepared",
                                    "started", "received",  "ready",    "awaited",   "completed",
                                    "asked",   "cancelled", "freed"};
  return kNames[static_cast<std::size_t>(what)];
}

std::string key_text(OperationKey key) {
  const auto part = static_cast<std::uint32_t>(key);
  return "#" + std::to_string(call_of(key)) + (part == 0 ? "" : "." + std::to_string(part));
}

std::string number(std::int64_t value, std::int64_t any) {
  return value == any ? "any" : std::to_string(value);
}

std::string side_text(const char* word, const Transfer& side) {
  if (!side.there) return "";
  return std::string(" ") + word + " " + number(side.peer, wire::kAnySource) + ":" +
         number(side.tag, wire::kAnyTag) + (side.sound ? "" : " unsound");
}

std::string status_text(const wire::Status& status) {
  if (!status.defined()) return "";
  if (status.cancelled()) return " cancelled";
  if (!status.names_message()) return "";
  return " from " + std::to_string(status.source) + ":" + std::to_string(status.tag);
}

std::string part_text(const Act& act, const NamedPart& part) {
  std::string text = " " + key_text(part.op);
  if (!part.certain) text += "?";
  if (act.what != Act::What::completed) return text;
  if (!part.done) return text + " pending";
  return text + (part.error != 0 ? " error" : "") + status_text(part.status);
}

const char* receive_word(CallRole role) {
  return role == CallRole::probe ? "look" : role == CallRole::mprobe ? "match" : "recv";
}

}  // namespace

std::string to_text(const Process& process, const Call& call, const Act& act) {
  using What = Act::What;
  std::string text =
      std::to_string(process.rank.value) + key_text(act.op) + " " + name_of(act.what);
  switch (act.what) {
    case What::called:
    case What::posted:
    case What::prepared:
    case What::started:
    case What::asked:
      if (act.pattern != 0) text += " " + key_text(act.pattern);
      if (act.mode != SendMode::standard)
        text += act.mode == SendMode::buffered ? " buffered"
                : act.mode == SendMode::ready  ? " ready"
                                               : " synchronous";
      text += side_text("send", act.send) + side_text(receive_word(call.info().role), act.recv);
      if (act.partitions > 0) text += " partitions " + std::to_string(act.partitions);
      break;
    case What::returned:
      text += status_text(act.status);
      break;
    case What::ready:
      text += " " + std::to_string(act.partitions);
      break;
    default:
      break;
  }
  if (act.pattern == 0 && act.what != What::ready) {
    for (const NamedPart& part : act.parts) text += part_text(act, part);
  }
  return text;
}

}  // namespace vouch
