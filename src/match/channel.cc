#include "match/channel.h"

namespace vouch {

int Channel::side_of(const Members* group) {
  if (!inter) return 0;
  if (groups[0] == nullptr) groups[0] = group;
  if (group == groups[0]) return 0;
  groups[1] = group;
  return 1;
}

void OperationList::insert_among(Operation* op) {
  Operation* before = tail;
  // Only a resolved wildcard comes late; when requests are waited for in reverse, each belongs in
  // front of all.
  if (head != nullptr && op->position_ < head->position_) before = nullptr;
  while (before != nullptr && before->position_ > op->position_) before = before->prev_;
  op->prev_ = before;
  op->next_ = before != nullptr ? before->next_ : head;
  (before != nullptr ? before->next_ : head) = op;
  (op->next_ != nullptr ? op->next_->prev_ : tail) = op;
}

void OperationList::replace(Operation* old, Operation* by) {
  by->prev_ = old->prev_;
  by->next_ = old->next_;
  (by->prev_ != nullptr ? by->prev_->next_ : head) = by;
  (by->next_ != nullptr ? by->next_->prev_ : tail) = by;
  old->next_ = old->prev_ = nullptr;
}

}  // namespace vouch
