// Who has which epoch of a window open, while a program is drawn.

#pragma once

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace vouch::rma_programs {

enum class Mode { lock, fence, exposure };
enum class Stage { idle, open, over };

struct Request {
  int number;
  bool message;
  int meeting = 0;  // of a send
};

// Origins that start, and targets that post, for each other.
struct Session {
  int meeting = 0;
  std::map<int, Stage> origins, targets;  // by rank

  static bool all(const std::map<int, Stage>& of, Stage s) {
    return std::all_of(of.begin(), of.end(), [&](const auto& e) { return e.second == s; });
  }
  static bool any(const std::map<int, Stage>& of, Stage s) {
    return std::any_of(of.begin(), of.end(), [&](const auto& e) { return e.second == s; });
  }
};

struct WindowState {
  explicit WindowState(int ranks) : all(static_cast<std::size_t>(ranks)) {}

  Mode mode = Mode::lock;
  bool exclusives = false;                   // somebody may lock exclusively
  bool open = false, moved = false;          // fence: an epoch is open, data were moved in it
  std::map<std::pair<int, int>, bool> held;  // by origin, target: exclusive
  std::vector<bool> all;                     // by origin
  std::vector<Session> sessions;

  bool holds(int rank, int target) const { return held.contains({rank, target}); }
  std::vector<int> held_by(int rank) const {
    std::vector<int> targets;
    for (const auto& [pair, exclusive] : held) {
      if (pair.first == rank) targets.push_back(pair.second);
    }
    return targets;
  }
  bool holds_any(int rank) const {
    return all[static_cast<std::size_t>(rank)] || !held_by(rank).empty();
  }
  // No lock of another keeps this one waiting.
  bool may_lock(int rank, int target, bool exclusively) const {
    for (const auto& [pair, exclusive] : held) {
      if (pair.first != rank && pair.second == target && (exclusive || exclusively)) return false;
    }
    return !exclusively || std::none_of(all.begin(), all.end(), [](bool b) { return b; });
  }
  bool accessing(int rank) const {
    return std::any_of(sessions.begin(), sessions.end(), [&](const Session& s) {
      const auto it = s.origins.find(rank);
      return it != s.origins.end() && it->second != Stage::over;
    });
  }
  bool exposed(int rank) const {
    return std::any_of(sessions.begin(), sessions.end(), [&](const Session& s) {
      const auto it = s.targets.find(rank);
      return it != s.targets.end() && it->second != Stage::over;
    });
  }
  bool may_access(int rank, int target) const {
    switch (mode) {
      case Mode::lock:
        return all[static_cast<std::size_t>(rank)] || holds(rank, target);
      case Mode::fence:
        return open;
      case Mode::exposure:
        return std::any_of(sessions.begin(), sessions.end(), [&](const Session& s) {
          const auto it = s.origins.find(rank);
          return it != s.origins.end() && it->second == Stage::open && s.targets.contains(target);
        });
    }
    return false;
  }
};

}  // namespace vouch::rma_programs
