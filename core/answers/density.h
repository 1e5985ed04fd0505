// SPDX-License-Identifier: GPL-3.0-or-later
//
// How likely which value of a response is, as a curve that owes nothing to where bars begin
// ([Botev2010]).
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace gridhelm::answers {

/// The density of samples: not negative, 0 outside of low .. high.
struct Density
{
    double low = 0, high = 0; ///< of all samples
    std::vector<double>
        values;            ///< at places that are evenly spread over low .. high, both ends too
    double bandwidth = 0;  ///< standard deviation of what each sample was widened by
    double mostLikely = 0; ///< where the curve is highest
};

/// Of samples in ascending order: each is widened by a normal distribution, which the ends of all
/// samples reflect, so that nothing is lost beyond them. How wide it is follows from the samples by
/// a plug-in rule that takes no normal distribution for granted, so that several peaks stay apart;
/// it is at least the distance of the curve's places, so that no peak falls between two of them,
/// and the curve's integral by trapezoids is 1. Nothing where the samples are all the same, or one
/// of 100 or more is the same value but for round-off: that has no density. `points`: at least 2,
/// of the curve.
std::optional<Density> densityOf(std::span<const double> sorted, std::size_t points = 129);

} // namespace gridhelm::answers
