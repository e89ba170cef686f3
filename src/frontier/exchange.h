// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "sieve/sieve.h"

namespace crivello::frontier {

// A record (url_record.h) for a tablet of another process, which its finder stores with its own page.
struct OutgoingUrl {
  uint32_t tablet = 0;  // its slot
  uint64_t signature = 0;
  std::string record = {};
};

// The way of URL records to the tablets of their hosts, wherever these are: the one place where a tablet's
// data leaves it.  A record may arrive more than once (the sieve of its tablet lets it through once), and
// records of one sender to one tablet arrive in the order they were sent.  Thread-safe.
class Exchange {
 public:
  virtual ~Exchange() = default;

  // Sends records (url_record.h), under the signatures of their URLs.  May wait when the way is full.
  virtual Status Send(uint32_t tablet, std::span<const sieve::Key> records) = 0;
  // All records whose Send has returned survive a crash from now on.
  virtual Status Sync() = 0;
};

// What is sent to a tablet of this process goes into its sieve; others are Unavailable.
class LocalExchange final : public Exchange {
 public:
  // The sieves by number of tablet, null where it is elsewhere; not owned, they live longer than this.
  explicit LocalExchange(std::vector<sieve::Sieve*> sieves) : sieves_(std::move(sieves)) {}

  Status Send(uint32_t tablet, std::span<const sieve::Key> records) override {
    if (sieves_[tablet] == nullptr) {
      return Status::Unavailable("a URL belongs to a tablet of another process");
    }
    return sieves_[tablet]->Offer(records);
  }
  Status Sync() override {
    for (sieve::Sieve* sieve : sieves_) {
      if (sieve != nullptr) CRV_TRY(sieve->Sync());
    }
    return Status::Ok();
  }

 private:
  const std::vector<sieve::Sieve*> sieves_;
};

}  // namespace crivello::frontier
