// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/nats_flags.h"

#include "cli/app.h"

namespace crivello::cli {

void AddNatsFlags(CLI::App& command, cluster::NatsOptions& options) {
  options.bucket = "crivello";
  command
      .add_option("--nats", options.urls,
                  "URLs of the NATS servers, separated by commas: nats://HOST:PORT or tls://HOST:PORT")
      ->type_name("URL")
      ->required();
  command
      .add_option("--bucket", options.bucket, "Name of the JetStream bucket; each collection needs its own")
      ->type_name("NAME");
  command.add_option("--nats-credentials", options.credentials, "File with NATS user credentials (.creds)")
      ->type_name("FILE");
  command
      .add_option("--nats-ca", options.tls_authority,
                  "PEM file with the certificate authorities to trust; turns TLS on")
      ->type_name("FILE");
  CLI::Option* certificate =
      command.add_option("--nats-cert", options.tls_certificate, "PEM file with the client certificate")
          ->type_name("FILE");
  command.add_option("--nats-key", options.tls_key, "PEM file with the key of the client certificate")
      ->type_name("FILE")
      ->needs(certificate);
}

}  // namespace crivello::cli
