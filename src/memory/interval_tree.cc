#include "memory/interval_tree.h"

#include <algorithm>

namespace vouch {

void IntervalTree::update(std::uint32_t at) {
  Node& n = nodes_[at];
  n.most = std::max(n.hi, std::max(nodes_[n.left].most, nodes_[n.right].most));
}

// Nodes before `key` to the left, the others to the right.
void IntervalTree::split(std::uint32_t at, std::uint32_t key, std::uint32_t& left,
                         std::uint32_t& right) {
  if (at == kNone) {
    left = right = kNone;
  } else if (before(at, key)) {
    std::uint32_t rest;
    split(nodes_[at].right, key, rest, right);
    nodes_[at].right = rest;
    left = at;
    update(at);
  } else {
    std::uint32_t rest;
    split(nodes_[at].left, key, left, rest);
    nodes_[at].left = rest;
    right = at;
    update(at);
  }
}

std::uint32_t IntervalTree::merge(std::uint32_t left, std::uint32_t right) {
  if (left == kNone) return right;
  if (right == kNone) return left;
  if (nodes_[left].weight > nodes_[right].weight) {
    nodes_[left].right = merge(nodes_[left].right, right);
    update(left);
    return left;
  }
  nodes_[right].left = merge(left, nodes_[right].left);
  update(right);
  return right;
}

std::uint32_t IntervalTree::insert_into(std::uint32_t at, std::uint32_t node) {
  if (at == kNone) return node;
  if (nodes_[node].weight > nodes_[at].weight) {
    std::uint32_t left, right;
    split(at, node, left, right);
    nodes_[node].left = left;
    nodes_[node].right = right;
    update(node);
    return node;
  }
  if (before(node, at)) {
    nodes_[at].left = insert_into(nodes_[at].left, node);
  } else {
    nodes_[at].right = insert_into(nodes_[at].right, node);
  }
  update(at);
  return at;
}

std::uint32_t IntervalTree::erase_from(std::uint32_t at, std::uint32_t node) {
  if (at == kNone) return kNone;
  if (at == node) return merge(nodes_[at].left, nodes_[at].right);
  if (before(node, at)) {
    nodes_[at].left = erase_from(nodes_[at].left, node);
  } else {
    nodes_[at].right = erase_from(nodes_[at].right, node);
  }
  update(at);
  return at;
}

std::uint32_t IntervalTree::insert(std::int64_t lo, std::int64_t hi, std::uint32_t operation,
                                   std::uint32_t region) {
  std::uint32_t node;
  if (unused_.empty()) {
    node = static_cast<std::uint32_t>(nodes_.size());
    nodes_.emplace_back();
  } else {
    node = unused_.back();
    unused_.pop_back();
  }
  nodes_[node] = {lo, hi, hi, kNone, kNone, 0, operation, region};
  if (root_ == kNone && list_.size() < kFew) {
    nodes_[node].weight = static_cast<std::uint32_t>(list_.size());
    list_.push_back(node);
    return node;
  }
  if (root_ == kNone) plant();
  give_weight(node);
  root_ = insert_into(root_, node);
  return node;
}

void IntervalTree::give_weight(std::uint32_t node) {
  random_ ^= random_ << 13;
  random_ ^= random_ >> 17;
  random_ ^= random_ << 5;
  nodes_[node].weight = random_;
}

void IntervalTree::plant() {
  for (const std::uint32_t node : list_) {
    give_weight(node);
    root_ = insert_into(root_, node);
  }
  list_.clear();
}

void IntervalTree::erase(std::uint32_t node) {
  if (root_ != kNone) {
    root_ = erase_from(root_, node);
  } else {
    const std::uint32_t place = nodes_[node].weight;
    list_[place] = list_.back();
    nodes_[list_[place]].weight = place;
    list_.pop_back();
  }
  unused_.push_back(node);
}

}  // namespace vouch
