// SPDX-License-Identifier: GPL-3.0-or-later
//
// Whether chains of samples have forgotten where they began ([Vehtari2021]).
#pragma once

#include <cstddef>
#include <vector>

namespace gridhelm::answers {

/// chains[c] has the samples of one quantity in the order in which they were drawn; chains are of
/// the same length.
using Chains = std::vector<std::vector<double>>;

/// Rank-normalised split R-hat: the larger one of that of the values and that of their distances
/// from the median. 1 where chains agree; above 1.01 they do not yet. NaN for chains of fewer than
/// 4 samples, and where all samples are the same.
double rankNormalisedRHat(const Chains &chains);

/// How many independent samples tell the mean as well: of split chains, rank-normalised, with
/// Geyer's initial monotone sequence. At least 1; NaN as above.
double effectiveSamples(const Chains &chains);

} // namespace gridhelm::answers
