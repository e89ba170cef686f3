// SPDX-License-Identifier: Apache-2.0
#include "cluster/exchange/message.h"

#include "base/hash.h"
#include "base/record.h"

namespace crivello::cluster {
namespace {

constexpr uint64_t kMessageVersion = 1;
enum MessageKind : uint64_t { kBatchKind = 1, kConfirmationKind = 2 };

void WriteStream(const StreamId& stream, RecordWriter& out) {
  out.Text(stream.from);
  out.Text(stream.to);
  out.Number(stream.incarnation);
}

StreamId ReadStream(RecordReader& in) {
  StreamId stream;
  stream.from = in.Text();
  stream.to = in.Text();
  stream.incarnation = in.Number();
  return stream;
}

}  // namespace

std::string EncodeMessage(const ExchangeMessage& message) {
  RecordWriter out;
  out.Number(kMessageVersion);
  if (const auto* batch = std::get_if<UrlBatch>(&message)) {
    out.Number(kBatchKind);
    WriteStream(batch->stream, out);
    out.Number(batch->sequence);
    out.Number(batch->oldest_kept);
    out.Number(batch->answers);
    out.Text(batch->urls);
  } else if (const auto* confirmation = std::get_if<Confirmation>(&message)) {
    out.Number(kConfirmationKind);
    WriteStream(confirmation->stream, out);
    out.Number(confirmation->through);
    out.Number(confirmation->lacks ? 1 : 0);
    out.Number(confirmation->question);
  }
  out.Word(Hash64(out.bytes()));
  return std::move(out).bytes();
}

Result<ExchangeMessage> DecodeMessage(std::string_view bytes) {
  const Status damaged = Status::Corruption("damaged message of the exchange of URLs");
  if (bytes.size() < 8) return damaged;
  RecordReader sum(bytes.substr(bytes.size() - 8));
  bytes.remove_suffix(8);
  if (sum.Word() != Hash64(bytes)) return damaged;
  RecordReader in(bytes);
  if (in.Number() != kMessageVersion) return damaged;
  switch (in.Number()) {
    case kBatchKind: {
      UrlBatch batch;
      batch.stream = ReadStream(in);
      batch.sequence = in.Number();
      batch.oldest_kept = in.Number();
      batch.answers = in.Number();
      batch.urls = in.Text();
      if (!in.finished() || batch.oldest_kept == 0 || batch.sequence < batch.oldest_kept) return damaged;
      return ExchangeMessage(std::move(batch));
    }
    case kConfirmationKind: {
      Confirmation confirmation;
      confirmation.stream = ReadStream(in);
      confirmation.through = in.Number();
      confirmation.lacks = in.NumberAtMost(1) == 1;
      confirmation.question = in.Number();
      if (!in.finished()) return damaged;
      return ExchangeMessage(std::move(confirmation));
    }
    default:
      return damaged;
  }
}

}  // namespace crivello::cluster
