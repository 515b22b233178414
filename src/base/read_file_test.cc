#include "base/read_file.h"

#include <cstdio>
#include <fstream>

#include <gtest/gtest.h>

namespace vouch {
namespace {

TEST(ReadFile, WhatIsThereWhole) {
  const std::string path = testing::TempDir() + "vouch-read-file";
  const std::string all = std::string(10'000, 'x') + '\0' + "end\n";
  std::ofstream(path, std::ios::binary) << all;
  EXPECT_EQ(read_file(path), all);
  std::ofstream(path, std::ios::trunc).flush();
  EXPECT_EQ(read_file(path), "");
  std::remove(path.c_str());
  EXPECT_EQ(read_file(path), std::nullopt);
}

TEST(ReadFile, WhatOpensAndCannotBeRead) {
  EXPECT_EQ(read_file("/"), std::nullopt);               // EISDIR at the first read
  EXPECT_EQ(read_file("/proc/self/mem"), std::nullopt);  // EIO, as of a process that is gone
  EXPECT_EQ(read_file("/dev/zero"), std::nullopt);       // has no end
}

}  // namespace
}  // namespace vouch
