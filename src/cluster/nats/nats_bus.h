// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "base/clock.h"
#include "base/status.h"
#include "cluster/membership/bus.h"

namespace crivello::cluster {

struct NatsOptions {
  // nats://[USER:PASSWORD@]HOST:PORT, several separated by commas; tls:// encrypts.
  std::string urls = {};
  std::string name = {};    // of this connection, for the server's operator
  std::string bucket = {};  // letters, digits, '_' and '-'; agents of one collection share one
  // Copies of the bucket.  0: three if the server is part of a cluster, else one.
  int replicas = 0;
  bool make_bucket = true;                   // if it is missing; else ReadAll() is NotFound then
  Duration limit = std::chrono::seconds(3);  // of each operation
  std::string credentials = {};              // a file with the token and key of a user ("nsc generate creds")
  std::string tls_authority = {};    // a file with the certificates that are trusted; the system's if empty
  std::string tls_certificate = {};  // of this client, with tls_key; PEM files
  std::string tls_key = {};
};

// The same URLs without users and passwords, for people.
std::string WithoutSecrets(const std::string& urls);

// A bus on NATS: the bucket is a key-value bucket of JetStream, messages are those of core NATS.
//
// It connects in the background, again and again: operations without a connection return Unavailable.  It
// gives up only if the login is refused: then they return InvalidArgument.  ReadAll() makes the bucket if it
// is missing, also after JetStream lost it.
//
// What it takes care of, because NATS does not:
//   - ReadAll() asks the leader of the stream for each key.  A watcher, as the clients of NATS have it, makes
//   a
//     consumer for each reading, which may be placed on a server that is dead, and then never answers.
//     Direct reads would be answered by any replica from what it has.  ReadAll() may still miss the newest
//     writes while a leader is being elected.
//   - Each write has a time limit and a message identifier; without them a publisher can wait for ever across
//   a
//     change of the leader, or a repetition can be stored twice.
//   - A conflict is told from other failures by its error code, which needs js_Publish(): kvStore_Update()
//   has
//     none.
//   - The bucket has no expiry, because nobody is told of it; whoever reads counts for itself.
class NatsBus final : public Bus {
 public:
  // InvalidArgument for options that cannot work, such as a file that cannot be read.  A server that cannot
  // be reached is not an error.
  static Result<std::unique_ptr<NatsBus>> Open(NatsOptions options);
  // REQUIRES: its subscriptions are gone.
  ~NatsBus() override;

  bool connected() const;
  // InvalidArgument if the servers refused the login again and again: then it does not try any more.
  Status refused() const;

  // The servers that keep the bucket, and how many of them have all of it now.
  struct Replicas {
    int servers = 1;
    int current = 1;
  };
  Result<Replicas> BucketReplicas();

  Result<std::vector<BusEntry>> ReadAll() override;
  Result<uint64_t> Put(const std::string& key, std::string_view value) override;
  UpdateReply Update(const std::string& key, std::string_view value, uint64_t revision) override;
  Status Publish(const std::string& subject, std::string_view bytes) override;
  Result<std::unique_ptr<Subscription>> Subscribe(const std::string& subject, Handler handler) override;
  Result<std::string> Request(const std::string& subject, std::string_view bytes, Duration limit) override;

 private:
  struct Parts;  // what cnats has
  explicit NatsBus(NatsOptions options);
  Status Connect();
  std::string LastError() const;  // in brackets, or empty
  Status NoConnection() const;
  Status MakeBucket();
  UpdateReply Write(const std::string& key, std::string_view value, const uint64_t* revision);

  const NatsOptions options_;
  const std::unique_ptr<Parts> parts_;
};

}  // namespace crivello::cluster
