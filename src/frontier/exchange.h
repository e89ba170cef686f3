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

// A record (url_record.h) for a tablet of another process; it is stored together with the page that has it.
struct OutgoingUrl {
  uint32_t tablet = 0;  // its slot
  uint64_t signature = 0;
  std::string record = {};
};

// Sends URL records to the tablets of their hosts, wherever these are: the only place where data leaves a
// tablet.  A record may arrive more than once (the sieve of its tablet lets it through once), and records
// from one sender to one tablet arrive in order.  Thread-safe.
class Exchange {
 public:
  virtual ~Exchange() = default;

  // Sends records (url_record.h), keyed by the signatures of their URLs.  May wait if buffers are full.
  virtual Status Send(uint32_t tablet, std::span<const sieve::Key> records) = 0;
  // When it returns, all records whose Send() has returned survive a crash.
  virtual Status Sync() = 0;
};

// Records for a tablet of this process go straight to its sieve; records for others are Unavailable.
class LocalExchange final : public Exchange {
 public:
  // The sieves by number of tablet, null if the tablet is elsewhere; not owned, must outlive this.
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
