// From positions in a view to bytes of the file.
//
// A view is its filetype laid out again and again from disp on (MPI-4.1 14.3). The data that a
// process sees, its stream, are the bytes of the tiles in order. The pieces of a filetype are found
// once, with the place of each in the stream, so that an access costs a search and the pieces it
// touches.

#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "model/objects.h"
#include "model/saturate.h"

namespace vouch {

class Tiles {
 public:
  static constexpr std::size_t kPieces = 100000;  // of a filetype, and of an access

  explicit Tiles(const Type& filetype);
  bool known() const { return known_; }
  std::uint64_t hash() const { return hash_; }

  // Where the stream begins in the file, if it has no gaps there; else -1.
  std::int64_t gapless_from(std::int64_t disp) const {
    return dense_ ? disp + pieces_[0].file : -1;
  }

  // Byte ranges [lo, hi) of the file, neighbours joined, that hold bytes [at, at + n) of the
  // stream. False: too many of them.
  template <typename F>
  bool for_each_range(std::int64_t disp, std::int64_t at, std::int64_t n, F&& f) const {
    if (n <= 0 || at < 0 || size_ <= 0) return true;
    if (dense_) {
      const std::int64_t lo = vouch::add(vouch::add(disp, pieces_[0].file), at);
      f(lo, vouch::add(lo, n));
      return true;
    }
    std::int64_t tile = at / size_, inside = at % size_;
    auto piece =
        std::prev(std::upper_bound(pieces_.begin(), pieces_.end(), inside,
                                   [](std::int64_t v, const Piece& p) { return v < p.stream; }));
    inside -= piece->stream;
    std::int64_t lo = 0, hi = 0;
    for (std::size_t steps = 0; n > 0; ++steps) {
      if (steps > kPieces) return false;
      const std::int64_t from =
          vouch::add(vouch::add(disp, mul(tile, extent_)), piece->file + inside);
      const std::int64_t bytes = std::min(n, piece->length - inside);
      if (from != hi && lo != hi) {
        f(lo, hi);
        lo = from;
      } else if (lo == hi) {
        lo = from;
      }
      hi = vouch::add(from, bytes);
      n -= bytes;
      inside = 0;
      if (++piece == pieces_.end()) {
        piece = pieces_.begin();
        ++tile;
      }
    }
    f(lo, hi);
    return true;
  }

 private:
  struct Piece {
    std::int64_t stream, file, length;
  };
  std::vector<Piece> pieces_;
  std::int64_t size_ = 0, extent_ = 0;
  bool dense_ = false, known_ = false;
  std::uint64_t hash_ = 0;
};

// The tiles of filetypes used lately.
class TileCache {
 public:
  const Tiles& of(const TypeRef&);

 private:
  static constexpr std::size_t kKept = 64;
  std::unordered_map<const Type*, std::pair<TypeRef, std::unique_ptr<Tiles>>> kept_;
};

// What is wrong with a type in a view, as numbers: a loop may make the same finding a million
// times, and its words are wanted once.
struct ViewFault {
  enum class Kind : std::uint8_t {
    none,
    negative,  // a: displacement
    order,     // entry a begins at b, the one before at c
    twice,     // entry a at b
    hole,      // before entry a, of b bytes; etypes have c
    bytes,     // a bytes are not a whole number of etypes of b each
    unlike,    // entry a is `is`, the etype has `etype` there
  };
  Kind kind = Kind::none;
  bool over_budget = false;
  std::int64_t a = 0, b = 0, c = 0;
  Atom is{}, etype{};
  explicit operator bool() const { return kind != Kind::none; }
  std::string what() const;
};
// MPI-4.1 14.3: displacements of a type map neither negative nor decreasing, and where the file may
// be written no byte twice.
ViewFault order_fault(const Type&, bool writable);
// A filetype is one etype or made of them, and its holes are whole etypes, too.
ViewFault etype_fault(const Type& etype, const Type& filetype);
// What moves through a view is whole etypes (MPI-4.1 14.6.6). `n` elements of the buffer's type.
ViewFault buffer_fault(const Type& etype, const Type& buffer, std::int64_t n);

}  // namespace vouch
