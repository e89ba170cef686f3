// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mutex>

// For clang's thread-safety analysis (-Wthread-safety, preset `clang`).
#if defined(__clang__)
#define CRV_THREAD_ANNOTATION(x) __attribute__((x))
#else
#define CRV_THREAD_ANNOTATION(x)
#endif
#define CRV_CAPABILITY(x) CRV_THREAD_ANNOTATION(capability(x))
#define CRV_SCOPED_CAPABILITY CRV_THREAD_ANNOTATION(scoped_lockable)
#define CRV_GUARDED_BY(x) CRV_THREAD_ANNOTATION(guarded_by(x))
#define CRV_REQUIRES(...) CRV_THREAD_ANNOTATION(requires_capability(__VA_ARGS__))
#define CRV_EXCLUDES(...) CRV_THREAD_ANNOTATION(locks_excluded(__VA_ARGS__))
#define CRV_ACQUIRE(...) CRV_THREAD_ANNOTATION(acquire_capability(__VA_ARGS__))
#define CRV_RELEASE(...) CRV_THREAD_ANNOTATION(release_capability(__VA_ARGS__))

namespace crivello {

// std::mutex with thread-safety annotations, which the original lacks.
class CRV_CAPABILITY("mutex") Mutex {
 public:
  void lock() CRV_ACQUIRE() { mu_.lock(); }
  void unlock() CRV_RELEASE() { mu_.unlock(); }

 private:
  std::mutex mu_;
};

class CRV_SCOPED_CAPABILITY MutexLock {
 public:
  explicit MutexLock(Mutex& mu) CRV_ACQUIRE(mu) : mu_(mu) { mu_.lock(); }
  ~MutexLock() CRV_RELEASE() { mu_.unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex& mu_;
};

}  // namespace crivello
