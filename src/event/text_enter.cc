// The enter record of a line, with values that make the call right where the line says nothing.

#include <algorithm>

#include "event/text_values.h"

namespace vouch {
namespace {

class EnterBuilder {
 public:
  explicit EnterBuilder(int world_size) : world_size_(world_size) {}

  std::vector<std::uint64_t> build(const TextLine& line, TextRank& rank, Proc proc) {
    const ProcInfo& i = info(proc);
    given_.assign(i.params.size(), nullptr);
    for (const TextArgument& a : line.arguments) given_[find_param(line, i, a)] = &a.value;
    lengths_.assign(i.params.size(), std::nullopt);
    for (std::size_t p = 0; p < i.params.size(); ++p) {
      if (i.params[p].is_array() && given_[p] != nullptr) lengths_[p] = given_length(*given_[p]);
    }
    for (const TextArgument& a :
         line.results) {  // the length of an output array may follow from its results
      const std::size_t p = find_param(line, i, a);
      if (i.params[p].is_array() && !lengths_[p]) lengths_[p] = given_length(a.value);
    }
    std::vector<std::uint64_t> words(i.enter_words);
    // Lengths of arrays depend on scalars and the other way round: scalars first.
    for (std::size_t p = 0; p < i.params.size(); ++p) {
      if (!i.params[p].is_array()) enter_scalar(line, rank, i, p, words);
    }
    std::vector<std::uint64_t> tails;
    for (std::size_t p = 0; p < i.params.size(); ++p) {
      if (i.params[p].is_array()) enter_array(line, rank, i, p, words, tails);
    }
    words.insert(words.end(), tails.begin(), tails.end());
    return words;
  }

 private:
  void enter_scalar(const TextLine& line, TextRank& rank, const ProcInfo& proc, std::size_t index,
                    std::vector<std::uint64_t>& words) {
    const Param& p = proc.params[index];
    const TextValue* given = given_[index];
    std::uint64_t* word = &words[static_cast<std::size_t>(p.enter_word)];
    if (p.shape == Shape::scalar) {
      *word =
          given != nullptr ? scalar_of(line, rank, p, *given) : default_in(line, rank, proc, index);
      return;
    }
    std::optional<std::uint64_t> address;
    if (given != nullptr && given->address)
      address = address_of(line, *given->address, given->column);
    if (!address && given != nullptr && given->what == TextValue::What::word)
      address = parse_sentinel(given->word);
    *word = address ? *address : fresh_variable(rank, 16);
    if (p.shape != Shape::pointer_inout) return;
    const bool is_value =
        given != nullptr && given->what == TextValue::What::word && !parse_sentinel(given->word);
    word[1] = is_value ? scalar_of(line, rank, p, *given) : default_in(line, rank, proc, index);
  }

  void enter_array(const TextLine& line, TextRank& rank, const ProcInfo& proc, std::size_t index,
                   std::vector<std::uint64_t>& words, std::vector<std::uint64_t>& tails) {
    const Param& p = proc.params[index];
    const TextValue* given = given_[index];
    std::uint64_t* word = &words[static_cast<std::size_t>(p.enter_word)];
    std::optional<std::uint64_t> address;
    if (given != nullptr && given->address)
      address = address_of(line, *given->address, given->column);
    bool bare = false;
    if (given != nullptr && given->what == TextValue::What::word) {
      address = parse_sentinel(given->word);
      if (!address) fail(line, given->column, std::string(p.name) + " is an array: [...]");
      bare = true;
    }
    if (p.shape == Shape::array_out) {
      word[1] = lengths_[index] ? *lengths_[index]
                                : expected_length(line, proc, index, words).value_or(0);
    } else {
      std::vector<std::int64_t> elements;
      if (given == nullptr || (given->what == TextValue::What::none && given->length < 0)) {
        elements = default_elements(line, rank, proc, index, words);
      } else if (!bare) {
        elements = elements_of(line, rank, p, *given);
      }
      word[1] = elements.size();
      put_tail(tails, p, elements);
    }
    word[0] = address ? *address : fresh_variable(rank, word[1] * 24 + 16);
  }

  // How many elements the table says the array has.
  std::optional<std::uint64_t> expected_length(const TextLine&, const ProcInfo& proc,
                                               std::size_t index,
                                               const std::vector<std::uint64_t>& words) const {
    const Param& p = proc.params[index];
    switch (p.length) {
      case Length::param: {
        const Param& other = proc.params[static_cast<std::size_t>(p.length_param)];
        if (other.shape == Shape::pointer_out || other.is_array()) return std::nullopt;
        const auto n = static_cast<std::int64_t>(words[static_cast<std::size_t>(
            other.enter_word + (other.shape == Shape::pointer_inout))]);
        return n > 0 ? static_cast<std::uint64_t>(n) * p.length_factor : 0;
      }
      case Length::number:
        return p.length_factor;
      case Length::size:
      case Length::localsize:
        return static_cast<std::uint64_t>(world_size_);
      default:
        return std::nullopt;
    }
  }

  std::vector<std::int64_t> default_elements(const TextLine& line, TextRank& rank,
                                             const ProcInfo& proc, std::size_t index,
                                             const std::vector<std::uint64_t>& words) {
    const Param& p = proc.params[index];
    if (p.elem_size == 1) return {'x'};
    std::vector<std::int64_t> elements(
        std::min<std::uint64_t>(expected_length(line, proc, index, words).value_or(0), 4096));
    for (std::size_t k = 0; k < elements.size(); ++k) {
      switch (p.kind) {
        case Kind::displacement:
        case Kind::aint:
          elements[k] = static_cast<std::int64_t>(k) * (p.elem_size == 8 ? 16 : 1);
          break;
        case Kind::dims:
          elements[k] = k == 0 ? world_size_ : 1;
          break;
        case Kind::range:
          elements[k] = k % 3 == 2 ? 1 : 0;
          break;
        case Kind::rank:
        case Kind::neighbour:
          elements[k] = static_cast<std::int64_t>(k) % world_size_;
          break;
        default:
          elements[k] = static_cast<std::int64_t>(default_in(line, rank, proc, index));
      }
    }
    return elements;
  }

  // A value that makes the call right.
  std::uint64_t default_in(const TextLine& line, TextRank& rank, const ProcInfo& proc,
                           std::size_t index) {
    const Param& p = proc.params[index];
    const auto named = [](const char* name) {
      const Constant c = constant_by_name(name);
      return info(c).is_handle ? text_handle(c) : static_cast<std::uint64_t>(recorded_value(c));
    };
    const auto latest = [&](const char* otherwise) {
      const auto it = rank.latest.find(p.kind);
      return it != rank.latest.end() ? it->second : named(otherwise);
    };
    // A length is that of the first array given that it belongs to.
    for (std::size_t a = 0; a < proc.params.size(); ++a) {
      const Param& array = proc.params[a];
      if (array.length == Length::param && array.length_param == static_cast<int>(index) &&
          lengths_[a]) {
        return *lengths_[a] / std::max<std::uint64_t>(array.length_factor, 1);
      }
    }
    const std::string_view name = p.name;
    switch (p.kind) {
      case Kind::buffer: {
        const std::uint64_t at = rank.next_buffer;
        rank.next_buffer += kTextBufferStep;
        return at;
      }
      case Kind::status:
      case Kind::function:
      case Kind::extra_state:
      case Kind::pointer:
      case Kind::attribute:
        return p.optional && proc.family == Family::lifecycle ? 0 : fresh_variable(rank, 4096);
      case Kind::argv:
        return p.optional ? 0 : fresh_variable(rank, 32);
      case Kind::count:
      case Kind::partitions:
      case Kind::disp_unit:
      case Kind::psize:
      case Kind::ndims:
        return 1;
      case Kind::length:
      case Kind::degree:
        return name == "maxdims" ? 8 : proc.family == Family::completion ? 0 : 1;
      case Kind::datatype:
        return named("MPI_INT");
      case Kind::comm:
        return named("COMM_WORLD");
      case Kind::group:
        return latest("GROUP_EMPTY");
      case Kind::request:
        return latest("REQUEST_NULL");
      case Kind::message:
        return latest("MESSAGE_NULL");
      case Kind::op:
        return proc.has(kDestructor) ? latest("OP_NULL") : named("MPI_SUM");
      case Kind::win:
        return latest("WIN_NULL");
      case Kind::file:
        return latest("FILE_NULL");
      case Kind::info:
        return proc.family == Family::info ? latest("INFO_NULL") : named("INFO_NULL");
      case Kind::errhandler:
        return latest("ERRORS_RETURN");
      case Kind::session:
        return latest("SESSION_NULL");
      case Kind::keyval:
        return latest("KEYVAL_INVALID");
      case Kind::rank:
        if (name == "source" || name == "recvsource") return peer(line, world_size_ - 1);
        return name == "dest" ? peer(line, 1) : 0;
      case Kind::key:
        return static_cast<std::uint64_t>(line.rank);
      case Kind::bytes:
      case Kind::buffer_size:
        return 64;
      case Kind::amode:
        return 8 | 1;  // RDWR, CREATE
      case Kind::lock_type:
        return named("LOCK_SHARED");
      case Kind::thread_level:
        return named("THREAD_MULTIPLE");
      case Kind::whence:
        return named("SEEK_SET");
      case Kind::split_type:
        return named("COMM_TYPE_SHARED");
      case Kind::order:
        return named("ORDER_C");
      case Kind::distrib:
        return named("DISTRIBUTE_BLOCK");
      case Kind::darg:
        return named("DISTRIBUTE_DFLT_DARG");
      case Kind::typeclass:
        return named("TYPECLASS_INTEGER");
      case Kind::int_:
        if (name == "size") return proc.base == Proc::type_match_size ? 4 : 1;
        return name == "nnodes" ? 1 : 0;
      default:
        return 0;
    }
  }

  std::uint64_t peer(const TextLine& line, int step) const {
    return static_cast<std::uint64_t>((line.rank + step) % world_size_);
  }

  int world_size_;
  std::vector<const TextValue*> given_;                // by parameter
  std::vector<std::optional<std::uint64_t>> lengths_;  // of arrays, where given
};

}  // namespace

std::vector<std::uint64_t> enter_words(const TextLine& line, TextRank& rank, int world_size,
                                       Proc proc) {
  return EnterBuilder(world_size).build(line, rank, proc);
}

}  // namespace vouch
