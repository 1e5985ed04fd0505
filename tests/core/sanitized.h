// SPDX-License-Identifier: GPL-3.0-or-later
//
// GRIDHELM_SANITIZED: a sanitizer keeps memory of its own, so how much there is in use says
// nothing. GRIDHELM_THREAD_SANITIZED: it cannot follow the clone() by which Qt starts programs.
#pragma once

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define GRIDHELM_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define GRIDHELM_SANITIZED 1
#endif
#endif

#if defined(__SANITIZE_THREAD__)
#define GRIDHELM_THREAD_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define GRIDHELM_THREAD_SANITIZED 1
#endif
#endif

namespace gridhelm::test {

/// Literal references are ten times slower under sanitizers: what is larger than this number of points is
/// compared with them in the optimized build alone (labelled "both" in tests/core/CMakeLists.txt).
#ifdef GRIDHELM_SANITIZED
inline constexpr unsigned long mostComparedPoints = 20'000;
#else
inline constexpr unsigned long mostComparedPoints = ~0UL;
#endif

} // namespace gridhelm::test
