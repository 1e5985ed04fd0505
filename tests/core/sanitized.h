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

#ifdef GRIDHELM_SANITIZED
inline constexpr bool isSanitized = true;
#else
inline constexpr bool isSanitized = false;
#endif

/// Literal references are ten times slower under sanitizers: there the first of the random cases,
/// and the small ones, have to do. Tests that use these, or isSanitized, are labelled "both" where
/// they are listed, so that the optimized build runs all.
constexpr int repeats(int all)
{
    return isSanitized ? (all + 7) / 8 : all;
}
inline constexpr unsigned long mostComparedPoints = isSanitized ? 5'000 : ~0UL;

} // namespace gridhelm::test
