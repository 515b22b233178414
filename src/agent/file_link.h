// News of files that processes of several nodes have open, on their way to the file's home
// (analysis/io/open_file.h).

#pragma once

#include <string>
#include <string_view>

#include "agent/packets.h"
#include "agent/wait_link.h"
#include "analysis/io/io.h"
#include "model/world.h"

namespace vouch {

class FileLink : public RemoteFiles {
 public:
  FileLink(Wire& wire, WaitLink& places, World& world, Io& files)
      : wire_(wire), places_(places), world_(world), files_(files) {}

  void tell(int home, const FileNews&) override;
  bool take(int from, std::string_view bytes);  // false: it is malformed

 private:
  void send(int home, const FileNews&, std::size_t first, std::size_t last);

  Wire& wire_;
  WaitLink& places_;
  World& world_;
  Io& files_;
  std::string bytes_;
};

}  // namespace vouch
