// Inputs nobody vouches for, made from real ones, and what must hold whatever they say.
//
// Each target makes the input of a number from its corpus and drives the code that reads such
// things, in this process. No input may end it, keep it busy for more than a second, or make it
// hold more than 200 MB; address and undefined-behaviour sanitizers watch (the asan preset). The
// inputs know the form: checksums fit, records stay records, so that what is wrong lies deep.

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace vouch {
class Symbolizer;
}

namespace vouch::fuzz {

// Small, and the same everywhere: an input is its number.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15u + 1) {}
  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15u;
    std::uint64_t x = state_;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
  }
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(next() % n); }
  bool one_in(std::size_t n) { return below(n) == 0; }
  // Numbers at which things go wrong: near nothing, near powers of two, canonical ones.
  std::uint64_t number();

 private:
  std::uint64_t state_;
};

class Target {
 public:
  virtual ~Target() = default;
  virtual void run(Random&) = 0;
};

// Each from the files of a folder that it can read.
std::unique_ptr<Target> make_ring(const std::string& corpus);
std::unique_ptr<Target> make_trace(const std::string& corpus);
std::unique_ptr<Target> make_schedule(const std::string& corpus);
std::unique_ptr<Target> make_state(const std::string& corpus);
std::unique_ptr<Target> make_suppressions(const std::string& corpus);
std::unique_ptr<Target> make_mesh(const std::string& corpus);

// Files of a folder whose names end so, with their contents, in order of their names.
struct File {
  std::string name, bytes;
};
std::vector<File> files_of(const std::string& folder, std::string_view end);

// For the sites of one input after another: the programs of the corpus are opened once.
std::shared_ptr<Symbolizer> opened_files();

// Some bytes of a text become others; pieces of `others` come in.
std::string mutate_text(Random&, std::string text, const std::vector<std::string_view>& words);

// What must hold of an error: one sentence.
void check_sentence(const std::string& error);

}  // namespace vouch::fuzz
