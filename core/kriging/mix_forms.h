// SPDX-License-Identifier: GPL-3.0-or-later
//
// Private to kriging. A form, or a mixture of two, for each output that carries error.
#pragma once

#include "core/kriging/fit.h"

#include <vector>

namespace gridhelm::kriging {

/// Evaluations of likelihoods for one output, at most.
inline constexpr std::size_t evaluationsOfMixture = 4 * 40 + 2 * 60;

/// `components`, which leave no output out, but for the outputs whose errors are at least 0.4 % of
/// all (their squares, of runs that are left out): those have up to two components of their own, of
/// the forms of the candidates and of hyperparameters that no other output has a say in. `fitted`:
/// the runs that hyperparameters are fitted to, of `runs` in all; of very many runs only the
/// outputs with the largest errors are mixed, since each component factors a matrix of runs x runs.
std::vector<Component> mixForms(const Runs &fitted, std::size_t runs,
                                const std::vector<Component> &components,
                                const std::vector<Candidate> &candidates, const FitOptions &options,
                                const ExecutionContext &context, FitWatch &watch,
                                long &evaluations);

} // namespace gridhelm::kriging
