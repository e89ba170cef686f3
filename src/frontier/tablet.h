// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/file_system.h"
#include "base/status.h"
#include "kv/database.h"
#include "sieve/sieve.h"

namespace crivello::frontier {

class HostQueues;

// The directory of a tablet: all that is known of its hosts.
//
//   db/     one database: queues and states of hosts, and the families of the caller (rows, ledger)
//   sieve/  which URLs have been seen
struct TabletOptions {
  // How to open the sieve of a tablet, in that directory.
  std::function<Result<std::unique_ptr<sieve::Sieve>>(const std::string& directory)> open_sieve = {};
  // Families of the caller in the same database, so that rows and dequeues commit together.
  std::vector<kv::FamilyOptions> families = {};
  uint64_t memory_bytes = 64 << 20;  // of the database
  FileSystem* fs = nullptr;          // null: the machine's own
};

// Thread-safe, as its parts are.
class Tablet {
 public:
  // Makes it if it is missing.
  static Result<std::unique_ptr<Tablet>> Open(const std::string& directory, uint32_t number,
                                              const TabletOptions& options);
  ~Tablet();

  uint32_t number() const { return number_; }
  const std::string& directory() const { return directory_; }
  kv::Database& db() { return *db_; }
  sieve::Sieve& sieve() { return *sieve_; }
  HostQueues& queues() { return *queues_; }
  // The i-th of TabletOptions::families.
  kv::Family family(size_t i) const;

 private:
  Tablet();

  uint32_t number_ = 0;
  std::string directory_;
  std::unique_ptr<kv::Database> db_;
  std::unique_ptr<sieve::Sieve> sieve_;
  std::unique_ptr<HostQueues> queues_;
};

// A collection: its tablets, a power of two of them (tablets/0000, tablets/0001, ...).
class Collection {
 public:
  struct Options {
    // For a new collection; for one that is there it must agree, or be 0.
    uint32_t tablets = 0;
    TabletOptions tablet = {};
  };
  static Result<std::unique_ptr<Collection>> Open(const std::string& directory, const Options& options);

  // log2 of the number of tablets, as web::TabletOf takes it.
  int tablet_bits() const { return tablet_bits_; }
  uint32_t tablets() const { return static_cast<uint32_t>(tablets_.size()); }
  Tablet& tablet(uint32_t i) { return *tablets_[i]; }
  // Whether it was there before this Open().
  bool existed() const { return existed_; }
  // An exchange between tablets that are all in this process.
  std::vector<sieve::Sieve*> sieves();

 private:
  Collection() = default;

  int tablet_bits_ = 0;
  bool existed_ = false;
  std::vector<std::unique_ptr<Tablet>> tablets_;
};

}  // namespace crivello::frontier
