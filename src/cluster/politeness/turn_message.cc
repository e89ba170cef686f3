// SPDX-License-Identifier: Apache-2.0
#include "cluster/politeness/turn_message.h"

#include <chrono>

#include "base/hash.h"
#include "base/record.h"

namespace crivello::cluster {
namespace {

constexpr uint64_t kTurnVersion = 1;
enum TurnKind : uint64_t { kTurnRequestKind = 1, kTurnReplyKind = 2 };
constexpr uint64_t kLongestMilliseconds = uint64_t{24} * 3600 * 1000;

uint64_t TurnMilliseconds(Duration time) {
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::milliseconds>(time).count());
}
Duration ReadTurnTime(RecordReader& in) {
  return std::chrono::milliseconds(in.NumberAtMost(kLongestMilliseconds));
}

// Each element takes a byte at least, so a count that the message cannot hold ends with it.
template <typename Read>
void ReadTurnList(RecordReader& in, Read read) {
  for (uint64_t left = in.NumberAtMost(in.left()); left > 0 && in.ok(); left--) read();
}

}  // namespace

std::string EncodeTurns(const TurnMessage& message) {
  RecordWriter out;
  out.Number(kTurnVersion);
  if (const auto* request = std::get_if<TurnRequest>(&message)) {
    out.Number(kTurnRequestKind);
    out.Text(request->agent);
    out.Word(request->process);
    out.Text(request->tablet);
    out.Number(request->returns.size());
    for (const TurnRequest::Return& one : request->returns) {
      out.Text(one.address);
      out.Number(one.through);
      out.Number(TurnMilliseconds(one.rested));
    }
    out.Number(request->asks.size());
    for (const TurnRequest::Ask& ask : request->asks) {
      out.Text(ask.address);
      out.Number(ask.number);
      out.Number(TurnMilliseconds(ask.delay));
      out.Number(TurnMilliseconds(ask.request));
    }
  } else if (const auto* reply = std::get_if<TurnReply>(&message)) {
    out.Number(kTurnReplyKind);
    out.Text(reply->agent);
    out.Word(reply->process);
    out.Text(reply->tablet);
    out.Number(reply->epoch);
    out.Number(reply->grants.size());
    for (const TurnReply::Grant& grant : reply->grants) {
      out.Text(grant.address);
      out.Number(grant.number);
      out.Number(TurnMilliseconds(grant.term));
      out.Number(grant.once ? 1 : 0);
    }
  }
  out.Word(Hash64(out.bytes()));
  return std::move(out).bytes();
}

Result<TurnMessage> DecodeTurns(std::string_view bytes) {
  const Status damaged = Status::Corruption("damaged message about turns at an address");
  if (bytes.size() < 8) return damaged;
  RecordReader sum(bytes.substr(bytes.size() - 8));
  bytes.remove_suffix(8);
  if (sum.Word() != Hash64(bytes)) return damaged;
  RecordReader in(bytes);
  if (in.Number() != kTurnVersion) return damaged;
  const uint64_t kind = in.Number();
  if (kind == kTurnRequestKind) {
    TurnRequest request;
    request.agent = in.Text();
    request.process = in.Word();
    request.tablet = in.Text();
    ReadTurnList(in, [&] {
      TurnRequest::Return& one = request.returns.emplace_back();
      one.address = in.Text();
      one.through = in.Number();
      one.rested = ReadTurnTime(in);
    });
    ReadTurnList(in, [&] {
      TurnRequest::Ask& ask = request.asks.emplace_back();
      ask.address = in.Text();
      ask.number = in.Number();
      ask.delay = ReadTurnTime(in);
      ask.request = ReadTurnTime(in);
    });
    if (!in.finished()) return damaged;
    return TurnMessage(std::move(request));
  }
  if (kind == kTurnReplyKind) {
    TurnReply reply;
    reply.agent = in.Text();
    reply.process = in.Word();
    reply.tablet = in.Text();
    reply.epoch = in.Number();
    ReadTurnList(in, [&] {
      TurnReply::Grant& grant = reply.grants.emplace_back();
      grant.address = in.Text();
      grant.number = in.Number();
      grant.term = ReadTurnTime(in);
      grant.once = in.NumberAtMost(1) == 1;
    });
    if (!in.finished()) return damaged;
    return TurnMessage(std::move(reply));
  }
  return damaged;
}

}  // namespace crivello::cluster
