#include "match/clock.h"

#include <algorithm>

namespace vouch {

Arena::~Arena() {
  for (Moment* m : spare_) delete m;
  for (Edge* e : spare_edges_) delete e;
  for (Counts* c : spare_counts_) delete c;
}

void Arena::orphan() {
  orphaned_ = true;
  if (live_ == 0) delete this;
}

Moment* Arena::take() {
  ++live_;
  Moment* m;
  if (spare_.empty()) {
    m = new Moment;
    m->arena = this;
  } else {
    m = spare_.back();
    spare_.pop_back();
  }
  return m;
}

// A long chain must not become a deep recursion.
void Arena::let_go(Moment* m) {
  unheld_.push_back(m);
  if (letting_go_) return;
  letting_go_ = true;
  while (!unheld_.empty()) {
    Moment* x = unheld_.back();
    unheld_.pop_back();
    while (Edge* e = x->edges) {
      x->edges = e->next;
      if (--e->to->refs == 0) unheld_.push_back(e->to);
      give_back(e);
    }
    drop(x->before);
    *x = Moment{};
    x->arena = this;
    spare_.push_back(x);
    --live_;
  }
  letting_go_ = false;
  if (orphaned_ && live_ == 0) delete this;
}

Edge* Arena::edge(Moment* to, std::uint32_t number, Edge* next) {
  Edge* e;
  if (spare_edges_.empty()) {
    e = new Edge;
  } else {
    e = spare_edges_.back();
    spare_edges_.pop_back();
  }
  ++to->refs;
  *e = {to, next, number};
  return e;
}

void Arena::drop(Counts* c) {
  if (c == nullptr || --c->refs > 0) return;
  c->of.clear();
  spare_counts_.push_back(c);
}

void Arena::share(Moment& into, const Moment& from) {
  if (from.before != nullptr) ++from.before->refs;
  drop(into.before);
  into.before = from.before;
}

// Its counts, held by nobody else.
Counts& Arena::own(Moment& m) {
  if (m.before != nullptr && m.before->refs == 1) return *m.before;
  Counts* c;
  if (spare_counts_.empty()) {
    c = new Counts;
  } else {
    c = spare_counts_.back();
    spare_counts_.pop_back();
  }
  c->refs = 1;
  if (m.before != nullptr) {
    c->of = m.before->of;
    drop(m.before);
  }
  m.before = c;
  return *c;
}

void Arena::merge(Moment& into, const Moment& from, std::uint32_t number) {
  into.doubtful = into.doubtful || from.doubtful;
  into.by_memory = into.by_memory || from.by_memory;
  if (from.before != nullptr && from.before != into.before) {
    if (into.before == nullptr) {
      share(into, from);
    } else {
      const std::vector<std::uint32_t>& theirs = from.before->of;
      std::size_t i = 0;
      while (i < theirs.size() && i < into.before->of.size() && theirs[i] <= into.before->of[i])
        ++i;
      if (i < theirs.size()) {
        std::vector<std::uint32_t>& mine = own(into).of;
        if (mine.size() < theirs.size()) mine.resize(theirs.size());
        for (; i < theirs.size(); ++i) mine[i] = std::max(mine[i], theirs[i]);
      }
    }
  }
  const std::uint32_t time = std::max(from.time, number);
  if (from.column == Moment::kNobody || from.column == into.column ||
      into.in_column(from.column) >= time)
    return;
  set(into, from.column, time);
}

void Arena::set(Moment& m, std::uint32_t column, std::uint32_t count) {
  std::vector<std::uint32_t>& mine = own(m).of;
  if (mine.size() <= column) mine.resize(column + 1);
  mine[column] = count;
}

void Arena::set_column(std::uint32_t process, std::uint32_t column) {
  while (columns_.size() <= process)
    columns_.push_back(static_cast<std::uint32_t>(columns_.size()));
  columns_[process] = column;
}

}  // namespace vouch
