// Moments: what a process can know of the others at a point of its own course.
//
// A moment is a stretch of one process's course between two points where it may learn something: a
// receive that completed, a collective that returned. It counts, for each process, the noted points
// (Clocks::note) that surely happen before it. Most stretches know nothing new, so the counts are
// shared until they change; a program without noted points has no counts at all.
//
// Ranks are read in any order, so what a moment learns may become known late: it is then not
// `known` until all that it waits for is. Moments live while somebody holds them.

#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace vouch {

class Arena;
struct Edge;

struct Counts {
  std::uint32_t refs = 0;
  std::vector<std::uint32_t> of;  // by column (Arena::column)
};

struct Moment {
  static constexpr std::uint32_t kNobody = ~std::uint32_t{0};

  Arena* arena = nullptr;
  std::uint32_t refs = 0;
  std::uint32_t column = kNobody;  // of its process; kNobody: where several come together
  std::uint32_t time = 0;          // noted points of its own process up to here
  std::uint32_t waits = 0;         // sources not known yet
  bool doubtful = false;           // there may be more before it than is known
  // Its process, or one before it, has locked a window: it may have learnt more through memory.
  bool by_memory = false;
  bool leaves = false;       // another agent is to be told once it is known
  Counts* before = nullptr;  // of the others; nullptr: none
  Edge* edges = nullptr;     // who waits for it

  bool known() const { return waits == 0; }
  bool empty() const { return time == 0 && before == nullptr && !doubtful && !by_memory; }
  // For those who follow messages alone.
  bool unsure() const { return doubtful || by_memory; }
  // The point of that process with this number happens before.
  bool knows(std::uint32_t of, std::uint32_t number) const { return count(of) >= number; }
  std::uint32_t count(std::uint32_t of) const;
  std::uint32_t in_column(std::uint32_t c) const {
    if (c == column) return time;
    return before != nullptr && c < before->of.size() ? before->of[c] : 0;
  }
};

struct Edge {
  Moment* to = nullptr;
  Edge* next = nullptr;
  std::uint32_t number = 0;  // of the source's process, besides what the source counts
};

// Memory of moments, reused. It stays until the last moment is gone.
class Arena {
 public:
  Moment* take();
  void let_go(Moment*);  // nobody holds it
  void orphan();         // its owner is gone
  Edge* edge(Moment* to, std::uint32_t number, Edge* next);
  void give_back(Edge* e) { spare_edges_.push_back(e); }

  // into takes over what happens before `from`, and from itself up to `number` noted points of its
  // process if that is more than it counts.
  void merge(Moment& into, const Moment& from, std::uint32_t number);
  void share(Moment& into, const Moment& from);
  void set(Moment&, std::uint32_t column, std::uint32_t count);

  // Where a process is counted: by its number here, or over several agents by its rank.
  std::uint32_t column(std::uint32_t process) const {
    return process < columns_.size() ? columns_[process] : process;
  }
  void set_column(std::uint32_t process, std::uint32_t column);

  std::size_t live() const { return live_; }

 private:
  ~Arena();
  Counts& own(Moment&);
  void drop(Counts*);

  std::size_t live_ = 0;
  std::vector<std::uint32_t> columns_;  // empty: one agent
  bool orphaned_ = false;
  bool letting_go_ = false;
  std::vector<Moment*> unheld_;
  std::vector<Moment*> spare_;
  std::vector<Edge*> spare_edges_;
  std::vector<Counts*> spare_counts_;
};

inline std::uint32_t Moment::count(std::uint32_t of) const { return in_column(arena->column(of)); }

class MomentRef {
 public:
  MomentRef() = default;
  explicit MomentRef(Moment* m) : m_(m) {
    if (m_ != nullptr) ++m_->refs;
  }
  MomentRef(const MomentRef& o) : MomentRef(o.m_) {}
  MomentRef(MomentRef&& o) noexcept : m_(std::exchange(o.m_, nullptr)) {}
  MomentRef& operator=(const MomentRef& o) {
    if (m_ != o.m_) *this = MomentRef(o);
    return *this;
  }
  MomentRef& operator=(MomentRef&& o) noexcept {
    std::swap(m_, o.m_);
    return *this;
  }
  ~MomentRef() { reset(); }
  void reset() {
    Moment* m = std::exchange(m_, nullptr);
    if (m != nullptr && --m->refs == 0) m->arena->let_go(m);
  }
  Moment* get() const { return m_; }
  Moment* operator->() const { return m_; }
  Moment& operator*() const { return *m_; }
  explicit operator bool() const { return m_ != nullptr; }

 private:
  Moment* m_ = nullptr;
};

}  // namespace vouch
