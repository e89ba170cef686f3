// SPDX-License-Identifier: Apache-2.0
#include "text/formats/subprocess.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/ascii.h"

namespace crivello::text {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kMaxErrorBytes = 4096;

// A file descriptor that closes itself.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() { Close(); }
  Descriptor(Descriptor&& other) noexcept : fd_(other.fd_) { other.fd_ = -1; }
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  int get() const { return fd_; }
  bool open() const { return fd_ >= 0; }
  void Close() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }

 private:
  int fd_ = -1;
};

struct Pipe {
  Descriptor read;
  Descriptor write;
};

Result<Pipe> MakePipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return Status::FromErrno("create a pipe", "subprocess", errno);
  return Pipe{Descriptor(ends[0]), Descriptor(ends[1])};
}

// The path of a program, found as a shell would; empty if it is not installed.
std::string FindProgram(const std::string& name) {
  if (name.find('/') != std::string::npos) return ::access(name.c_str(), X_OK) == 0 ? name : "";
  for (const char* folder : {"/usr/bin/", "/bin/", "/usr/local/bin/"}) {
    if (::access((folder + name).c_str(), X_OK) == 0) return folder + name;
  }
  return "";
}

std::vector<std::string> InBubblewrap(std::string bubblewrap, const std::vector<std::string>& arguments) {
  std::vector<std::string> wrapped = {std::move(bubblewrap), "--unshare-all", "--die-with-parent",
                                      "--new-session",       "--cap-drop",    "ALL",
                                      "--ro-bind",           "/usr",          "/usr"};
  for (const char* folder : {"/bin", "/lib", "/lib64", "/etc/fonts", "/etc/ld.so.cache"}) {
    wrapped.insert(wrapped.end(), {"--ro-bind-try", folder, folder});
  }
  wrapped.insert(wrapped.end(),
                 {"--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--chdir", "/", "--"});
  wrapped.insert(wrapped.end(), arguments.begin(), arguments.end());
  return wrapped;
}

// What the child does between fork and exec: only system calls, on data prepared before.
struct Child {
  std::vector<char*> arguments;
  std::vector<char*> environment;
  rlim_t seconds = 0;
  rlim_t memory = 0;
  bool own_network = false;
  int in = -1;
  int out = -1;
  int err = -1;

  static void Limit(__rlimit_resource_t what, rlim_t value) {
    const rlimit limit = {value, value};
    ::setrlimit(what, &limit);
  }

  [[noreturn]] void Run() const {
    ::setsid();  // a process group of its own, so that it can be killed as a whole
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::dup2(in, STDIN_FILENO);
    ::dup2(out, STDOUT_FILENO);
    ::dup2(err, STDERR_FILENO);
    Limit(RLIMIT_CPU, seconds);
    Limit(RLIMIT_AS, memory);
    Limit(RLIMIT_FSIZE, 0);
    Limit(RLIMIT_CORE, 0);
    Limit(RLIMIT_NOFILE, 64);
    if (own_network && ::unshare(CLONE_NEWNET) != 0 && ::unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0)
      ::_exit(126);
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    ::signal(SIGPIPE, SIG_DFL);
    ::execve(arguments[0], arguments.data(), environment.data());
    ::_exit(127);
  }
};

std::vector<char*> Pointers(std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  for (std::string& text : strings) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

// Transfers bytes until the process has closed its outputs or reached a limit.
class Exchange {
 public:
  Exchange(const SubprocessOptions& options, Descriptor in, Descriptor out, Descriptor err)
      : options_(options), in_(std::move(in)), out_(std::move(out)), err_(std::move(err)) {}

  enum class End { kClosed, kTime, kOutput };
  End Run() {
    const auto deadline = Clock::now() + options_.max_time;
    if (options_.input.empty()) in_.Close();
    while (out_.open() || err_.open()) {
      const auto left =
          std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
      if (left <= 0) return End::kTime;
      pollfd waits[3] = {{in_.get(), POLLOUT, 0}, {out_.get(), POLLIN, 0}, {err_.get(), POLLIN, 0}};
      if (::poll(waits, 3, static_cast<int>(std::min<int64_t>(left, 1000))) < 0 && errno != EINTR)
        return End::kTime;
      if (waits[0].revents != 0) WriteInput();
      if (waits[1].revents != 0) Take(out_, output, options_.max_output_bytes + 1);
      if (waits[2].revents != 0) Take(err_, errors, kMaxErrorBytes);
      if (output.size() > options_.max_output_bytes) return End::kOutput;
    }
    return End::kClosed;
  }

  std::string output;
  std::string errors;

 private:
  void WriteInput() {
    const ssize_t wrote =
        ::write(in_.get(), options_.input.data() + written_, options_.input.size() - written_);
    if (wrote < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (wrote > 0) written_ += static_cast<size_t>(wrote);
    if (wrote < 0 || written_ == options_.input.size()) in_.Close();
  }

  // Output beyond `room` is read and dropped, because a full pipe would block the process.
  static void Take(Descriptor& from, std::string& to, size_t room) {
    char buffer[16384];
    const ssize_t size = ::read(from.get(), buffer, sizeof buffer);
    if (size < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (size <= 0) return from.Close();
    to.append(buffer, std::min(static_cast<size_t>(size), room - std::min(room, to.size())));
  }

  const SubprocessOptions& options_;
  Descriptor in_;
  Descriptor out_;
  Descriptor err_;
  size_t written_ = 0;
};

// Turns writing to a dead process into an error instead of a signal, for this thread only.
class IgnoredPipeSignal {
 public:
  IgnoredPipeSignal() {
    ::sigemptyset(&pipe_);
    ::sigaddset(&pipe_, SIGPIPE);
    ::pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~IgnoredPipeSignal() {
    const timespec now = {0, 0};
    while (::sigtimedwait(&pipe_, nullptr, &now) > 0) {
    }
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  IgnoredPipeSignal(const IgnoredPipeSignal&) = delete;
  IgnoredPipeSignal& operator=(const IgnoredPipeSignal&) = delete;

 private:
  sigset_t pipe_;
  sigset_t before_;
};

std::string FirstLine(std::string_view text) {
  text = TrimAsciiSpace(text);
  text = text.substr(0, std::min<size_t>(text.find('\n'), 200));
  std::string line;
  for (const char c : text) line += c >= ' ' && c <= '~' ? c : '?';
  return line;
}

}  // namespace

std::string_view SandboxName(Sandbox sandbox) {
  switch (sandbox) {
    case Sandbox::kBubblewrap:
      return "bubblewrap";
    case Sandbox::kNamespace:
      return "network namespace";
    case Sandbox::kLimits:
      return "limits only";
  }
  return "unknown";
}

Sandbox BestSandbox() {
  static const Sandbox best = [] {
    const SubprocessOptions nothing = {.arguments = {"true"}, .max_time = std::chrono::seconds(10)};
    for (const Sandbox sandbox : {Sandbox::kBubblewrap, Sandbox::kNamespace}) {
      if (RunSubprocessIn(sandbox, nothing).ok()) return sandbox;
    }
    return Sandbox::kLimits;
  }();
  return best;
}

Result<std::string> RunSubprocess(const SubprocessOptions& options) {
  return RunSubprocessIn(BestSandbox(), options);
}

Result<std::string> RunSubprocessIn(Sandbox sandbox, const SubprocessOptions& options) {
  const std::string& name = options.arguments.at(0);
  std::vector<std::string> arguments = options.arguments;
  arguments[0] = FindProgram(name);
  if (arguments[0].empty()) return Status::NotFound(fmt::format("{} is not installed", name));
  if (sandbox == Sandbox::kBubblewrap) {
    std::string bubblewrap = FindProgram("bwrap");
    if (bubblewrap.empty()) return Status::NotFound("bwrap is not installed");
    arguments = InBubblewrap(std::move(bubblewrap), arguments);
  }
  std::vector<std::string> environment = {"PATH=/usr/bin:/bin", "LANG=C.UTF-8"};
  CRV_ASSIGN(Pipe in, MakePipe());
  CRV_ASSIGN(Pipe out, MakePipe());
  CRV_ASSIGN(Pipe err, MakePipe());
  ::fcntl(in.write.get(), F_SETFL, O_NONBLOCK);
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(options.max_time).count() + 1;
  Child child;
  child.arguments = Pointers(arguments);
  child.environment = Pointers(environment);
  child.seconds = static_cast<rlim_t>(seconds);
  child.memory = options.max_memory_bytes;
  child.own_network = sandbox == Sandbox::kNamespace;
  child.in = in.read.get();
  child.out = out.write.get();
  child.err = err.write.get();

  const pid_t pid = ::fork();
  if (pid < 0) return Status::FromErrno("starting", name, errno);
  if (pid == 0) child.Run();
  in.read.Close();
  out.write.Close();
  err.write.Close();

  const IgnoredPipeSignal ignored;
  Exchange exchange(options, std::move(in.write), std::move(out.read), std::move(err.read));
  const Exchange::End end = exchange.Run();
  // Closed outputs also mean the end: whatever is left of the group has no way to report.
  if (end != Exchange::End::kClosed) ::kill(-pid, SIGKILL);
  int state = 0;
  const auto grace = Clock::now() + std::chrono::seconds(2);
  pid_t waited;
  while ((waited = ::waitpid(pid, &state, WNOHANG)) == 0 || (waited < 0 && errno == EINTR)) {
    if (Clock::now() > grace) ::kill(-pid, SIGKILL);
    ::usleep(1000);
  }
  ::kill(-pid, SIGKILL);

  if (end == Exchange::End::kTime || (WIFSIGNALED(state) && WTERMSIG(state) == SIGXCPU)) {
    return Status::Corruption(fmt::format("{} exceeded the time limit of {:g} s", name,
                                          static_cast<double>(options.max_time.count()) / 1000));
  }
  if (end == Exchange::End::kOutput) {
    return Status::Corruption(
        fmt::format("{} exceeded the output limit of {} bytes", name, options.max_output_bytes));
  }
  const std::string why = FirstLine(exchange.errors);
  if (WIFSIGNALED(state)) {
    return Status::Corruption(
        fmt::format("{} was killed by signal {}{}{}", name, WTERMSIG(state), why.empty() ? "" : ": ", why));
  }
  if (WEXITSTATUS(state) != 0) {
    return Status::Corruption(
        fmt::format("{} failed with status {}{}{}", name, WEXITSTATUS(state), why.empty() ? "" : ": ", why));
  }
  return std::move(exchange.output);
}

}  // namespace crivello::text
