#include "trace/writer.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace vouch::trace {

Result<int> Writer::open(const std::string& path) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0) return Error{"cannot write to " + path + ": " + std::strerror(errno)};
  return fd;
}

Result<std::unique_ptr<Writer>> Writer::create(const std::string& path) {
  const Result<int> fd = open(path);
  if (!fd.ok()) return Error{fd.error()};
  return std::make_unique<Writer>(fd.value(), path);
}

Writer::Writer(int fd, std::string path) : fd_(fd), path_(std::move(path)) {
  const FileHeader header = file_header();
  write(std::as_bytes(std::span(&header, 1)));
}

Writer::~Writer() {
  if (fd_ >= 0) ::close(fd_);
}

void Writer::write(std::span<const std::byte> bytes) {
  while (!bytes.empty() && fd_ >= 0) {
    const ssize_t put = ::write(fd_, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) {
      problem_ = "it could not be written to " + path_ + ": " + std::strerror(errno);
      ::close(std::exchange(fd_, -1));
      return;
    }
    written_ += static_cast<std::uint64_t>(put);
    bytes = bytes.subspan(static_cast<std::size_t>(put));
  }
}

void Writer::chunk(ChunkKind kind, std::size_t process, std::string_view payload) {
  const auto bytes = std::as_bytes(std::span(payload));
  ChunkHeader header{kChunkMagic, kind, static_cast<std::uint32_t>(process),
                     static_cast<std::uint32_t>(payload.size()), 0};
  header.checksum = checksum(header, chunks_++, bytes);
  write(std::as_bytes(std::span(&header, 1)));
  write(bytes);
}

void Writer::add_process(int pid, int rank_hint) {
  streams_.push_back(std::make_unique<Stream>());
  std::string payload;
  ByteWriter out(payload);
  out.integer(pid);
  out.integer(rank_hint);
  chunk(ChunkKind::process, streams_.size() - 1, payload);
}

Writer::Call& Writer::call(Stream& stream, int thread) {
  const auto at = static_cast<std::size_t>(thread);
  if (stream.calls.size() <= at) stream.calls.resize(at + 1);
  return stream.calls[at];
}

void Writer::close_if_full(std::size_t process) {
  Stream& stream = *streams_[process];
  if (stream.buffer.size() < kChunkBytes) return;
  chunk(ChunkKind::records, process, stream.buffer);
  stream.buffer.clear();
  stream.differences.reset();
}

void Writer::record(std::size_t process, int thread, const Event& event) {
  if (fd_ < 0) return;
  Stream& stream = *streams_[process];
  if (event.is_enter()) {
    call(stream, thread) = {event.seq(), true};
  } else if (event.is_leave() && call(stream, thread).seq == event.header().site) {
    call(stream, thread).open = false;
  }
  if (Differences::words_of(event) > kMaxRecordWords) {
    ++too_large_;
    stream.differences.write_call(stream.buffer, What::lost, thread, event.seq());
  } else {
    stream.differences.write(stream.buffer, thread, event);
  }
  close_if_full(process);
}

void Writer::returned(std::size_t process, int thread, std::uint32_t seq) {
  if (fd_ < 0) return;
  Stream& stream = *streams_[process];
  Call& last = call(stream, thread);
  if (!last.open || static_cast<std::int32_t>(seq - last.seq) < 0) return;
  last.open = false;
  stream.differences.write_call(stream.buffer, What::returned, thread, seq);
  close_if_full(process);
}

void Writer::ended(std::size_t process, Ending how) {
  if (fd_ < 0) return;
  ByteWriter out(streams_[process]->buffer);
  out.byte(static_cast<std::uint8_t>(What::ended));
  out.number(static_cast<std::uint64_t>(how));
  close_if_full(process);
}

void Writer::sites(std::size_t process, std::span<const std::uint32_t> places) {
  std::string payload;
  ByteWriter out(payload);
  for (std::size_t local = 0; local < places.size(); ++local) {
    if (places[local] == 0) continue;
    out.number(local);
    out.number(places[local]);
    if (payload.size() >= kChunkBytes) {
      chunk(ChunkKind::sites, process, payload);
      payload.clear();
    }
  }
  if (!payload.empty()) chunk(ChunkKind::sites, process, payload);
}

void Writer::places(std::span<const std::string> names) {
  constexpr std::size_t kLongest = 4096;
  std::string payload;
  ByteWriter out(payload);
  for (const std::string& name : names) {
    out.string(std::string_view(name).substr(0, kLongest));
    if (payload.size() >= kChunkBytes) {
      chunk(ChunkKind::places, 0, payload);
      payload.clear();
    }
  }
  if (!payload.empty()) chunk(ChunkKind::places, 0, payload);
}

void Writer::flush() {
  for (std::size_t p = 0; p < streams_.size(); ++p) {
    Stream& stream = *streams_[p];
    if (stream.buffer.empty()) continue;
    chunk(ChunkKind::records, p, stream.buffer);
    stream.buffer.clear();
    stream.differences.reset();
  }
}

void Writer::close() {
  flush();
  chunk(ChunkKind::end, 0, {});
  if (fd_ >= 0 && ::close(std::exchange(fd_, -1)) != 0)
    problem_ = "it could not be written to " + path_ + ": " + std::strerror(errno);
}

}  // namespace vouch::trace
