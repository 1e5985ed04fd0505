// SPDX-License-Identifier: GPL-3.0-or-later
//
// From the values of a field at some places to one number.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gridhelm::answers {

enum class ReductionKind {
    mean,     ///< weighted
    integral, ///< the weighted sum
    minimum,
    maximum,
    deviation, ///< standard deviation, weighted
    percentile,
    shareAbove, ///< of the weight, where the value is above a threshold
};

struct Reduction
{
    ReductionKind kind = ReductionKind::mean;
    double number = 0; ///< percentile (0 to 100), or threshold

    bool isLinear() const { return kind == ReductionKind::mean || kind == ReductionKind::integral; }
};

/// What a definition says of space, and of time: "maximum, mean in time".
struct ReductionWords
{
    std::string_view inSpace; ///< "maximum", for parseReduction()
    std::string_view inTime;  ///< "mean", for parseTimeReduction(); empty: a number of each state
};
/// Both are views of `text`.
ReductionWords splitReduction(std::string_view text);

/// "mean", "integral", "minimum", "maximum", "deviation", "percentile 95", "above 0.5"; "value" is
/// the mean, of one point. Throws gridhelm::Error with what may stand there.
Reduction parseReduction(std::string_view text);
/// For help and sentences.
std::string reductionNames();

/// `weights`: volumes, say; as many as values, none negative. Throws gridhelm::Error for no values,
/// and weights of 0 altogether.
double reduce(Reduction reduction, std::span<const double> values, std::span<const double> weights);

/// Where a response is taken.
enum class PlaceKind { whole, point, line, box, sphere, numbered };

struct ResponsePlace
{
    PlaceKind kind = PlaceKind::whole;
    /// x,y,z; two of them; low and high corner; centre and radius; what is numbered by one of
    /// these.
    std::vector<double> numbers;
    std::string field; ///< that numbers points or cells: "patch"
};

/// "" or "whole", "point x,y,z", "line x,y,z,x,y,z", "box x,y,z,x,y,z", "sphere x,y,z,r", "on
/// patch=3" or "on patch=3,4": where a field has one of these whole numbers. Throws gridhelm::Error
/// with what may stand there.
ResponsePlace parsePlace(std::string_view text);
std::string placeNames();

} // namespace gridhelm::answers
