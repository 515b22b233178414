// The agent's parts and what it remembers. agent.cc: rings, ranks, deaths, the end;
// agent_nodes.cc: what it does with the agents of other nodes, if there are any.

#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "agent/agent.h"
#include "agent/channel.h"
#include "agent/deaths.h"
#include "agent/file_link.h"
#include "agent/message_link.h"
#include "agent/moment_link.h"
#include "agent/one_world.h"
#include "agent/peers.h"
#include "agent/pipeline.h"
#include "agent/ranks.h"
#include "agent/rounds.h"
#include "agent/schedule_watch.h"
#include "agent/wait_link.h"
#include "agent/wave_link.h"
#include "analysis/deadlock/deadlock.h"
#include "record/handshake.h"
#include "report/collector.h"
#include "source/site_table.h"

namespace vouch {

constexpr int kShortestSleep = 1, kLongestSleep = 20;  // milliseconds
constexpr int kTalkSleep = 4;                          // with agents on other nodes

class Agent : private PeersEvents, private RemoteRanks {
 public:
  explicit Agent(const AgentOptions& options);
  int run();

 private:
  enum class Watched : std::uint32_t { listening, control, connection, process, peers };

  void watch(int fd, Watched what, std::size_t index);
  void look_at_descriptors(int timeout_ms);
  void accept_all();
  void read_hellos(std::size_t connection);
  bool welcome(std::size_t connection, const wire::Hello&, int memfd);
  bool tell_forked_call(int child, const ForkedCall&);
  void read_commands();
  std::size_t read_rings();
  std::size_t go_on();
  void bury();
  void judge(bool all);
  void where(RankProcess&, const std::string& when);
  void end_leftovers();
  bool finished() const;
  void look_for_stuck(std::size_t read);
  void step();
  bool pressed();
  bool holds_back(RankProcess&, Clock::time_point now);
  void let_go_on(std::size_t read);
  bool waits(RankProcess&);
  std::vector<std::vector<Site>> stacks(std::size_t process);
  bool may_know_time(std::size_t process, Site);
  std::vector<Site> stack_of(const Process&);
  void tell_stuck();
  void sleep(std::size_t read);
  bool may_sleep() const;
  std::size_t alive() const;
  void keep_trace(std::size_t read);
  void finish_trace();
  Summary finish();
  void obey(const Command&);
  void pass_on(const Command&);
  void all_obeyed(const Command&);
  bool killed_launcher(const Command&) const;
  int blames(const Command&) const;
  std::string dead_name(std::size_t process);
  void tell_end(const Judgement&);
  End unknown_end(const RankProcess&, End how);

  // Of the ranks of a node that live: some are not in MPI_Finalize, all are, there is none.
  enum class Standing : std::uint8_t { running, finalizing, gone };
  struct Guest {
    std::vector<Finding> findings;   // what it has told so far
    std::optional<Summary> summary;  // its last word
    bool over = false, obeyed = false, quiet = false, closed = false;
    std::optional<Tally> tally;
    Standing standing = Standing::running;  // when it became quiet
  };
  // Several nodes (agent_nodes.cc).
  void meet_peers();
  void talk();
  void say_over();
  bool all_over() const;
  void finish_with_peers();
  int finish_as_guest();
  Summary joined_with_peers(Summary mine);
  void on_joined() override;
  void on_open(const MeshPlan&, int self) override;
  void on_message(int from, Packet, std::string_view bytes) override;
  void on_lost(int node, const std::string& host, const std::string& why) override;
  void take_waiting(int from, Packet, std::string_view bytes);
  void work();
  void say_quiet(std::size_t read);
  void close_facts();
  void tell_unsent();
  bool all_flushed() const;
  void await_moments();
  bool orderly() const;
  bool wait_for_guests(const std::function<bool(const Guest&)>& done, std::chrono::seconds longest);
  Standing standing();
  bool all_finalizing();
  void notice_finalize(Clock::time_point now);
  bool time_to_look(std::size_t read, Clock::time_point now);
  void settle_members();
  void note_stuck(const std::vector<int>& stuck);
  Task<std::string> stuck_elsewhere();
  // RemoteRanks.
  void gather_waves(const std::vector<int>& stuck) override;
  bool waves_gathered() override;
  void tolerate(wait::Label) override;
  void ask(const wait::RankSet&) override;
  bool answered() override { return answers_.size() >= asked_; }
  std::vector<RankStatus> take_answers() override;
  void blame(int rank, Site, const std::string& text) override;
  std::chrono::nanoseconds quiet_for() override;
  void answer(std::string_view ranks);
  template <typename T>
  T drive(Task<T>);
  // We are not the agent that vouch started.
  bool guest() const { return options_.control < 0; }

  struct Connection {
    int fd = -1;
    int pid = 0;
    std::ptrdiff_t member = -1;
  };

  bool are_apart(const Process&);

  const AgentOptions options_;
  OneWorld one_world_;
  std::vector<int> told_sizes_;  // by process: how many its launcher says there are
  SiteTable sites_;
  Collector collector_;
  World world_;
  ScheduleWatch* schedule_ = nullptr;  // the pipeline's
  Pipeline pipeline_;
  DeadlockSearch* const search_;
  Io* const io_;
  Rounds rounds_;
  std::unique_ptr<trace::Writer> trace_;
  Clock::time_point trace_kept_{};  // up to here it is in the file
  Deaths deaths_;
  int epoll_;
  const std::vector<std::byte> plan_;  // what ranks follow
  int bell_memory_;
  Bell* bell_ = nullptr;
  std::vector<Connection> connections_;
  std::vector<std::unique_ptr<RankProcess>> members_;  // by number in World
  std::uint64_t hang_ups_ = 0;
  std::vector<std::size_t> dying_;  // noticed, not yet read to the end
  std::string command_bytes_;
  int sleep_ms_ = kShortestSleep;
  std::optional<Clock::time_point> pressed_since_;  // rings fill before they may be read
  bool vouch_gone_ = false, strangers_ = false;
  std::string stopped_;  // "when the time limit of 5 s was reached"
  std::optional<Clock::time_point> launcher_ended_;
  int launcher_status_ = 0;     // as waitpid gives it
  int terminated_ = 0;          // 1: TERM was sent, 2: KILL
  Clock::time_point looked_{};  // for ranks that are stuck
  std::vector<std::uint64_t> polls_;
  std::optional<Clock::time_point> quiet_since_;  // while a rank is held back

  std::unique_ptr<Peers> peers_;   // none: this node is the only one
  bool started_ = true;            // who watches which rank is known: records may be read
  std::vector<int> without_bell_;  // connections that get theirs when we have joined
  std::map<std::size_t, std::string> names_;  // of dead processes of other nodes (Deaths::Death)
  std::map<int, Guest> guests_;
  std::vector<int> missing_;        // ranks that nobody watches
  std::optional<Command> obeying_;  // an order that all must have followed before we go on
  Clock::time_point obeying_since_{}, born_ = Clock::now();
  bool said_over_ = false, concluded_ = false, root_lost_ = false;
  std::string no_peers_;  // why there are none
  std::unique_ptr<WaitLink> link_;
  std::unique_ptr<MessageLink> messages_;
  std::unique_ptr<MomentLink> moments_;
  std::unique_ptr<WaveLink> waves_;
  std::unique_ptr<FileLink> files_;
  std::set<int> waves_out_;  // agents that have told their open collectives
  std::set<int> flushed_;    // agents that have said all of their messages
  bool closing_ = false, said_closed_ = false, orderly_elsewhere_ = true;
  bool blind_ = false;  // an agent is gone: no state is whole any more
  std::vector<std::pair<int, StatusNotice>> answers_;  // with the node they come from
  std::size_t asked_ = 0;                              // ranks
  WaitPoint waits_;
  Clock::time_point last_read_ = Clock::now(), all_quiet_since_ = Clock::now();
  bool said_quiet_ = false;
  std::chrono::milliseconds look_pause_{0};  // before the next look for stuck ranks
  bool finalize_noticed_ = false;
  std::map<std::string, bool> know_time_;              // files of programs and libraries
  std::optional<Clock::time_point> finalizing_since_;  // all ranks of all nodes
};

// Runs a task to its end; what it has asked other agents comes meanwhile.
template <typename T>
T Agent::drive(Task<T> task) {
  task.start();
  while (task.under_way()) {
    step();
    work();
    search_->go_on();
    waits_.poll(blind_);
    if (task.under_way()) peers_->pump(std::chrono::milliseconds(2));
  }
  return task.result();
}

}  // namespace vouch
