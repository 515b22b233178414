#include "predict/quick/search.h"

#include <algorithm>
#include <unordered_set>

namespace vouch::predict {
namespace {

class Search {
 public:
  Search(const Program& program, Buffering buffering, End wanted, std::size_t max_states)
      : program_(program), buffering_(buffering), wanted_(wanted), max_states_(max_states) {}

  SearchResult run() {
    State start(program_, buffering_);
    start.settle();
    enter(std::move(start));
    while (!path_.empty() && !found_ && seen_.size() < max_states_) {
      auto& top = path_.back();
      if (top.next == top.options.size()) {
        path_.pop_back();
        continue;
      }
      const Step step = top.options[top.next++];
      State next = top.state;
      next.take(step);
      next.settle();
      enter(std::move(next));
    }
    SearchResult result;
    result.states = seen_.size();
    result.end = found_ ? SearchEnd::found : path_.empty() ? SearchEnd::none : SearchEnd::limit;
    if (found_) result.schedule = schedule();
    return result;
  }

 private:
  struct Frame {
    State state;
    std::vector<Step> options;
    std::size_t next = 0;
  };

  void enter(State state) {
    if (!seen_.insert(future(state)).second) return;
    auto options = state.matches();
    if (options.empty()) {
      found_ = (state.finished() ? End::complete : End::deadlock) == wanted_;
    } else if (const auto forced = std::find_if(options.begin(), options.end(),
                                                [&](const Step& step) { return is_forced(step); });
               forced != options.end()) {
      options = {*forced};
    } else {
      order(state, options);
    }
    path_.push_back({std::move(state), std::move(options)});
  }

  // No other receive can have this message, no other message this receive.
  bool is_forced(const Step& step) const { return program_[step.op].peer != kAny; }

  // Processes that are behind go first.
  void order(const State& state, std::vector<Step>& options) const {
    const auto done = [&](int p) {
      const double all = program_.first[p + 1] - program_.first[p];
      return (state.at(p) - program_.first[p]) / all;
    };
    const auto behind = [&](const Step& step) {
      return std::min(done(program_[step.send].process), done(program_[step.op].process));
    };
    std::stable_sort(options.begin(), options.end(),
                     [&](const Step& a, const Step& b) { return behind(a) < behind(b); });
  }

  // Equal: the same can happen from here on.
  std::string future(const State& state) const {
    std::string key;
    const auto add = [&](OpId id) { key.append(reinterpret_cast<const char*>(&id), sizeof id); };
    for (int p = 0; p < program_.processes(); ++p) {
      add(state.at(p));
      const bool inside = !state.finished(p) && state.issued(state.at(p));
      key.push_back(inside ? 1 : 0);
      const OpId end = inside ? state.at(p) + 1 : state.at(p);
      for (OpId id = program_.first[p]; id < end; ++id) {
        const auto kind = program_[id].kind;
        if ((kind == OpKind::send || kind == OpKind::receive) && state.partner(id) == kNoOp)
          add(id);
      }
      add(kNoOp);
    }
    return key;
  }

  Schedule schedule() const {
    State state(program_, buffering_);
    Schedule steps;
    state.settle(&steps);
    for (std::size_t i = 0; i + 1 < path_.size(); ++i) {
      const auto& frame = path_[i];
      const Step step = frame.options[frame.next - 1];
      state.take(step);
      steps.push_back(step);
      state.settle(&steps);
    }
    return steps;
  }

  const Program& program_;
  const Buffering buffering_;
  const End wanted_;
  const std::size_t max_states_;
  std::unordered_set<std::string> seen_;
  std::vector<Frame> path_;
  bool found_ = false;
};

}  // namespace

SearchResult search(const Program& program, Buffering buffering, End wanted,
                    std::size_t max_states) {
  return Search(program, buffering, wanted, max_states).run();
}

}  // namespace vouch::predict
