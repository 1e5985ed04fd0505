// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/bench/machine/machine_report.h"

#include <optional>
#include <string>
#include <vector>

namespace gridhelm::bench {

/// exp of the mean of the logarithms. Precondition: values, all above 0.
double geometricMean(const std::vector<double> &values);

/// Of an operation, over the cases that two machines have in common: how many times as fast the
/// first one is. A machine's rate for a case is that of its fastest device, with a tuned kernel if
/// it has been tuned. Cases with wrong results count nowhere.
struct ClassRatio
{
    OperationClass operation;
    int cases = 0;    ///< in common
    double ratio = 0; ///< geometric mean
    double least = 0; ///< of a case
    double most = 0;
    std::string device; ///< of the first machine: the one that is fastest most often
};

/// One device of `first` alone, if it is named.
struct RateChoice
{
    std::string device{};  ///< empty: the fastest
    bool withTuned = true; ///< whether what was measured with tuned kernels counts
};

/// Of those operations that have cases in common.
std::vector<ClassRatio> classRatios(const MachineReport &first, const MachineReport &second,
                                    const RateChoice &choice = {});

/// The geometric mean of all operations' ratios to the reference machine, times 100; none unless
/// every operation has a ratio, so that nobody is judged by what suits him.
std::optional<double> scoreOf(const std::vector<ClassRatio> &ratios);

/// An operation on one machine.
struct ClassFigures
{
    OperationClass operation;
    int cases = 0;
    int wrongCases = 0;       ///< that do not count
    double bestPerSecond = 0; ///< of the case below
    std::string bestWork{};
    std::string bestDevice{};
    double meanShare = 0; ///< geometric mean of the shares of the limits that bind
    double bestShare = 0;
    std::string limit{}; ///< where that is
    double largestError = 0;
    std::optional<double> joulesPerUnit{}; ///< the least, of all cases that tell
};

/// Of those operations that have cases.
std::vector<ClassFigures> classFigures(const MachineReport &report);

} // namespace gridhelm::bench
