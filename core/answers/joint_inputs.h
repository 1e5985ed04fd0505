// SPDX-License-Identifier: GPL-3.0-or-later
//
// Inputs that go together: rank correlations of pairs, and samples that belong together row by row.
#pragma once

#include "core/answers/input_distribution.h"

#include <cstddef>
#include <string_view>

namespace gridhelm::answers {

/// "a,b=0.5", with the names of two parameters and Spearman's rank correlation of them. Throws
/// gridhelm::Error, which begins with `what` and the text, for anything else, for a pair that has
/// one already, and for parameters whose samples go together; whether all correlations are possible
/// at once is said by requireCorrelations().
void addRankCorrelation(Inputs &inputs, const ParameterSpace &space, std::string_view typed,
                        std::string_view what);
/// The same of two parameters by their places, with `where` at the beginning of what is thrown.
void addRankCorrelation(Inputs &inputs, const ParameterSpace &space, std::size_t a, std::size_t b,
                        double correlation, std::string_view where);

/// Their distributions become those of the columns, whose rows are drawn as a whole. Throws
/// gridhelm::Error for columns of different lengths or without values, for values outside of the
/// ranges, and for parameters that have correlations or go together with others already.
void addJointSamples(Inputs &inputs, const ParameterSpace &space, JointSamples samples);

/// Throws gridhelm::Error, with what to do instead, for inputs that have no Sobol' indices because
/// they go together.
void requireIndependent(const Inputs &inputs);

} // namespace gridhelm::answers
