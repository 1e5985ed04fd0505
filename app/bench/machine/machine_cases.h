// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/bench/machine/operation_class.h"
#include "core/dispatch/workload.h"

#include <vector>

namespace gridhelm::bench {

/// What is measured. The same on every machine, so that rates can be compared one by one.
struct MachineCase
{
    OperationClass operation;
    int dimension; ///< of the grid, 2 .. 10
    int size;      ///< 0 for the smallest
    dispatch::Workload work;

    /// What one run delivers, in units of the operation.
    double amount() const;
    /// Bytes that one run hands over and gets back: what crosses the link to a device that is not
    /// the CPU.
    double deliveredBytes() const;
    /// Bytes that a run works on.
    double workingBytes() const;
};

/// So many sizes there are: grids of at most 2^14 points (they stay in a cache), 2^20, 2^24, 2^27
/// and 2^30; matrices of 2^18 to 2^31 values.
inline constexpr int machineSizes = 5;

/// In the order in which they are measured, small ones first, so that whoever stops has something
/// of all. `quick`: even dimensions and the first two sizes.
std::vector<MachineCase> machineCases(bool quick);

} // namespace gridhelm::bench
