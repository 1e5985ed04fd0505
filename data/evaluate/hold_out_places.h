// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where hold-outs are made, and how many of them there are.
#pragma once

#include "data/study/study.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gridhelm::data {

/// Parameter values at which to make `count` hold-out snapshots, range corners and face centres
/// among them (sparse::holdOutPoints), the others round numbers. Reproducible by `seed`. For scalar
/// studies `count` runs, with 256 places in space for each, one after the other.
std::vector<std::vector<double>> holdOutParameters(const Study &study, std::size_t count,
                                                   std::uint64_t seed);
/// Those off the grid of another level, and so off all coarser ones.
std::vector<std::vector<double>> holdOutParameters(const ParameterSpace &space, int level,
                                                   std::size_t count, std::uint64_t seed);

/// How many make a band of 95 % (23, nineteen of them inside the ranges), where that is a fifth of
/// the runs at most; else of 90 % (12, ten inside).
std::size_t sensibleHoldOuts(std::size_t runs);

/// Those of holdOutParameters() that are to be made so that the study has `count` (runs of a scalar
/// study). What it has anywhere off its grid counts: older versions made them at other places, and
/// files may have been imported.
std::vector<std::vector<double>> holdOutsToMake(const Study &study, std::size_t count,
                                                std::uint64_t seed);

/// Hold-outs that make one error figure: one of a vector study, all places of a scalar one's run.
/// Not those that became points of the grid when it grew: nothing is held out there.
std::vector<std::vector<HoldOut>> runsOf(std::vector<HoldOut> holdOuts, const Study &study);

/// What one run has in common: its parameters with the lowest time, and place in space.
std::vector<double> runOf(const ParameterSpace &space, std::vector<double> parameters);

/// Where a run stands in the unit cube; 1/2 in all directions in space.
std::vector<double> placeOfRun(const ParameterSpace &space, const std::vector<double> &parameters);
/// In a corner or a face of the unit cube.
bool isAtEdge(const std::vector<double> &place);

/// How much of what was asked for the held-out errors speak of. Runs of a scalar study count.
struct HoldOutCoverage
{
    std::size_t there = 0;   ///< off the grid
    std::size_t inside = 0;  ///< of these: neither in a corner nor in a face of the ranges
    std::size_t missing = 0; ///< asked for, but their runs failed or were not begun
};
HoldOutCoverage holdOutCoverage(const Study &study);

} // namespace gridhelm::data
