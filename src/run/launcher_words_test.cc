#include "run/launcher_words.h"

#include <gtest/gtest.h>

namespace vouch {
namespace {

TEST(LauncherWords, a_wrong_option) {
  const auto openmpi = launcher_words(
      "mpirun.openmpi: Error: unknown option \"--bogus\"\n"
      "Type 'mpirun.openmpi --help' for usage.\n",
      true);
  ASSERT_EQ(openmpi.own.size(), 1U);
  EXPECT_EQ(openmpi.own[0], "mpirun.openmpi: Error: unknown option \"--bogus\"");
  EXPECT_FALSE(openmpi.blames_process);
  const auto hydra = launcher_words(
      "[mpiexec@vm] match_arg (utils/args/args.c:163): unrecognized argument bogus\n", true);
  EXPECT_EQ(hydra.own.size(), 1U);
  EXPECT_FALSE(hydra.blames_process);
}

// Its status may be that of one that it has ended itself.
TEST(LauncherWords, the_signal_of_the_process_that_failed) {
  const auto signal = [](const char* text) { return launcher_words(text, true).signal; };
  EXPECT_EQ(signal("mpirun.openmpi noticed that process rank 0 with PID 0 on node vm exited on "
                   "signal 11 (Segmentation fault).\n"),
            11);
  EXPECT_EQ(signal("the program itself exited on signal 11\n"), 0);
  EXPECT_EQ(signal("mpirun noticed that process rank 0 with PID 0 on node vm exited on signal x"),
            0);
  EXPECT_EQ(signal("mpirun noticed that process rank 0 with PID 0 on node vm exited on signal "),
            0);
}

// Over several nodes another proxy may say so of another process later.
TEST(LauncherWords, the_process_that_hydra_names_first) {
  const auto process = [](const char* text) { return launcher_words(text, false).process; };
  EXPECT_EQ(process("=   BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES\n"
                    "=   PID 4711 RUNNING AT a\n"
                    "=   PID 4712 RUNNING AT b\n"),
            4711);
  EXPECT_EQ(process("the program: =   PID 4711 RUNNING AT a\n"), 0);
  EXPECT_EQ(process("=   PID x RUNNING AT a\n"), 0);
  EXPECT_EQ(process("=   PID 4711"), 0);
}

TEST(LauncherWords, no_descriptors) {
  const auto words = launcher_words(
      "[proxy:0:0@vm] HYDU_create_process (utils/launch/launch.c:24): pipe error (Too many open "
      "files)\n"
      "[proxy:0:0@vm] launch_procs (pm/pmiserv/pmip_cb.c:730): create process returned error\n",
      false);
  EXPECT_EQ(words.own.size(), 2U);
  EXPECT_FALSE(words.blames_process);
}

TEST(LauncherWords, framed_help) {
  const auto words = launcher_words(
      "a line of the program\n"
      "--------------------------------------------------------------------------\n"
      "There are not enough slots available in the system to satisfy the 20\n"
      "slots that were requested by the application:\n"
      "\n"
      "  ./ring\n"
      "--------------------------------------------------------------------------\n"
      "another line of the program\n",
      true);
  EXPECT_EQ(in_short(words.own),
            "There are not enough slots available in the system to satisfy the 20 slots that were "
            "requested by the application: ./ring");
}

TEST(LauncherWords, a_status_that_is_of_no_process) {
  EXPECT_TRUE(launcher_words("[mpiexec@vm] HYDT_bscu_wait_for_completion (bscu_wait.c:73): one of "
                             "the processes terminated badly; aborting\n"
                             "[mpiexec@vm] main (ui/mpich/mpiexec.c:325): process manager error "
                             "waiting for completion\n",
                             false)
                  .status_is_own);
  EXPECT_FALSE(launcher_words("my process manager error\n", false).status_is_own);
}

TEST(LauncherWords, a_process_that_failed) {
  EXPECT_TRUE(
      launcher_words("[proxy:0:1@b] HYD_pmcd_pmip_control_cmd_cb (pm/pmiserv/pmip_cb.c:899): "
                     "assert (!closed) failed\n",
                     false)
          .blames_process);
  // The launcher itself lost a proxy that could start nothing more.
  EXPECT_FALSE(
      launcher_words("[proxy:0:0@a] HYDU_create_process (utils/launch/launch.c:21): pipe error "
                     "(Too many open files)\n"
                     "[proxy:0:1@b] HYD_pmcd_pmip_control_cmd_cb (pm/pmiserv/pmip_cb.c:899): "
                     "assert (!closed) failed\n"
                     "[mpiexec@a] control_cb (pm/pmiserv/pmiserv_cb.c:206): assert (!closed) "
                     "failed\n",
                     false)
          .blames_process);
  EXPECT_TRUE(launcher_words("mpirun.openmpi noticed that process rank 1 with PID 0 on node vm "
                             "exited on signal 9 (Killed).\n",
                             true)
                  .blames_process);
  EXPECT_TRUE(launcher_words("=   BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES\n"
                             "=   EXIT CODE: 9\n",
                             true)
                  .blames_process);
  EXPECT_TRUE(
      launcher_words("srun: error: n1: task 0: Exited with exit code 3\n", true).blames_process);
  EXPECT_FALSE(launcher_words("srun: error: Unable to allocate resources: Requested node "
                              "configuration is not available\n",
                              true)
                   .blames_process);
}

// Its relay of the words of processes that fail together is broken; that says nothing of itself.
TEST(LauncherWords, words_of_a_process_that_open_mpi_lost) {
  const auto words = launcher_words(
      "[vm:316] [[28098,0],0] ORTE_ERROR_LOG: Data unpack would read past end of buffer in file "
      "../../../orte/util/show_help.c at line 507\n",
      true);
  EXPECT_TRUE(words.own.empty());
  EXPECT_EQ(launcher_words("[vm:316] [[28098,0],0] ORTE_ERROR_LOG: Not found in file "
                           "../../orte/mca/ess/hnp/ess_hnp_module.c at line 320\n",
                           true)
                .own.size(),
            1U);
}

// Open MPI, where a process has left without MPI_Finalize.
TEST(LauncherWords, a_process_that_left) {
  EXPECT_TRUE(
      launcher_words("--------------------------------------------------------------------------\n"
                     "mpirun.openmpi has exited due to process rank 1 with PID 0 on\n"
                     "node vm exiting improperly. There are three reasons this could occur:\n"
                     "--------------------------------------------------------------------------\n",
                     true)
          .blames_process);
}

TEST(LauncherWords, long_ones_are_cut) {
  EXPECT_EQ(in_short({}), "");
  const std::string cut = in_short({std::string(500, 'x')});
  EXPECT_EQ(cut.size(), 404U);
}

}  // namespace
}  // namespace vouch
