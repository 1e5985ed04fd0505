// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace gridhelm {

/// A thread of GCC's OpenMP that waits for another one spins first, by default for 300,000 rounds:
/// up to 15 ms on CPUs with a slow pause instruction, at every barrier at which the other
/// thread has lost its core to another program. A parallel loop then takes 10 to 100 times as long
/// as a serial one. This makes it 2,000 rounds (some 50 microseconds, enough for a barrier among
/// running threads), in the only way there is: the environment, which is read before main(), so the
/// program starts itself once more, in the same process. Call it first in main(); returns if there
/// is nothing to change: the user has set OMP_WAIT_POLICY or GOMP_SPINCOUNT, or starting failed.
void spinBriefly(char **argv);

} // namespace gridhelm
