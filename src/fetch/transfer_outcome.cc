// SPDX-License-Identifier: Apache-2.0
// Maps libcurl's result of a try to an outcome.
#include <fmt/format.h>

#include <cerrno>
#include <cstring>

#include "fetch/transfer.h"

namespace crivello::fetch {

Outcome Transfer::Classify(CURLcode code) {
  Response& response = fetch_->response;
  if (stopped_ != Outcome::kOk) {
    if (stopped_ == Outcome::kBodyTooLarge) {
      response.message = fmt::format("body cut after {} bytes", fetch_->request.limits.body_bytes);
    } else if (stopped_ == Outcome::kMalformed) {
      response.message = "a header line with a bare CR in it";
    } else {
      response.message = fmt::format("head of more than {} bytes", fetch_->request.limits.head_bytes);
    }
    return stopped_;
  }
  const std::string_view error = error_.data();
  switch (code) {
    case CURLE_OK:
      if (head_ == Head::kDone) return Outcome::kOk;
      response.message = "the connection ended inside the head";
      return Outcome::kClosedEarly;
    case CURLE_URL_MALFORMAT:
      return Outcome::kBadRequest;
    case CURLE_COULDNT_RESOLVE_HOST:
      return Outcome::kNoAddress;
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_PROXY:
      return Outcome::kProxy;
    case CURLE_COULDNT_CONNECT: {
      if (!refused_.empty()) {
        response.message = AddressGuard::Explain(response.remote, refused_);
        return Outcome::kAddressRefused;
      }
      long system_error = socket_error_;
      if (system_error == 0) curl_easy_getinfo(easy(), CURLINFO_OS_ERRNO, &system_error);
      switch (system_error) {
        case EMFILE:
        case ENFILE:
        case ENOBUFS:
        case ENOMEM:
          response.message =
              fmt::format("opening a socket: {}", std::strerror(static_cast<int>(system_error)));
          return Outcome::kInternal;
        default:
          break;
      }
      if (!Direct()) return Outcome::kProxy;
      switch (system_error) {
        case ECONNREFUSED:
          return Outcome::kConnectionRefused;
        case ETIMEDOUT:
          return Outcome::kConnectTimeout;
        case ECONNRESET:
          return Outcome::kNoAnswer;
        default:
          return Outcome::kUnreachable;
      }
    }
    case CURLE_OPERATION_TIMEDOUT:
      return sent_ ? Outcome::kTimeout : Outcome::kConnectTimeout;
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_INVALIDCERTSTATUS:
      return Outcome::kCertificate;
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_SSL_CIPHER:
    case CURLE_SSL_ENGINE_INITFAILED:
    case CURLE_USE_SSL_FAILED:
      return Outcome::kTls;
    case CURLE_PARTIAL_FILE:
      return Outcome::kClosedEarly;
    case CURLE_GOT_NOTHING:
      return Outcome::kNoAnswer;
    case CURLE_RECV_ERROR:
    case CURLE_SEND_ERROR:
      // libcurl has one code for these; the text is its own, from http_chunks.c.
      if (error.ends_with("in chunked-encoding")) return Outcome::kMalformed;
      if (!Direct() && !sent_) return Outcome::kProxy;
      if (!sent_) return https() ? Outcome::kTls : Outcome::kNoAnswer;
      return response.head.empty() ? Outcome::kNoAnswer : Outcome::kClosedEarly;
    case CURLE_OUT_OF_MEMORY:
      // libcurl also reports this for a header line beyond its own limit of 100 KiB.
      if (sent_ && head_ != Head::kDone) return Outcome::kHeadTooLarge;
      return Outcome::kInternal;
    case CURLE_BAD_FUNCTION_ARGUMENT:
      // libcurl reports this for what its list of fields cannot hold: a bare CR before the colon, a folded
      // line with nothing before it, a trailer without a colon.
      if (!sent_) return Direct() ? Outcome::kInternal : Outcome::kProxy;
      response.message = "a header line is not a header field";
      return Outcome::kMalformed;
    case CURLE_UNSUPPORTED_PROTOCOL:  // HTTP/0.9, or an invalid version
    case CURLE_WEIRD_SERVER_REPLY:
    case CURLE_BAD_CONTENT_ENCODING:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM:
    case CURLE_WRITE_ERROR:  // decoding a transfer coding
      return Outcome::kMalformed;
    default:
      return Outcome::kInternal;
  }
}

}  // namespace crivello::fetch
