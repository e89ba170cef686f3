// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/status.h"

namespace crivello::cluster {

// Where outbox and inbox keep what must outlive the process: in the database of the tablet.  One thread at a
// time.
class ExchangeStore {
 public:
  virtual ~ExchangeStore() = default;
  // Become part of the next write, which is atomic; rows of the tablet may be part of it, too.
  virtual Status Put(const std::string& key, std::string_view value) = 0;
  virtual Status Delete(const std::string& key) = 0;
  // Writes, and returns once everything is on the disk.
  virtual Status Sync() = 0;
  // Unavailable once another agent has taken the tablet over (collection::Lease).
  virtual Status StillMine() = 0;
  // The pairs whose keys begin with `prefix`, in the order of keys.
  virtual Status Scan(
      std::string_view prefix,
      const std::function<Status(std::string_view key, std::string_view value)>& visit) const = 0;
};

// The sieve of a tablet, as the inbox needs it.  One thread at a time.
class UrlSink {
 public:
  virtual ~UrlSink() = default;
  // The URLs of a batch.  The same batch may come again.
  virtual Status Offer(std::string_view urls) = 0;
  // Returns once all that was offered is on the disk.
  virtual Status Sync() = 0;
};

}  // namespace crivello::cluster
