// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/status.h"
#include "sieve/sieve.h"

namespace crivello::frontier {

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

// All tablets are in this process: what is sent to one goes into its sieve.
class LocalExchange final : public Exchange {
 public:
  // The sieves by number of tablet; not owned, they live longer than this.
  explicit LocalExchange(std::vector<sieve::Sieve*> sieves) : sieves_(std::move(sieves)) {}

  Status Send(uint32_t tablet, std::span<const sieve::Key> records) override {
    return sieves_[tablet]->Offer(records);
  }
  Status Sync() override {
    for (sieve::Sieve* sieve : sieves_) CRV_TRY(sieve->Sync());
    return Status::Ok();
  }

 private:
  const std::vector<sieve::Sieve*> sieves_;
};

}  // namespace crivello::frontier
