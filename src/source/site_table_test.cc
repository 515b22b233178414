// Little programs, compiled here, that print the addresses of their own calls; they are looked up
// when the programs have ended.

#include "source/site_table.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "source/names.h"

namespace fs = std::filesystem;

namespace vouch {
namespace {

// `mark()` prints where it was called from: module path and address less load bias, innermost
// first.
constexpr const char* kMark = R"(
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdint.h>
static void show(void* address) {
  Dl_info info;
  struct link_map* map;
  if (!dladdr1(address, &info, (void**)&map, RTLD_DL_LINKMAP)) return;
  printf("%s %lx\n", info.dli_fname, (unsigned long)((uintptr_t)address - map->l_addr));
}
void mark(void) { show(__builtin_return_address(0)); }
void mark_(void) { show(__builtin_return_address(0)); }
)";

class SourceTest : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/vouch_source_XXXXXX";
    ASSERT_NE(mkdtemp(name), nullptr);
    folder_ = name;
    write("mark.c", kMark);
    ASSERT_TRUE(run("gcc -c mark.c -o mark.o"));
    before_ = fs::current_path();
  }
  void TearDown() override {
    fs::current_path(before_);
    fs::remove_all(folder_);
  }
  void write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
  }
  bool run(const std::string& command) {
    return std::system(("cd " + folder_.string() + " && " + command).c_str()) == 0;
  }
  // The sites that ./name printed, in order.
  std::vector<Site> sites_of(const std::string& name) {
    EXPECT_TRUE(run(name + " > out"));
    std::ifstream in(folder_ / "out");
    std::vector<Site> sites;
    std::string module;
    for (std::uint64_t offset; in >> module >> std::hex >> offset;) {
      if (module[0] != '/') module = (folder_ / module).lexically_normal().string();
      sites.push_back(table_.intern({module, offset}));
    }
    return sites;
  }
  // "file:line function" or, without a line, "file function+offset".
  std::string resolved(Site site) {
    const SourcePlace& p = table_.resolve(site);
    std::ostringstream text;
    text << p.file;
    if (p.line)
      text << ':' << p.line << ' ' << p.function;
    else
      text << ' ' << p.function << (p.offset ? "+" : "");
    return text.str();
  }

  fs::path folder_, before_;
  SiteTable table_;
};

constexpr const char* kC = R"(void mark(void);
static void exchange(int n) {
  mark();
  for (int i = 0; i < n; ++i)
    mark();
}
int main(void) {
  exchange(1);
  mark(
  );
  return 0;
}
)";

TEST_F(SourceTest, c_position_independent_and_not) {
  write("ring.c", kC);
  int number = 0;
  for (const char* flags : {"-g -O0 -fPIE -pie", "-g -O0 -no-pie", "-g -O2", "-g -O2 -gdwarf-4"}) {
    const std::string program = "./ring" + std::to_string(++number);
    ASSERT_TRUE(run(std::string("gcc ") + flags + " ring.c mark.o -o " + program)) << flags;
    const std::vector<Site> sites = sites_of(program);
    ASSERT_EQ(sites.size(), 3u);
    EXPECT_EQ(resolved(sites[0]), "ring.c:3 exchange") << flags;
    EXPECT_EQ(resolved(sites[1]), "ring.c:5 exchange") << flags;
    EXPECT_EQ(resolved(sites[2]), "ring.c:9 main") << flags;
  }
}

TEST_F(SourceTest, without_the_index_of_address_ranges_as_clang_leaves_it) {
  write("ring.c", kC);
  ASSERT_TRUE(run("gcc -g ring.c mark.o -o ring && objcopy --remove-section .debug_aranges ring"));
  EXPECT_EQ(resolved(sites_of("./ring").at(0)), "ring.c:3 exchange");
}

TEST_F(SourceTest, files_are_named_from_where_the_user_stands) {
  fs::create_directory(folder_ / "src");
  write("src/ring.c", kC);
  ASSERT_TRUE(run("gcc -g src/ring.c mark.o -o ring"));
  const std::vector<Site> sites = sites_of("./ring");
  fs::current_path(folder_);
  EXPECT_EQ(resolved(sites.at(0)), "src/ring.c:3 exchange");
  EXPECT_EQ(table_.source_line(sites[0]), "  mark();");
  EXPECT_EQ(table_.resolve(sites[0]).path, (folder_ / "src/ring.c").string());
  EXPECT_FALSE(table_.lacks_lines());
}

TEST_F(SourceTest, an_edited_source_is_not_quoted) {
  write("ring.c", kC);
  ASSERT_TRUE(run("gcc -g ring.c mark.o -o ring"));
  const std::vector<Site> sites = sites_of("./ring");
  EXPECT_NE(table_.source_line(sites.at(0)), "");
  fs::last_write_time(folder_ / "ring.c",
                      fs::file_time_type::clock::now() + std::chrono::seconds(5));
  EXPECT_EQ(table_.source_line(sites.at(0)), "");
}

TEST_F(SourceTest, cxx_names_have_their_classes_and_no_parameters) {
  write("grid.cc", R"(extern "C" void mark(void);
namespace solver {
template <typename T> struct Grid {
  void step(T) { mark(); }
};
inline void helper() { mark(); }
namespace { void hidden(int) { mark(); } }
struct Plain { void go(int); };
void Plain::go(int) { mark(); }
}
int main() {
  solver::Grid<int>().step(1);
  solver::helper();
  solver::hidden(1);
  solver::Plain().go(1);
  auto f = [](int) { mark(); };
  f(1);
}
)");
  for (const char* flags : {"-g -O0", "-g -O2"}) {
    const std::string program = std::string("./grid") + flags[5];
    ASSERT_TRUE(run(std::string("g++ ") + flags + " grid.cc mark.o -o " + program));
    const std::vector<Site> sites = sites_of(program);
    ASSERT_EQ(sites.size(), 5u);
    EXPECT_EQ(resolved(sites[0]), "grid.cc:4 solver::Grid<int>::step") << flags;
    EXPECT_EQ(resolved(sites[1]), "grid.cc:6 solver::helper") << flags;
    EXPECT_EQ(resolved(sites[2]), "grid.cc:7 solver::hidden") << flags;
    EXPECT_EQ(resolved(sites[3]), "grid.cc:9 solver::Plain::go") << flags;
    EXPECT_TRUE(resolved(sites[4]).starts_with("grid.cc:16 ")) << resolved(sites[4]);
  }
}

// A container's destructor is the program's line, as far as the compiler puts it there.
TEST_F(SourceTest, inlined_code_of_the_library_is_where_it_is_used) {
  write("heap.cc", R"(#include <memory>
extern "C" void mark(void);
struct Marks { void operator()(int*) const { mark(); } };
int main() {
  int x = 1;
  std::unique_ptr<int, Marks> p(&x);
  p.reset();
}
)");
  write("own.cc", R"(#include <cstddef>
extern "C" void mark(void);
namespace std { inline namespace mine {
# 10 "/usr/include/c++/12/bits/new_allocator.h"
[[gnu::always_inline]] inline void deallocate() { mark(); }
[[gnu::always_inline]] inline void destroy() { deallocate(); }
} }
# 20 "/home/user/own.cc"
static int post(int n) {
  if (n > 1) std::mine::destroy();
  return n;
}
int main(int argc, char**) { return post(argc + 1) == 0; }
)");
  ASSERT_TRUE(run("g++ -g -O2 own.cc mark.o -o own && g++ -g -O2 heap.cc mark.o -o heap"));
  EXPECT_EQ(resolved(sites_of("./own").at(0)), "own.cc:21 post");
  // The deleter is the program's own.
  EXPECT_EQ(resolved(sites_of("./heap").at(0)), "heap.cc:3 Marks::operator()");
}

TEST_F(SourceTest, fortran_names_are_the_users) {
  write("halo.f90", R"(module halo
contains
  subroutine exchange()
    call mark
  end subroutine
end module
subroutine outer()
  call mark
end subroutine
program ring
  use halo
  call mark
  call exchange
  call outer
contains
  subroutine inner()
  end subroutine
end program
)");
  ASSERT_TRUE(run("gfortran -g halo.f90 mark.o -o halo"));
  std::vector<Site> sites = sites_of("./halo");
  ASSERT_EQ(sites.size(), 3u);
  EXPECT_EQ(resolved(sites[0]), "halo.f90:12 ring");
  EXPECT_EQ(resolved(sites[1]), "halo.f90:4 exchange");
  EXPECT_EQ(resolved(sites[2]), "halo.f90:8 outer");
  ASSERT_TRUE(run("gfortran halo.f90 mark.o -o plain"));
  sites = sites_of("./plain");
  EXPECT_EQ(resolved(sites[0]), "plain main program+");
  EXPECT_EQ(resolved(sites[1]), "plain exchange+");
  EXPECT_EQ(resolved(sites[2]), "plain outer+");
}

TEST_F(SourceTest, without_debug_information) {
  write("ring.c", kC);
  ASSERT_TRUE(run("gcc -O0 ring.c mark.o -o ring"));
  std::vector<Site> sites = sites_of("./ring");
  EXPECT_EQ(resolved(sites.at(0)), "ring exchange+");
  EXPECT_TRUE(table_.lacks_lines());
  EXPECT_EQ(table_.source_line(sites[0]), "");
  ASSERT_TRUE(run("gcc -O0 -s ring.c mark.o -o bare"));
  sites = sites_of("./bare");
  EXPECT_EQ(resolved(sites.at(0)), "bare +");
}

TEST_F(SourceTest, calls_in_a_shared_library_show_the_applications_frame) {
  write(
      "lib.c",
      "void mark(void);\nvoid show(void*);\nvoid library_call(void) {\n  mark();\n  mark();\n}\n");
  write("app.c", R"(#include <stdio.h>
void library_call(void);
void mark(void);
int main(void) {
  library_call();
  mark();
}
)");
  ASSERT_TRUE(
      run("gcc -c -fPIC mark.c -o mark.o && gcc -g -shared -fPIC lib.c mark.o -o libx.so && "
          "gcc -g app.c -L. -lx -Wl,-rpath,'$ORIGIN' -o app"));
  const std::vector<Site> printed = sites_of("./app");
  ASSERT_EQ(printed.size(), 3u);
  EXPECT_EQ(resolved(printed[0]), "lib.c:4 library_call");
  EXPECT_EQ(resolved(printed[1]), "lib.c:5 library_call");
  EXPECT_EQ(table_.application_frame(printed[0]), nullptr) << "no frames were given";

  std::ifstream in(folder_ / "out");
  std::string module[3];
  std::uint64_t offset[3];
  for (int i = 0; i < 3; ++i) in >> module[i] >> std::hex >> offset[i];
  const std::string app = (folder_ / "app").string();
  const Frame callers[] = {{module[1], offset[1]}, {app, offset[2]}};
  SiteTable table;
  const Site site = table.intern({module[0], offset[0]}, callers);
  const SourcePlace* frame = table.application_frame(site);
  ASSERT_NE(frame, nullptr);
  EXPECT_EQ(frame->file + ' ' + frame->function, "app.c main");
  EXPECT_EQ(frame->line, 6);
  EXPECT_EQ(table.application_frame(table.intern({app, offset[2]}, callers)), nullptr);
}

TEST_F(SourceTest, equal_places_are_one_site_and_lines_have_a_first_one) {
  write("ring.c", "void mark(void);\nint main(void) {\n  mark(); mark();\n  mark();\n}\n");
  ASSERT_TRUE(run("gcc -g ring.c mark.o -o ring"));
  const std::vector<Site> once = sites_of("./ring"), again = sites_of("./ring");
  ASSERT_EQ(once.size(), 3u);
  EXPECT_EQ(once, again);
  EXPECT_NE(once[0], once[1]);
  EXPECT_EQ(table_.first_of_line(once[1]), table_.first_of_line(once[0]));
  EXPECT_NE(table_.first_of_line(once[2]), table_.first_of_line(once[0]));
}

TEST(SiteTable, one_call_by_two_ways) {
  SiteTable table;
  const Site call = table.intern_text("comm.c:40");
  const Site a = table.intern_text("a.c:1"), b = table.intern_text("b.c:2");
  const Site by_a = table.with_path(call, {a}), by_b = table.with_path(call, {b});
  EXPECT_NE(by_a, by_b);
  EXPECT_NE(by_a, call);
  EXPECT_EQ(by_a, table.with_path(call, {a}));
  EXPECT_EQ(table.path(by_a), std::vector<Site>{a});
  EXPECT_TRUE(table.path(call).empty());
  EXPECT_EQ(table.resolve(by_a).line, 40);
  EXPECT_EQ(table.first_of_line(by_a), table.first_of_line(by_b));
}

TEST(SiteTable, python_text_and_unknown_places) {
  SiteTable table;
  const Site python = table.intern_python("/nowhere/run.py", 7, "main");
  EXPECT_EQ(python, table.intern_python("/nowhere/run.py", 7, "main"));
  EXPECT_NE(python, table.intern_python("/nowhere/run.py", 8, "main"));
  EXPECT_EQ(table.resolve(python).file, "run.py");
  EXPECT_EQ(table.resolve(python).line, 7);
  const Site text = table.intern_text("ring.c:31");
  EXPECT_EQ(table.resolve(text).file, "ring.c");
  EXPECT_EQ(table.resolve(text).line, 31);
  EXPECT_EQ(table.resolve(table.intern_text("@a")).file, "@a");
  EXPECT_EQ(table.intern_text(""), Site{});
  EXPECT_EQ(table.resolve(Site{}).file, "");
  EXPECT_EQ(table.application_frame(Site{}), nullptr);
}

TEST(SiteTable, a_file_that_is_gone_gives_module_and_offset) {
  SiteTable table;
  const SourcePlace& place = table.resolve(table.intern({"/nowhere/app", 0x1234}));
  EXPECT_EQ(place.file, "app");
  EXPECT_EQ(place.offset, 0x1234u);
  EXPECT_EQ(place.function, "");
}

TEST(SiteTable, an_address_in_no_known_module_is_unknown) {
  SiteTable table;
  EXPECT_EQ(table.intern({"", 0x7f0000001234}), Site{});
  EXPECT_EQ(table.intern_exact({"", 0x7f0000001234}), Site{});
}

TEST(Names, as_the_user_wrote_them) {
  EXPECT_EQ(readable_name("main"), "main");
  EXPECT_EQ(readable_name("exchange_"), "exchange");
  EXPECT_EQ(readable_name("__halo_MOD_exchange"), "exchange");
  EXPECT_EQ(readable_name("MAIN__"), "main program");
  EXPECT_EQ(readable_name("step.isra.0"), "step");
  EXPECT_EQ(readable_name("step.constprop.0.cold"), "step");
  EXPECT_EQ(readable_name("_ZN6solver4Grid4stepEi"), "solver::Grid::step");
  EXPECT_EQ(readable_name("_ZN6solver4Grid4stepEi.part.0"), "solver::Grid::step");
  EXPECT_EQ(readable_name("_Z3runIiEvT_"), "run<int>");
  EXPECT_EQ(readable_name("_ZN1AclEi"), "A::operator()");
  EXPECT_EQ(readable_name("_ZN12_GLOBAL__N_16hiddenEi"), "(anonymous namespace)::hidden");
  EXPECT_EQ(readable_name("_ZNK1A3getEv"), "A::get");
  // Local to a function that has parameters.
  EXPECT_EQ(readable_name("_ZZ1fIiEvT_bENUlvE_4_FUNEv"), "f<int>(int, bool)::{lambda()#1}::_FUN");
}

}  // namespace
}  // namespace vouch
