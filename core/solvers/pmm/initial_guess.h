// SPDX-License-Identifier: GPL-3.0-or-later
//
// Sweeps only lower times, so what they start from must nowhere be earlier than the solution: a
// time that is too early would stay, and look like a result. A guess is therefore not believed. It
// may be started from if none of its times is earlier than what its own neighbours send (it is a
// supersolution), which implies that none is earlier than the solution (docs/theory/fronts.md).
// A guess that misses this by a part of the travel time between two planes is stretched until it
// does not; any other is left out.
#pragma once

#include "core/solvers/pmm/pmm_problem.h"

#include <span>
#include <vector>

namespace gridhelm::solvers {

/// The earlier of the problem's guess and its source at each node; infinite where neither says
/// anything. The problem has a guess.
template <typename T>
std::vector<T> guessedTimes(const PmmProblem &problem);

/// Where the guess is earlier than the source, and the arrivals are not: gives the guess the
/// source's time. Whether there was such a node, so that the arrivals are out of date. `guess`:
/// guessedTimes(); `arrivals`: the earliest arrival at each node from its neighbours in the guess,
/// out of all six directions; infinite where none arrives.
template <typename T>
bool restoreSource(const PmmProblem &problem, std::span<const T> arrivals, std::vector<T> &guess);

/// By what the guess has to be stretched: 1 if sweeps may start from it as it is, infinite if it
/// must not be used.
template <typename T>
double guessStretch(const PmmProblem &problem, std::span<const T> arrivals,
                    std::span<const T> guess);

/// Stretches all times since the source's first one, and leaves the source's as they are.
template <typename T>
void stretchGuess(const PmmProblem &problem, double factor, std::vector<T> &guess);

} // namespace gridhelm::solvers
