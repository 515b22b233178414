// The leave record of a line: what it does not say follows from the call and from what went before.

#include <algorithm>
#include <cstring>

#include "event/text_values.h"

namespace vouch {
namespace {

class LeaveBuilder {
 public:
  std::vector<std::uint64_t> build(const TextLine& line, TextRank& rank, const Event& enter) {
    const ProcInfo& i = enter.info();
    given_.assign(i.params.size(), nullptr);
    // An output named among the inputs is its result.
    for (const TextArgument& a : line.arguments) {
      const std::size_t p = find_param(line, i, a);
      const bool result = a.value.what != TextValue::What::none &&
                          !(a.value.what == TextValue::What::word && parse_sentinel(a.value.word));
      if (i.params[p].dir == Dir::out && i.params[p].leave_word >= 0 && result)
        given_[p] = &a.value;
    }
    for (const TextArgument& a : line.results) {
      const std::size_t p = find_param(line, i, a);
      if (i.params[p].leave_word < 0) {
        fail(line, a.column, a.name + " of " + i.name + " is not recorded when the call returns");
      }
      given_[p] = &a.value;
    }
    std::vector<std::uint64_t> words(i.leave_words);
    std::vector<std::uint64_t> tails;
    if (!line.error.empty())
      words[0] = static_cast<std::uint64_t>(error_of(line, line.error, line.error_column));
    const bool failed = words[0] != 0;
    // Flags and indices first: what happens to requests depends on them.
    for (const bool handles : {false, true}) {
      for (std::size_t p = 0; p < i.params.size(); ++p) {
        const Param& param = i.params[p];
        if (param.leave_word < 0 || param.is_array() || is_handle(param.kind) != handles) continue;
        leave_scalar(line, rank, enter, p, failed, words);
      }
    }
    for (std::size_t p = 0; p < i.params.size(); ++p) {
      if (i.params[p].leave_word >= 0 && i.params[p].is_array())
        leave_array(line, rank, enter, p, failed, words, tails);
    }
    words.insert(words.end(), tails.begin(), tails.end());
    return words;
  }

 private:
  // Results that only depend on what went before: an index of a completed request, whether anything
  // was found.
  void leave_scalar(const TextLine& line, TextRank& rank, const Event& enter, std::size_t index,
                    bool failed, std::vector<std::uint64_t>& words) {
    const ProcInfo& i = enter.info();
    const Param& p = i.params[index];
    const TextValue* given = given_[index];
    std::uint64_t* word = &words[static_cast<std::size_t>(p.leave_word)];
    if (p.kind == Kind::status) {
      wire::Status s{-1, -1, 0, wire::kStatusUndefined, 0};
      if (given != nullptr) {
        s = status_of(line, *given);
      } else if (const int from = i.param(Arg::source), tag = i.param(Arg::tag);
                 from >= 0 && tag >= 0 && !failed) {
        const std::int64_t source = enter.value(from), t = enter.value(tag);
        s = {source == wire::kProcNull    ? -2
             : source == wire::kAnySource ? 0
                                          : static_cast<std::int32_t>(source),
             t == wire::kAnyTag ? 0 : static_cast<std::int32_t>(t), 0, 0, 4};
      }
      std::memcpy(word, &s, sizeof(s));
      return;
    }
    if (given != nullptr) {
      *word = scalar_of(line, rank, p, *given);
      if (is_handle(p.kind) || p.kind == Kind::keyval) made(rank, i, p, *word, failed);
      return;
    }
    if (is_handle(p.kind) || p.kind == Kind::keyval) {
      *word = default_handle(rank, enter, index, failed, words);
      if (p.dir == Dir::out) made(rank, i, p, *word, failed);
      return;
    }
    switch (p.kind) {
      case Kind::flag:
        *word = failed ? 0 : 1;
        break;
      case Kind::index:
        *word = static_cast<std::uint64_t>(first_open(rank, enter));
        break;
      case Kind::outcount:
        *word = open_count(rank, enter);
        break;
      case Kind::thread_level:
        *word = static_cast<std::uint64_t>(recorded_value(constant_by_name("THREAD_MULTIPLE")));
        break;
      default:
        *word = p.shape == Shape::pointer_inout
                    ? static_cast<std::uint64_t>(enter.value(static_cast<int>(index)))
                    : 0;
    }
  }

  void made(TextRank& rank, const ProcInfo& i, const Param& p, std::uint64_t raw, bool failed) {
    if (failed || is_null(p.kind, raw)) return;
    rank.latest[p.kind] = raw;
    if (p.kind != Kind::request) return;
    if (i.has(kPersistent))
      rank.persistent.insert(raw);
    else
      rank.persistent.erase(raw);
  }

  // Freed, completed, received: the variable becomes null. Made: a value not used before.
  std::uint64_t default_handle(TextRank& rank, const Event& enter, std::size_t index, bool failed,
                               const std::vector<std::uint64_t>& words) {
    const ProcInfo& i = enter.info();
    const Param& p = i.params[index];
    if (p.dir == Dir::out) {
      if (failed || !flag_of(i, words)) return null_of(p.kind);
      if (p.kind == Kind::comm && (undefined(enter, "color") || undefined(enter, "split_type")))
        return null_of(p.kind);
      return rank.next_handle++;
    }
    const std::uint64_t before = enter.handle(static_cast<int>(index));
    if (failed) return before;
    if (p.kind == Kind::request && i.family == Family::completion) {
      return flag_of(i, words) && !rank.persistent.contains(before) ? null_of(p.kind) : before;
    }
    if (p.kind == Kind::message && i.has(kDestructor)) return null_of(p.kind);
    return i.has(kDestructor) || p.kind == Kind::message ? null_of(p.kind) : before;
  }

  static bool undefined(const Event& enter, const char* name) {
    const int p = enter.info().param(name);
    return p >= 0 && enter.value(p) == wire::kUndefined;
  }

  static bool flag_of(const ProcInfo& i, const std::vector<std::uint64_t>& words) {
    for (const Param& p : i.params) {
      if (p.kind == Kind::flag && p.leave_word >= 0)
        return words[static_cast<std::size_t>(p.leave_word)] != 0;
    }
    return true;
  }

  static std::uint64_t open_count(const TextRank&, const Event& enter) {
    const int p = enter.info().param(Arg::array_of_requests);
    if (p < 0) return 0;
    const ArrayView a = enter.array(p);
    std::uint64_t n = 0;
    for (std::uint64_t k = 0; k < a.size(); ++k)
      n += !is_null(Kind::request, static_cast<std::uint64_t>(a[k]));
    return n == 0 ? static_cast<std::uint64_t>(wire::kUndefined) : n;
  }

  static std::int64_t first_open(const TextRank&, const Event& enter) {
    const int p = enter.info().param(Arg::array_of_requests);
    if (p < 0) return 0;
    const ArrayView a = enter.array(p);
    for (std::uint64_t k = 0; k < a.size(); ++k) {
      if (!is_null(Kind::request, static_cast<std::uint64_t>(a[k])))
        return static_cast<std::int64_t>(k);
    }
    return wire::kUndefined;
  }

  void leave_array(const TextLine& line, TextRank& rank, const Event& enter, std::size_t index,
                   bool failed, std::vector<std::uint64_t>& words,
                   std::vector<std::uint64_t>& tails) {
    const ProcInfo& i = enter.info();
    const Param& p = i.params[index];
    const TextValue* given = given_[index];
    std::uint64_t& length = words[static_cast<std::size_t>(p.leave_word)];
    if (p.kind == Kind::status) {
      std::vector<wire::Status> all;
      if (given != nullptr) {
        for (const TextValue& v : given->items) all.push_back(status_of(line, v));
      } else if (enter.address(static_cast<int>(index)) != wire::kIgnore) {
        all.assign(std::min<std::uint64_t>(enter.length(static_cast<int>(index)), 4096),
                   wire::Status{-1, -1, 0, wire::kStatusUndefined, 0});
      }
      length = all.size();
      const std::size_t at = tails.size();
      tails.resize(at + all.size() * 3);
      if (!all.empty()) std::memcpy(&tails[at], all.data(), all.size() * sizeof(wire::Status));
      return;
    }
    std::vector<std::int64_t> elements;
    if (given != nullptr) {
      elements = elements_of(line, rank, p, *given);
    } else if (p.kind == Kind::index) {
      const int out = i.first(Kind::outcount, Dir::out);
      const auto n = static_cast<std::int64_t>(
          words[static_cast<std::size_t>(i.params[static_cast<std::size_t>(out)].leave_word)]);
      const ArrayView requests = enter.array(i.param(Arg::array_of_requests));
      for (std::uint64_t k = 0;
           k < requests.size() && static_cast<std::int64_t>(elements.size()) < n; ++k) {
        if (!is_null(Kind::request, static_cast<std::uint64_t>(requests[k])))
          elements.push_back(static_cast<std::int64_t>(k));
      }
    } else if (p.kind == Kind::request && p.shape == Shape::array_inout) {
      elements = completed(line, rank, enter, index, failed, words);
    } else if (p.shape == Shape::array_inout) {
      const ArrayView before = enter.array(static_cast<int>(index));
      for (std::uint64_t k = 0; k < before.size(); ++k) elements.push_back(before[k]);
    } else if (is_handle(p.kind)) {
      for (std::uint64_t k = 0;
           k < std::min<std::uint64_t>(enter.length(static_cast<int>(index)), 4096); ++k) {
        elements.push_back(failed ? static_cast<std::int64_t>(null_of(p.kind))
                                  : static_cast<std::int64_t>(rank.next_handle++));
      }
    } else if (p.elem_size == 1) {
      for (const char c : std::string_view("port")) elements.push_back(c);
    } else {
      elements.assign(std::min<std::uint64_t>(enter.length(static_cast<int>(index)), 4096), 0);
    }
    length = elements.size();
    put_tail(tails, p, elements);
  }

  // The array of requests after the call: which ones are done follows from flag, index and indices.
  std::vector<std::int64_t> completed(const TextLine& line, TextRank& rank, const Event& enter,
                                      std::size_t index, bool failed,
                                      const std::vector<std::uint64_t>& words) {
    const ProcInfo& i = enter.info();
    const ArrayView before = enter.array(static_cast<int>(index));
    std::vector<std::int64_t> after;
    for (std::uint64_t k = 0; k < before.size(); ++k) after.push_back(before[k]);
    if (failed || i.family != Family::completion || !flag_of(i, words)) return after;
    const auto complete = [&](std::int64_t k) {
      if (k < 0 || k >= static_cast<std::int64_t>(after.size())) return;
      auto& r = after[static_cast<std::size_t>(k)];
      if (!rank.persistent.contains(static_cast<std::uint64_t>(r)))
        r = static_cast<std::int64_t>(null_of(Kind::request));
    };
    int one = -1, some = -1;
    for (std::size_t p = 0; p < i.params.size(); ++p) {
      if (i.params[p].kind != Kind::index || i.params[p].leave_word < 0) continue;
      (i.params[p].is_array() ? some : one) = static_cast<int>(p);
    }
    if (one >= 0) {
      complete(static_cast<std::int64_t>(
          words[static_cast<std::size_t>(i.params[static_cast<std::size_t>(one)].leave_word)]));
    } else if (some >= 0) {
      std::vector<std::int64_t> done;
      if (const TextValue* given = given_[static_cast<std::size_t>(some)]) {
        done = elements_of(line, rank, i.params[static_cast<std::size_t>(some)], *given);
      } else {
        const std::uint64_t n = open_count(rank, enter);
        for (std::uint64_t k = 0;
             k < before.size() && n != static_cast<std::uint64_t>(wire::kUndefined); ++k) {
          if (!is_null(Kind::request, static_cast<std::uint64_t>(before[k])))
            done.push_back(static_cast<std::int64_t>(k));
        }
      }
      const int out = i.first(Kind::outcount, Dir::out);
      const auto n = static_cast<std::int64_t>(
          words[static_cast<std::size_t>(i.params[static_cast<std::size_t>(out)].leave_word)]);
      for (std::size_t k = 0; k < done.size() && static_cast<std::int64_t>(k) < n; ++k)
        complete(done[k]);
    } else {
      for (std::size_t k = 0; k < after.size(); ++k) complete(static_cast<std::int64_t>(k));
    }
    return after;
  }

  std::vector<const TextValue*> given_;  // by parameter
};

}  // namespace

std::vector<std::uint64_t> leave_words(const TextLine& line, TextRank& rank, const Event& enter) {
  return LeaveBuilder().build(line, rank, enter);
}

}  // namespace vouch
