// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where this build has what tests start and read. Not macros of all tests: a compiler cache would know
// none of them again in another folder.
#pragma once

namespace gridhelm::test::paths {

extern const char *const source;  ///< the root of the source tree
extern const char *const cli;     ///< gridhelm-cli
extern const char *const desktop; ///< the window's program
extern const char *const mpirun;  ///< empty where there is no MPI
extern const char *const fakeNvml;

} // namespace gridhelm::test::paths
