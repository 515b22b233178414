// Any bytes as a trace file: a clear sentence, or a trace whose text can be read again. libFuzzer
// looks for the bytes where that is not so.
//
// Checksums would keep it from ever coming far, so the input is taken for the chunks alone: a byte
// for the kind, one for the process, two for the length, the payload; headers and checksums are put
// around it. An input that begins with 0 is a file as it stands.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string>

#include "trace/dump.h"
#include "trace/format.h"
#include "trace/load.h"

namespace {

using namespace vouch;

void require(bool good, const char* what, const std::string& detail) {
  if (good) return;
  std::fprintf(stderr, "%s: %s\n", what, detail.c_str());
  std::abort();
}

std::string file_of(std::span<const std::byte> data) {
  if (data.empty() || data[0] == std::byte{0})
    return {reinterpret_cast<const char*>(data.data()), data.size()};
  const trace::FileHeader header = trace::file_header();
  std::string file(reinterpret_cast<const char*>(&header), sizeof(header));
  std::uint64_t number = 0;
  while (data.size() >= 4) {
    const auto byte = [&](std::size_t i) { return std::to_integer<std::uint32_t>(data[i]); };
    const std::size_t length = std::min<std::size_t>(byte(2) + 256 * byte(3), data.size() - 4);
    trace::ChunkHeader chunk{trace::kChunkMagic, static_cast<trace::ChunkKind>(byte(0) % 7),
                             byte(1), static_cast<std::uint32_t>(length), 0};
    chunk.checksum = trace::checksum(chunk, number++, data.subspan(4, length));
    file.append(reinterpret_cast<const char*>(&chunk), sizeof(chunk));
    file.append(reinterpret_cast<const char*>(data.data()) + 4, length);
    data = data.subspan(4 + length);
  }
  return file;
}

std::string dumped(const TextTrace& trace) {
  std::string text;
  trace::dump(trace, [&](std::string_view line) { text.append(line).push_back('\n'); });
  return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::istringstream in(file_of(std::as_bytes(std::span(data, size))));
  const auto loaded = trace::load(in, std::uint64_t{1} << 22);
  if (!loaded.ok()) {
    const std::string& text = loaded.error();
    require(!text.empty() && text.size() < 200, "no sentence", text);
    return 0;
  }
  dumped(loaded.value().trace);
  return 0;
}
