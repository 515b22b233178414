// What the world refuses us: a value, or one sentence that says why not.

#pragma once

#include <string>
#include <utility>
#include <variant>

#include "base/check.h"

namespace vouch {

struct Error {
  std::string text;
};

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}
  Result(Error error) : state_(std::move(error)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  T& value() & {
    VOUCH_CHECK(ok());
    return std::get<0>(state_);
  }
  const T& value() const& {
    VOUCH_CHECK(ok());
    return std::get<0>(state_);
  }
  T&& value() && {
    VOUCH_CHECK(ok());
    return std::get<0>(std::move(state_));
  }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T* operator->() { return &value(); }

  const std::string& error() const {
    VOUCH_CHECK(!ok());
    return std::get<1>(state_).text;
  }

 private:
  std::variant<T, Error> state_;
};

}  // namespace vouch
