// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "base/signing/ed25519.h"
#include "base/status.h"

namespace crivello {

// Reads a private key from a PEM file; null if the path is empty.
Result<std::shared_ptr<const Ed25519Key>> ReadSignKey(const std::string& file);

// Writes a private key to a new file that only its owner can read. InvalidArgument if the file exists.
Status WriteSignKey(const std::string& file, const Ed25519Key& key);

}  // namespace crivello
