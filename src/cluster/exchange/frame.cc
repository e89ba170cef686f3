// SPDX-License-Identifier: Apache-2.0
#include "cluster/exchange/frame.h"

#include <utility>

#include "base/record.h"

namespace crivello::cluster {
namespace {

constexpr uint64_t kFrameVersion = 1;

}  // namespace

FrameWriter::FrameWriter(std::string_view agent) {
  RecordWriter out(&bytes_);
  out.Number(kFrameVersion);
  out.Text(agent);
}

void FrameWriter::Add(const ExchangeMessage& message) {
  RecordWriter out(&bytes_);
  out.Text(EncodeMessage(message));
}

Result<ExchangeFrame> DecodeFrame(std::string_view bytes) {
  const Status damaged = Status::Corruption("damaged frame of the exchange of URLs");
  RecordReader in(bytes);
  if (in.Number() != kFrameVersion) return damaged;
  ExchangeFrame frame;
  frame.agent = in.Text();
  while (in.left() > 0) {
    const std::string_view text = in.Text();
    if (!in.ok()) break;
    auto message = DecodeMessage(text);
    if (message.ok()) frame.messages.push_back(*std::move(message));
  }
  if (!in.finished()) return damaged;
  return frame;
}

}  // namespace crivello::cluster
