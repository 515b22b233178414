#include "source/imports.h"

#include <gtest/gtest.h>

namespace vouch {
namespace {

TEST(Imports, names_that_are_about_time) {
  for (const char* name :
       {"clock_gettime", "usleep", "alarm", "_gfortran_system_clock_4", "_gfortran_sleep_i4_sub",
        "_ZNSt6chrono3_V212steady_clock3nowEv", "omp_get_wtime"})
    EXPECT_TRUE(is_about_time(name)) << name;
  for (const char* name : {"MPI_Test", "printf", "_gfortran_st_write", "timer", "_ZNSolsEi", "clk"})
    EXPECT_FALSE(is_about_time(name)) << name;
}

TEST(Imports, a_file_that_cannot_be_read_may_know) {
  EXPECT_TRUE(knows_time("/nowhere/at/all"));
  EXPECT_TRUE(knows_time("/proc/self/status"));
}

// gtest measures how long its tests take.
TEST(Imports, this_program_reads_a_clock) { EXPECT_TRUE(knows_time("/proc/self/exe")); }

}  // namespace
}  // namespace vouch
