// SPDX-License-Identifier: Apache-2.0
#include "wire/replies.h"

namespace crivello::wire {

ErrorReply ErrorReply::Of(const Status& status) {
  ErrorReply reply = {.message = status.message()};
  switch (status.code()) {
    case StatusCode::kInvalidArgument:
      reply.code = Code::kInvalidArgument;
      break;
    case StatusCode::kNotFound:
      reply.code = Code::kNotFound;
      break;
    case StatusCode::kCorruption:
      reply.code = Code::kCorruption;
      break;
    case StatusCode::kUnavailable:
      reply.code = Code::kUnavailable;
      break;
    case StatusCode::kIoError:
    case StatusCode::kOk:
      break;
  }
  return reply;
}

Status ErrorReply::ToStatus() const {
  switch (code) {
    case Code::kInvalidArgument:
      return Status::InvalidArgument(message);
    case Code::kNotFound:
      return Status::NotFound(message);
    case Code::kCorruption:
      return Status::Corruption(message);
    case Code::kUnavailable:
      return Status::Unavailable(message);
    case Code::kIoError:
      break;
  }
  return Status::IoError(message);
}

}  // namespace crivello::wire
