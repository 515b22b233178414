// Programs and libraries are compiled by the tests, so that each has exactly the dependencies that
// matter.

#include "run/program.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run/launchers.h"

namespace vouch {
namespace {

namespace fs = std::filesystem;

class ProgramTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "vouch-program-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    dir_ = name;
  }
  void TearDown() override { fs::remove_all(dir_); }

  std::string write(const std::string& name, const std::string& text, bool executable = true) {
    const std::string path = dir_ / name;
    std::ofstream(path) << text;
    ::chmod(path.c_str(), executable ? 0755 : 0644);
    return path;
  }
  // Compiles `source` with the given words; {} stands for the folder.
  std::string compile(const std::string& name, const std::string& source,
                      const std::string& words) {
    const std::string in = write(name + ".c", source, false);
    const std::string out = dir_ / name;
    const std::string line = fmt::format("cd {} && cc {} -o {} {}", dir_.string(), in, out, words);
    EXPECT_EQ(std::system(line.c_str()), 0) << line;
    return out;
  }
  std::string error(const std::string& path) {
    const auto program = examine({path});
    return program.ok() ? "" : program.error();
  }

  fs::path dir_;
};

// What makes a library one of MPI, and what a tool has instead (MPI-4.1 15.2).
#define MPI_LIBRARY                                      \
  " int PMPI_Init(int* a, char*** b) { return a || b; }" \
  " int MPI_Init(int* a, char*** b) { return PMPI_Init(a, b); }"
#define PROFILING_LAYER            \
  " int PMPI_Init(int*, char***);" \
  " int MPI_Init(int* a, char*** b) { return PMPI_Init(a, b); }"
constexpr char kMain[] = "int MPI_Init(int*, char***); int main(void) { return MPI_Init(0, 0); }";
constexpr char kPlain[] = "int main(void) { return 0; }";

TEST_F(ProgramTest, library_is_found_through_a_dependency_and_its_runpath) {
  compile("libmpi.so.40", "int ompi_mpi_comm_world;" MPI_LIBRARY,
          "-shared -fPIC -Wl,-soname,libmpi.so.40");
  compile("libsolver.so", "int MPI_Init(int*, char***); int solve(void) { return MPI_Init(0, 0); }",
          "-shared -fPIC -l:libmpi.so.40 -L. -Wl,-rpath,'$ORIGIN' -Wl,--enable-new-dtags");
  const std::string app = compile("app", "int solve(void); int main(void) { return solve(); }",
                                  "-L. -lsolver -Wl,-rpath,'$ORIGIN' -Wl,-rpath-link,.");
  const auto program = examine({app});
  ASSERT_TRUE(program.ok()) << program.error();
  EXPECT_EQ(program.value().mpi.kind, MpiKind::openmpi);
  EXPECT_EQ(program.value().mpi.path, dir_ / "libmpi.so.40");
}

TEST_F(ProgramTest, rpath_of_the_program_serves_its_libraries_too) {
  compile("libmpich.so.12", "int MPIR_Dup_fn;" MPI_LIBRARY,
          "-shared -fPIC -Wl,-soname,libmpich.so.12");
  compile("libsolver.so", "int MPI_Init(int*, char***); int solve(void) { return MPI_Init(0, 0); }",
          "-shared -fPIC -l:libmpich.so.12 -L.");
  const std::string app = compile("app", "int solve(void); int main(void) { return solve(); }",
                                  "-L. -lsolver -Wl,--disable-new-dtags -Wl,-rpath,'$ORIGIN'");
  EXPECT_EQ(find_mpi(app).kind, MpiKind::mpich);
}

TEST_F(ProgramTest, a_program_without_mpi_has_none) {
  const auto program = examine({compile("plain", kPlain, "")});
  ASSERT_TRUE(program.ok()) << program.error();
  EXPECT_EQ(program.value().mpi.kind, MpiKind::none);
}

TEST_F(ProgramTest, an_unknown_library_is_named) {
  compile("libmpi.so.99", MPI_LIBRARY, "-shared -fPIC -Wl,-soname,libmpi.so.99");
  const std::string app = compile("app", kMain, "-l:libmpi.so.99 -L. -Wl,-rpath,'$ORIGIN'");
  EXPECT_NE(error(app).find("neither Open MPI nor MPICH"), std::string::npos) << error(app);
  EXPECT_NE(error(app).find("libmpi.so.99"), std::string::npos);
}

TEST_F(ProgramTest, a_library_without_a_profiling_interface) {
  compile("libmpi.so.99", "int MPI_Init(int* a, char*** b) { return a || b; }",
          "-shared -fPIC -Wl,-soname,libmpi.so.99");
  const std::string app = compile("app", kMain, "-l:libmpi.so.99 -L. -Wl,-rpath,'$ORIGIN'");
  EXPECT_NE(error(app).find("neither Open MPI nor MPICH"), std::string::npos) << error(app);
}

TEST_F(ProgramTest, static_executable) {
  EXPECT_NE(error(compile("static", kPlain, "-static")).find("statically linked"),
            std::string::npos);
  EXPECT_NE(error(compile("staticpie", kPlain, "-static-pie")).find("statically linked"),
            std::string::npos);
}

TEST_F(ProgramTest, mpi_linked_statically_into_a_dynamic_executable) {
  const std::string app = compile("app", std::string(kMain) + MPI_LIBRARY, "");
  EXPECT_NE(error(app).find("MPI library linked into it"), std::string::npos) << error(app);
}

TEST_F(ProgramTest, a_profiling_layer_is_no_library) {
  compile("libmpi.so.40", "int ompi_mpi_comm_world;" MPI_LIBRARY,
          "-shared -fPIC -Wl,-soname,libmpi.so.40");
  const char* flags = "-l:libmpi.so.40 -L. -Wl,-rpath,'$ORIGIN'";
  const auto own = examine({compile("own", std::string(kMain) + PROFILING_LAYER, flags)});
  ASSERT_TRUE(own.ok()) << own.error();
  EXPECT_EQ(own.value().mpi.kind, MpiKind::openmpi);
  // In a library that stands before MPI's.
  compile("libprofile.so", PROFILING_LAYER, std::string("-shared -fPIC ") + flags);
  const auto other = examine({compile("other", kMain, std::string("-L. -lprofile ") + flags)});
  ASSERT_TRUE(other.ok()) << other.error();
  EXPECT_EQ(other.value().mpi.kind, MpiKind::openmpi);
  EXPECT_EQ(other.value().mpi.path, dir_ / "libmpi.so.40");
  EXPECT_EQ(other.value().mpi.second, "");
}

TEST_F(ProgramTest, what_is_no_program) {
  EXPECT_NE(error(dir_ / "nothing").find("there is no program"), std::string::npos);
  EXPECT_NE(error("vouch-no-such-program").find("PATH"), std::string::npos);
  EXPECT_NE(error(dir_).find("is a directory"), std::string::npos);
  EXPECT_NE(error(write("text", "hello\n", false)).find("not executable"), std::string::npos);
  EXPECT_NE(error(write("text2", "hello\n")).find("not a program"), std::string::npos);
  EXPECT_NE(error(write("empty", "")).find("is empty"), std::string::npos);
  EXPECT_NE(error(write("torn",
                        "\x7f"
                        "ELF torn"))
                .find("damaged"),
            std::string::npos);
  EXPECT_NE(error(compile("lib.so", kPlain, "-shared -fPIC")).find("library"), std::string::npos);
}

TEST_F(ProgramTest, scripts) {
  const auto shell = examine({write("job.sh", "#!/bin/sh\ntrue\n")});
  ASSERT_TRUE(shell.ok()) << shell.error();
  EXPECT_TRUE(shell.value().script);
  EXPECT_FALSE(shell.value().python);
  const auto python = examine({write("job.py", "#!/usr/bin/env -S python3 -u\npass\n")});
  ASSERT_TRUE(python.ok()) << python.error();
  EXPECT_TRUE(python.value().python);
}

TEST(Launcher, names) {
  for (const char* yes : {"mpirun", "/usr/bin/mpirun.openmpi", "mpiexec.hydra", "mpiexec-mpich-mp",
                          "srun", "prterun", "orterun"}) {
    EXPECT_TRUE(is_launcher(yes)) << yes;
  }
  for (const char* no : {"./app", "mpirunner", "sh", "/opt/mpirun/app", "srunx"})
    EXPECT_FALSE(is_launcher(no)) << no;
}

TEST(Launcher, words) {
  const std::vector<std::string> few =
      launch_line({"mpirun.openmpi", MpiKind::openmpi}, 1, {"./app", "x"});
  EXPECT_EQ(few, (std::vector<std::string>{"mpirun.openmpi", "-n", "1", "./app", "x"}));
  const int many = physical_cores() + 1;
  EXPECT_EQ(launch_line({"mpirun.openmpi", MpiKind::openmpi}, many, {"./app"})[3],
            "--oversubscribe");
  EXPECT_EQ(launch_line({"mpirun.mpich", MpiKind::mpich}, many, {"./app"})[3], "./app");
}

}  // namespace
}  // namespace vouch
