// SPDX-License-Identifier: Apache-2.0
#include "fetch/transfer.h"

#include <fmt/format.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>

#include "base/ascii.h"

namespace crivello::fetch {
namespace {

template <typename T>
T Info(CURL* easy, CURLINFO info) {
  T value{};
  curl_easy_getinfo(easy, info, &value);
  return value;
}

int HttpVersion(long version) {
  switch (version) {
    case CURL_HTTP_VERSION_1_0:
      return 10;
    case CURL_HTTP_VERSION_1_1:
      return 11;
    case CURL_HTTP_VERSION_2_0:
      return 20;
    default:
      return 0;
  }
}

bool IsFieldName(std::string_view name) {
  constexpr std::string_view kToken =
      "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  return !name.empty() && name.find_first_not_of(kToken) == name.npos;
}

bool IsFieldValue(std::string_view value) {
  return std::none_of(value.begin(), value.end(), [](char c) { return c == '\r' || c == '\n' || c == '\0'; });
}

// Whether there is a CR other than at the end of the line or just before it, where some servers have an extra
// one.  libcurl takes a line that begins with CR as the end of the head; later readers of the head will not.
bool HasBareCr(std::string_view line) {
  const size_t last = line.find_last_not_of("\r\n");
  if (last == line.npos) return line.find('\r', 1) != line.npos;
  return line.substr(0, last).find('\r') != line.npos;
}

}  // namespace

bool Transfer::Begin(std::unique_ptr<Fetch> fetch) {
  fetch_ = std::move(fetch);
  Response& response = fetch_->response;
  const Request& request = fetch_->request;
  response.Clear();
  waited_ = {};
  response.timings.start = clock().Wall();
  response.timings.start_monotonic = clock().Now();
  head_bytes_ = 0;
  tried_ = 0;
  verify_ = true;
  addresses_.clear();

  if (!request.url.is_http() || request.url.hostname().empty()) {
    Fail(Outcome::kBadRequest, "no http or https URL: " + request.url.href());
    return false;
  }
  if (request.form && request.form->size() > kMaxFormBytes) {
    Fail(Outcome::kBadRequest,
         fmt::format("a form of {} bytes: expected at most {}", request.form->size(), kMaxFormBytes));
    return false;
  }
  const AddressGuard& guard = settings_.options->guard;
  const auto literal = IpAddress::Parse(request.url.hostname());
  std::string_view why;
  const auto offer = [&](const IpAddress& address) {
    const std::string_view refused = guard.WhyRefused(address);
    if (refused.empty()) {
      addresses_.push_back(address);
    } else if (why.empty()) {
      why = refused;
      response.remote = address;
    }
  };
  if (literal) {
    offer(*literal);
  } else {
    for (const IpAddress& address : request.addresses) offer(address);
  }
  if (addresses_.empty() && !why.empty()) {
    Fail(Outcome::kAddressRefused, AddressGuard::Explain(response.remote, why));
    return false;
  }
  if (addresses_.empty() && Direct()) {
    Fail(Outcome::kNoAddress, fmt::format("no address of {}", request.url.hostname()));
    return false;
  }
  response.remote = {};
  if (!WriteRequest()) {
    Fail(Outcome::kBadRequest, "a request field with a bad name, or a line break in its value");
    return false;
  }
  return true;
}

void Transfer::NoteCertificate(std::string message) {
  verify_ = false;
  fetch_->response.certificate_message = std::move(message);
}

// Writes the head as libcurl will send it (its own lines first, then ours in order; a test compares the two),
// and the lines that make libcurl do so.  Asking libcurl what it sent (CURLOPT_DEBUGFUNCTION) would also pass
// every received byte through the callback.
bool Transfer::WriteRequest() {
  const Request& request = fetch_->request;
  std::string& head = fetch_->response.request_head;
  const bool absolute = !Direct() && !https() && settings_.options->proxy.starts_with("http");

  url_.assign(request.url.protocol()).append("//").append(request.url.host());
  target_.clear();
  if (absolute) target_ = url_;
  target_.append(request.url.path_and_query());
  head.assign(request.form ? "POST " : "GET ")
      .append(target_)
      .append(" HTTP/1.1\r\nHost: ")
      .append(request.url.host())
      .append("\r\n");
  url_.push_back('/');

  line_count_ = 0;
  const auto add_line = [&](std::string_view name, std::string_view value) {
    if (line_count_ == lines_.size()) lines_.emplace_back();
    lines_[line_count_++].assign(name).append(": ").append(value);
  };
  for (const RequestField& field : request.fields) {
    if (!IsFieldName(field.name) || !IsFieldValue(field.value)) return false;
    if (!field.value.empty()) add_line(field.name, field.value);
  }
  if (!request.keep_alive) add_line("Connection", "close");

  nodes_.clear();
  const auto add_node = [&](const std::string& line) {
    // libcurl only reads the list.
    nodes_.push_back({const_cast<char*>(line.c_str()), nullptr});
    head.append(line).append("\r\n");
  };
  for (const std::string& line : settings_.lines) add_node(line);
  for (size_t i = 0; i < line_count_; i++) add_node(lines_[i]);
  if (request.form) {
    // libcurl's own lines, which follow ours.
    head.append(fmt::format("Content-Length: {}\r\n", request.form->size()));
    head.append("Content-Type: application/x-www-form-urlencoded\r\n");
  }
  head.append("\r\n");
  // Suppresses libcurl's own field, and is itself not sent.
  static const std::string kNoProxyConnection = "Proxy-Connection:";
  if (!Direct()) nodes_.push_back({const_cast<char*>(kNoProxyConnection.c_str()), nullptr});
  for (size_t i = 0; i + 1 < nodes_.size(); i++) nodes_[i].next = &nodes_[i + 1];
  return true;
}

Status Transfer::Arm(CURLSH* share) {
  const Request& request = fetch_->request;
  Response& response = fetch_->response;
  head_ = Head::kBefore;
  response.head.clear();
  ForgetBody();
  has_priority_ = false;
  waits_since_.reset();
  response.message.clear();
  error_[0] = '\0';
  stopped_ = Outcome::kOk;
  refused_ = {};
  socket_error_ = 0;
  sent_ = false;
  try_start_ = clock().Now();

  if (Direct()) {
    const IpAddress& address = addresses_[tried_++];
    response.remote = address;
    response.remote_port = request.url.effective_port();
    connect_to_.assign(address.is_ipv4() ? "::" : "::[").append(address.ToString());
    connect_to_.append(address.is_ipv4() ? ":" : "]:");
    connect_to_node_ = {connect_to_.data(), nullptr};
  }

  easy_.reset(curl_easy_init());
  CURLcode code = easy_ != nullptr ? SetCommonOptions() : CURLE_OUT_OF_MEMORY;
  if (code == CURLE_OK) code = SetOptions(share);
  if (code == CURLE_OK) return Status::Ok();
  return Status::Unavailable(fmt::format("a handle of libcurl: {}", curl_easy_strerror(code)));
}

std::unique_ptr<Fetch> Transfer::Take() {
  easy_.reset();
  *settings_.arriving -= fetch_->response.body.size();
  return std::move(fetch_);
}

void Transfer::ForgetBody() {
  *settings_.arriving -= fetch_->response.body.size();
  fetch_->response.body.clear();
}

CURLcode Transfer::Continue(Room room) {
  has_priority_ = has_priority_ || room == Room::kToTheEnd;
  if (!waits_since_) return CURLE_OK;
  const Duration waited = clock().Now() - *waits_since_;
  waited_ += waited;
  window_start_ += waited;
  waits_since_.reset();
  return curl_easy_pause(easy(), CURLPAUSE_CONT);  // may call Body()
}

bool Transfer::Done(CURLcode code) {
  Response& response = fetch_->response;
  response.outcome = Classify(code);
  const Duration spent = clock().Now() - response.timings.start_monotonic;
  const bool time_left = spent < fetch_->request.limits.total_time;
  if (response.outcome == Outcome::kCertificate && verify_ && time_left &&
      settings_.options->certificates == CertificatePolicy::kNote) {
    NoteCertificate(error_.data());
    if (Direct()) tried_--;
    return true;
  }
  const bool not_connected = response.outcome == Outcome::kConnectionRefused ||
                             response.outcome == Outcome::kConnectTimeout ||
                             response.outcome == Outcome::kUnreachable;
  if (not_connected && time_left && tried_ < addresses_.size()) return true;
  Fill();
  return false;
}

void Transfer::Fill() {
  Response& response = fetch_->response;
  if (response.outcome != Outcome::kOk && response.message.empty()) {
    response.message = error_[0] != '\0' ? error_.data() : std::string(OutcomeName(response.outcome));
  }
  if (head_ == Head::kDone) {
    switch (response.outcome) {
      case Outcome::kOk:
        break;
      case Outcome::kBodyTooLarge:
        response.truncation = Truncation::kLength;
        break;
      case Outcome::kTimeout:
      case Outcome::kTooSlow:
        response.truncation = Truncation::kTime;
        break;
      default:
        response.truncation = Truncation::kDisconnect;
    }
  }
  response.timings.end = clock().Now() - response.timings.start_monotonic;
  if (!sent_) return;  // no connection yet

  if (!response.head.empty()) {
    response.status = static_cast<int>(Info<long>(easy(), CURLINFO_RESPONSE_CODE));
    response.http_version = HttpVersion(Info<long>(easy(), CURLINFO_HTTP_VERSION));
  }
  if (!Direct()) {
    const char* address = Info<const char*>(easy(), CURLINFO_PRIMARY_IP);
    response.remote = IpAddress::Parse(address != nullptr ? address : "").value_or(IpAddress());
    response.remote_port = static_cast<uint16_t>(Info<long>(easy(), CURLINFO_PRIMARY_PORT));
  }
  response.reused_connection = Info<long>(easy(), CURLINFO_NUM_CONNECTS) == 0;
  if (https()) response.certificate = verify_ ? Certificate::kValid : Certificate::kInvalid;

  Timings& timings = response.timings;
  const Duration before = try_start_ - timings.start_monotonic;
  const auto time = [&](CURLINFO info) {
    const auto since = Duration(std::chrono::microseconds(Info<curl_off_t>(easy(), info)));
    return since == Duration::zero() ? since : before + since;
  };
  if (!response.reused_connection) {
    timings.connected = time(CURLINFO_CONNECT_TIME_T);
    timings.encrypted = time(CURLINFO_APPCONNECT_TIME_T);
  }
  timings.first_byte = time(CURLINFO_STARTTRANSFER_TIME_T);
}

void Transfer::Fail(Outcome outcome, std::string message) {
  Response& response = fetch_->response;
  response.outcome = outcome;
  response.message = std::move(message);
  response.timings.end = clock().Now() - response.timings.start_monotonic;
}

void Transfer::Stop(Outcome outcome, std::string message) {
  Fail(outcome, std::move(message));
  Fill();
}

Outcome Transfer::CheckLimits(MonotonicTime now) {
  const Limits& limits = fetch_->request.limits;
  const Response& response = fetch_->response;
  if (waits()) return Outcome::kOk;
  if (now - response.timings.start_monotonic - waited_ >= limits.total_time) return Outcome::kTimeout;
  if (!sent_ || limits.min_bytes_per_second == 0 || now - window_start_ < limits.rate_window)
    return Outcome::kOk;
  const double window_s = std::chrono::duration<double>(limits.rate_window).count();
  const uint64_t received = response.received_bytes - window_received_;
  if (static_cast<double>(received) < window_s * limits.min_bytes_per_second) return Outcome::kTooSlow;
  window_start_ = now;
  window_received_ = response.received_bytes;
  return Outcome::kOk;
}

size_t Transfer::OnHeaderLine(char* data, size_t size, size_t count, void* self) {
  return static_cast<Transfer*>(self)->HeaderLine({data, size * count});
}

size_t Transfer::HeaderLine(std::string_view line) {
  Response& response = fetch_->response;
  response.received_bytes += line.size();
  head_bytes_ += line.size();
  if (head_bytes_ > fetch_->request.limits.head_bytes) {
    stopped_ = Outcome::kHeadTooLarge;
    return 0;
  }
  if (head_ == Head::kDone) return line.size();  // a trailer
  if (head_ == Head::kBefore) {
    response.head.clear();
    length_.clear();
    head_ = Head::kInside;
  }
  if (HasBareCr(line) || !AgreesOnLength(line)) {
    stopped_ = Outcome::kMalformed;
    return 0;
  }
  response.head.append(line);
  if (line == "\r\n" || line == "\n") {
    const long status = Info<long>(easy(), CURLINFO_RESPONSE_CODE);
    head_ = status >= 100 && status < 200 ? Head::kBefore : Head::kDone;
    // On a kept connection libcurl would answer an HTTP/1.0 server in HTTP/1.0, so our record of the next
    // request would be wrong; and such connections are rare.
    if (Info<long>(easy(), CURLINFO_HTTP_VERSION) == CURL_HTTP_VERSION_1_0) {
      curl_easy_setopt(easy(), CURLOPT_FORBID_REUSE, 1L);
    }
  }
  return line.size();
}

// Two different lengths are an attack on programs that use the other one (RFC 9112 6.3).
bool Transfer::AgreesOnLength(std::string_view line) {
  constexpr std::string_view kName = "content-length:";
  if (!StartsWithIgnoringCase(line, kName)) return true;
  const std::string_view length = TrimAsciiSpace(line.substr(kName.size()));
  const bool agrees = length_.empty() || length_ == length;
  length_ = length;
  return agrees;
}

size_t Transfer::OnBody(char* data, size_t size, size_t count, void* self) {
  return static_cast<Transfer*>(self)->Body({data, size * count});
}

size_t Transfer::Body(std::string_view bytes) {
  Response& response = fetch_->response;
  const uint64_t limit = fetch_->request.limits.body_bytes;
  if (!has_priority_ && *settings_.arriving >= settings_.max_arriving &&
      response.body.size() >= kFreeBodyBytes) {
    waits_since_ = clock().Now();
    return CURL_WRITEFUNC_PAUSE;  // libcurl passes these bytes again
  }
  response.received_bytes += bytes.size();
  if (response.body.empty()) {
    // Trust the promised length only as far as a lie costs little.
    constexpr curl_off_t kMaxReserve = 1 << 20;
    const auto promised = Info<curl_off_t>(easy(), CURLINFO_CONTENT_LENGTH_DOWNLOAD_T);
    if (promised > 0) response.body.reserve(static_cast<size_t>(std::min(promised, kMaxReserve)));
  }
  if (bytes.size() > limit - response.body.size()) {
    const std::string_view last = bytes.substr(0, static_cast<size_t>(limit - response.body.size()));
    response.body.append(last);
    *settings_.arriving += last.size();
    stopped_ = Outcome::kBodyTooLarge;
    return 0;
  }
  response.body.append(bytes);
  *settings_.arriving += bytes.size();
  return bytes.size();
}

int Transfer::OnRequestStart(void* self, char*, char*, int, int) {
  auto* transfer = static_cast<Transfer*>(self);
  transfer->sent_ = true;
  transfer->window_start_ = transfer->clock().Now();
  transfer->window_received_ = transfer->fetch_->response.received_bytes;
  return CURL_PREREQFUNC_OK;
}

curl_socket_t Transfer::OnOpenSocket(void* self, curlsocktype, curl_sockaddr* address) {
  auto* transfer = static_cast<Transfer*>(self);
  if (transfer->Direct()) {
    const auto to = IpAddress::FromSockaddr(&address->addr);
    transfer->refused_ =
        to ? transfer->settings_.options->guard.WhyRefused(*to) : std::string_view("no internet address");
    if (!transfer->refused_.empty()) return CURL_SOCKET_BAD;
  }
  const int fd = ::socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
  if (fd < 0) {
    transfer->socket_error_ = errno;
    return CURL_SOCKET_BAD;
  }
  transfer->settings_.opened(transfer->settings_.hooks, fd, transfer->fetch_->request);
  return fd;
}

}  // namespace crivello::fetch
