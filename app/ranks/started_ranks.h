// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace gridhelm::app {

/// How this process was started, as mpirun (Open MPI, MPICH, Slurm with PMI) says in the
/// environment.
struct StartedRanks
{
    int number = 0; ///< of this process among them
    int count = 1;  ///< 1: nobody has started others with it
};

StartedRanks startedRanks();

} // namespace gridhelm::app
