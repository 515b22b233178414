// What happened: one decoded record.
//
// An Event is a view into a ring (or a text trace) and lives as long as its bytes. Accessors take
// the index of a parameter in ProcInfo::params and find its words; asking for what the record does
// not hold is our own mistake (VOUCH_CHECK).

#pragma once

#include <cstdint>
#include <cstring>
#include <span>

#include "base/check.h"
#include "base/ids.h"
#include "event/proc.h"
#include "event/wire.h"

namespace vouch {

// Elements of an array parameter, widened to 64 bits on access.
class ArrayView {
 public:
  ArrayView() = default;
  ArrayView(const std::byte* data, std::uint64_t length, std::uint8_t elem_size)
      : data_(data), length_(length), elem_size_(elem_size) {}

  std::uint64_t size() const { return length_; }
  bool empty() const { return length_ == 0; }
  std::int64_t operator[](std::uint64_t i) const {
    if (elem_size_ == 4) {
      std::int32_t v;
      std::memcpy(&v, data_ + i * 4, 4);
      return v;
    }
    if (elem_size_ == 1) return static_cast<unsigned char>(data_[i]);
    std::int64_t v;
    std::memcpy(&v, data_ + i * 8, 8);
    return v;
  }
  wire::Status status(std::uint64_t i) const {
    wire::Status s;
    std::memcpy(&s, data_ + i * sizeof(s), sizeof(s));
    return s;
  }
  std::string_view text() const { return {reinterpret_cast<const char*>(data_), length_}; }

 private:
  const std::byte* data_ = nullptr;
  std::uint64_t length_ = 0;
  std::uint8_t elem_size_ = 8;
};

class Event {
 public:
  Event(const wire::RecordHeader* header, const std::uint64_t* words)
      : header_(header), words_(words) {}
  // With tails that came by blob records.
  Event(const wire::RecordHeader* header, const std::uint64_t* words, const std::byte* tails)
      : header_(header), words_(words), tails_(tails) {}

  Proc proc() const { return static_cast<Proc>(header_->proc); }
  const ProcInfo& info() const { return vouch::info(proc()); }
  wire::Phase phase() const { return header_->phase; }
  bool is_enter() const { return header_->phase == wire::Phase::enter; }
  bool is_leave() const { return header_->phase == wire::Phase::leave; }
  std::uint8_t flags() const { return header_->flags; }
  std::uint32_t seq() const { return header_->seq; }
  const wire::RecordHeader& header() const { return *header_; }
  std::uint64_t word(int i) const { return words_[i]; }
  const std::uint64_t* words() const { return words_; }
  // Tails that came by blob records; empty if they stand behind the words.
  std::span<const std::byte> blob_tails() const;

  // Enter record ------------------------------------------------------------
  // Value of a scalar, or of the object behind an inout pointer.
  std::int64_t value(int param) const {
    const Param& p = at(param);
    return static_cast<std::int64_t>(words_[p.enter_word + (p.shape == Shape::pointer_inout)]);
  }
  std::uint64_t handle(int param) const { return static_cast<std::uint64_t>(value(param)); }
  // Address of a buffer, or of an out, inout or array parameter.
  std::uint64_t address(int param) const { return words_[at(param).enter_word]; }
  std::uint64_t length(int param) const { return words_[at(param).enter_word + 1]; }
  ArrayView array(int param) const;

  // Leave record ------------------------------------------------------------
  int error_class() const { return static_cast<int>(words_[0]); }
  // False: a bare return, of which only the error class is known.
  bool has_words() const { return header_->words >= info().leave_words; }
  std::int64_t result(int param) const {
    return static_cast<std::int64_t>(words_[at(param).leave_word]);
  }
  wire::Status result_status(int param) const {
    wire::Status s;
    std::memcpy(&s, &words_[at(param).leave_word], sizeof(s));
    return s;
  }
  ArrayView result_array(int param) const;

 private:
  const Param& at(int param) const {
    const std::span<const Param> params = info().params;
    VOUCH_CHECK(static_cast<std::size_t>(param) < params.size());  // -1, too
    return params[static_cast<std::size_t>(param)];
  }
  const std::byte* tail(int position, bool leave) const;

  const wire::RecordHeader* header_;
  const std::uint64_t* words_;
  const std::byte* tails_ = nullptr;
};

}  // namespace vouch
