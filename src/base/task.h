// Functions that may have to wait for an answer from outside, without a loop of their own.
//
// A task is left where it waits (co_await WaitPoint::until) and goes on there once the loop of its
// process finds that the answer has come (WaitPoint::poll). Meanwhile that loop does whatever it
// has to do. A task that waits for nothing is over when start() returns: with one agent nobody ever
// waits, and the same code runs from its beginning to its end.
//
//     Task<int> sum() {
//       ask();
//       if (!co_await answers_.until([this] { return answered(); }, kPatience)) co_return -1;
//       co_return read_answers();
//     }

#pragma once

#include <chrono>
#include <coroutine>
#include <exception>
#include <functional>
#include <optional>
#include <utility>

#include "base/check.h"

namespace vouch {

template <typename T = void>
class Task;

namespace task {

struct PromiseBase {
  std::coroutine_handle<> next = std::noop_coroutine();  // that waits for this one
  struct Over {
    bool await_ready() const noexcept { return false; }
    template <typename Promise>
    std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> me) const noexcept {
      return me.promise().next;
    }
    void await_resume() const noexcept {}
  };
  std::suspend_always initial_suspend() const noexcept { return {}; }
  Over final_suspend() const noexcept { return {}; }
  [[noreturn]] void unhandled_exception() const noexcept { std::terminate(); }
};

template <typename T>
struct Promise : PromiseBase {
  std::optional<T> value;
  Task<T> get_return_object();
  void return_value(T v) { value = std::move(v); }
  T take() { return std::move(*value); }
};

template <>
struct Promise<void> : PromiseBase {
  Task<void> get_return_object();
  void return_void() const {}
  void take() const {}
};

}  // namespace task

template <typename T>
class [[nodiscard]] Task {
 public:
  using promise_type = task::Promise<T>;
  using Handle = std::coroutine_handle<promise_type>;

  Task() = default;
  explicit Task(Handle handle) : handle_(handle) {}
  Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Task& operator=(Task&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Task() {
    if (handle_) handle_.destroy();
  }

  // Runs it to its end, or to where it waits first. Once.
  void start() { handle_.resume(); }
  // It was made and is not over.
  bool under_way() const { return handle_ && !handle_.done(); }
  // It must be over.
  T result() {
    VOUCH_CHECK(handle_ && handle_.done());
    return handle_.promise().take();
  }
  // For one that has nothing to wait for.
  T run() {
    start();
    return result();
  }

  // co_await of another task starts it. What is over at once never leaves its caller: no stack
  // grows with the number of such tasks.
  bool await_ready() {
    start();
    return handle_.done();
  }
  void await_suspend(std::coroutine_handle<> who) noexcept { handle_.promise().next = who; }
  T await_resume() { return result(); }

 private:
  Handle handle_ = nullptr;
};

template <typename T>
Task<T> task::Promise<T>::get_return_object() {
  return Task<T>(std::coroutine_handle<Promise<T>>::from_promise(*this));
}
inline Task<void> task::Promise<void>::get_return_object() {
  return Task<void>(std::coroutine_handle<Promise<void>>::from_promise(*this));
}

// Where tasks wait, one at a time.
class WaitPoint {
 public:
  using Clock = std::chrono::steady_clock;
  class Awaiter {
   public:
    explicit Awaiter(WaitPoint& point) : point_(&point) {}
    bool await_ready() const { return point_->reached_ = point_->done_(); }
    void await_suspend(std::coroutine_handle<> who) const { point_->who_ = who; }
    bool await_resume() const { return point_->reached_; }

   private:
    WaitPoint* point_;
  };

  // co_await: true once `done` holds; false if it does not for so long, or never will.
  [[nodiscard]] Awaiter until(std::function<bool()> done, Clock::duration patience) {
    VOUCH_CHECK(who_ == nullptr);
    done_ = std::move(done);
    until_ = Clock::now() + patience;
    return Awaiter(*this);
  }
  bool waits() const { return who_ != nullptr; }
  // Lets a task that waits go on if it can. `hopeless`: what does not hold now never will.
  void poll(bool hopeless = false) {
    while (who_ != nullptr) {
      reached_ = done_();
      if (!reached_ && !hopeless && Clock::now() <= until_) return;
      std::exchange(who_, nullptr).resume();
    }
  }

 private:
  std::coroutine_handle<> who_ = nullptr;
  std::function<bool()> done_;
  Clock::time_point until_{};
  bool reached_ = false;
};

}  // namespace vouch
