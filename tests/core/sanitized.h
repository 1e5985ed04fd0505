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
