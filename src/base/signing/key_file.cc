// SPDX-License-Identifier: Apache-2.0
#include "base/signing/key_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>

#include "base/file_system.h"

namespace crivello {

Result<std::shared_ptr<const Ed25519Key>> ReadSignKey(const std::string& file) {
  if (file.empty()) return std::shared_ptr<const Ed25519Key>();
  CRV_ASSIGN(const std::string pem, ReadFile(file));
  auto key = Ed25519Key::FromPem(pem);
  if (!key.ok()) {
    return Status::InvalidArgument(
        fmt::format("cannot use the signing key '{}': {}; make one with 'crivello sign-key "
                    "new FILE'",
                    file, key.status().message()));
  }
  return std::shared_ptr<const Ed25519Key>(std::make_shared<Ed25519Key>(*std::move(key)));
}

Status WriteSignKey(const std::string& file, const Ed25519Key& key) {
  CRV_ASSIGN(const std::string pem, key.ToPem());
  // Never replace an existing file, because its key would be lost; never readable by others.
  const int fd = open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0 && errno == EEXIST) {
    return Status::InvalidArgument(fmt::format("'{}' exists; choose another name, or remove it first", file));
  }
  if (fd < 0) return Status::FromErrno("create", file, errno);
  size_t written = 0;
  while (written < pem.size()) {
    const ssize_t bytes = write(fd, pem.data() + written, pem.size() - written);
    if (bytes < 0 && errno == EINTR) continue;
    if (bytes < 0) break;
    written += static_cast<size_t>(bytes);
  }
  const bool failed = written < pem.size() || fsync(fd) != 0;
  const int error = errno;
  close(fd);
  if (!failed) return Status::Ok();
  unlink(file.c_str());
  return Status::FromErrno("write", file, error);
}

}  // namespace crivello
