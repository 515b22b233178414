// Trace files with damaged contents and checksums that fit, through all that `vouch trace` and
// `vouch predict` do with one before a solver is asked.

#include <cstring>
#include <map>
#include <sstream>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "predict/pairs/counting.h"
#include "predict/pairs/match_pairs.h"
#include "predict/program/state.h"
#include "predict/quick/steer.h"
#include "records.h"
#include "trace/dump.h"
#include "trace/format.h"
#include "trace/load.h"
#include "trace/writer.h"
#include "trace_program/from_events.h"

namespace vouch::fuzz {
namespace {

// The records as a trace; its writer asks nobody whether they can be read.
std::string file_of(const Run& run, const std::vector<Record>& records) {
  std::string file;
  const int fd = ::memfd_create("trace", MFD_CLOEXEC);
  {
    trace::Writer writer(::dup(fd), "memory");
    for (std::size_t i = 0; i < run.hints.size(); ++i)
      writer.add_process(static_cast<int>(i), run.hints[i]);
    std::map<std::pair<int, int>, std::uint32_t> last;
    for (const Record& r : records) {
      if (r.header.words != r.words.size() || r.header.phase > wire::Phase::meta ||
          r.header.proc >= static_cast<std::uint16_t>(Proc::count_) ||
          (r.header.flags & wire::kFlagBlob) != 0)
        continue;
      writer.record(static_cast<std::size_t>(r.process), r.thread,
                    Event(&r.header, r.words.data()));
      if (r.header.phase == wire::Phase::enter) last[{r.process, r.thread}] = r.header.seq;
    }
    for (const auto& [who, seq] : last)
      writer.returned(static_cast<std::size_t>(who.first), who.second, seq);
    writer.close();
  }
  const off_t size = ::lseek(fd, 0, SEEK_END);
  file.resize(static_cast<std::size_t>(size));
  (void)!::pread(fd, file.data(), file.size(), 0);
  ::close(fd);
  return file;
}

// Some bytes of the chunks change; their checksums fit again.
void damage(Random& random, std::string& file) {
  std::uint64_t number = 0;
  for (std::size_t at = sizeof(trace::FileHeader);
       at + sizeof(trace::ChunkHeader) <= file.size();) {
    trace::ChunkHeader chunk;
    std::memcpy(&chunk, file.data() + at, sizeof(chunk));
    char* payload = file.data() + at + sizeof(chunk);
    if (chunk.bytes > file.size() - at - sizeof(chunk)) return;
    for (std::size_t n = random.one_in(3) && chunk.bytes > 0 ? 1 + random.below(6) : 0; n > 0; --n)
      payload[random.below(chunk.bytes)] = static_cast<char>(random.next());
    if (random.one_in(40)) chunk.process = static_cast<std::uint32_t>(random.number());
    if (random.one_in(40)) chunk.kind = static_cast<trace::ChunkKind>(random.below(7));
    chunk.checksum =
        trace::checksum(chunk, number++, std::as_bytes(std::span(payload, chunk.bytes)));
    std::memcpy(file.data() + at, &chunk, sizeof(chunk));
    at += sizeof(chunk) + chunk.bytes;
  }
}

void predict_from(const TextTrace& events) {
  const auto run = vouch::run_of(events);
  if (!run.ok()) check_sentence(run.error());
  const auto program = program_of(events);
  if (!program.ok()) return check_sentence(program.error());
  const predict::Program& p = program.value().program;
  if (!predict::defect(p).empty()) std::abort();
  predict::print_compact(p);
  if (p.ops.size() > 200) return;
  predict::match_pairs(p);
  predict::always_deadlocks(p);
  predict::steer(p, predict::Buffering::zero, {.seed = 1});
}

class Trace : public Target {
 public:
  explicit Trace(const std::string& corpus)
      : files_(files_of(corpus, ".trace")), runs_(runs_of(corpus)) {}
  void run(Random& random) override {
    if (runs_.empty()) return;
    std::string file;
    if (random.one_in(4)) {
      file = files_[random.below(files_.size())].bytes;
    } else {
      const std::size_t which = random.below(runs_.size());
      file = file_of(runs_[which], mutate(random, runs_, which));
    }
    if (random.one_in(3)) damage(random, file);
    if (random.one_in(20)) file.resize(random.below(file.size() + 1));
    std::istringstream in(file);
    const auto loaded = trace::load(in);
    if (!loaded.ok()) return check_sentence(loaded.error());
    trace::dump(loaded.value().trace, [](std::string_view) {});
    predict_from(loaded.value().trace);
  }

 private:
  const std::vector<File> files_;
  const std::vector<Run> runs_;
};

}  // namespace

std::unique_ptr<Target> make_trace(const std::string& corpus) {
  return std::make_unique<Trace>(corpus);
}

}  // namespace vouch::fuzz
