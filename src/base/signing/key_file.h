// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "base/signing/ed25519.h"
#include "base/status.h"

namespace crivello {

// Reads a file of a private key, in PEM; null if the path is empty.
Result<std::shared_ptr<const Ed25519Key>> ReadSignKey(const std::string& file);

// Writes a new file of a private key that its owner alone may read.  InvalidArgument if the file is there.
Status WriteSignKey(const std::string& file, const Ed25519Key& key);

}  // namespace crivello
