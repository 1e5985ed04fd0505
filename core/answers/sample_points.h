// SPDX-License-Identifier: GPL-3.0-or-later
//
// Places at which something is averaged: Sobol' points ([Joe2008], as Boost has them), scrambled as
// [Owen1995] does it.
#pragma once

#include "core/answers/input_distribution.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace gridhelm::answers {

/// `count` x dimension numbers in (0, 1), a point's side by side; each seed scrambles otherwise. Of
/// each dimension any 2^m consecutive points that begin at a multiple of 2^m are one in each of 2^m
/// cells. The same on every machine. Throws gridhelm::Error for a dimension outside of 1 .. 1000,
/// and if memory does not suffice.
std::vector<double> scrambledPoints(std::size_t count, int dimension, std::uint64_t seed);

/// The same as places in the unit cube, distributed as `inputs` says: a Gaussian copula where there
/// are rank correlations. Throws gridhelm::Error where these are not possible together.
std::vector<double> samplePlaces(const Inputs &inputs, std::size_t count, std::uint64_t seed);

/// Throws gridhelm::Error unless the rank correlations are symmetric, 1 on the diagonal, and those
/// of a Gaussian copula that exists.
void requireCorrelations(const Inputs &inputs);

/// Pearson's correlations of the normal variables whose ranks are correlated as these are,
/// dimension x dimension; 1 on the diagonal alone where parameters are independent.
std::vector<double> normalCorrelations(const Inputs &inputs);
/// L of a matrix L L^T of d x d correlations, row by row. Throws gridhelm::Error if there is none.
std::vector<double> lowerFactor(std::span<const double> matrix, std::size_t d);

} // namespace gridhelm::answers
