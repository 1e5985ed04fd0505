// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/surrogate/node_scores.h"

#include "core/support/error.h"
#include "core/surrogate/score_band.h"

#include <algorithm>
#include <cmath>

namespace gridhelm {
namespace {

constexpr double lowest = -80, highest = 80; ///< binary logarithms of the ends of all classes
constexpr double perOctave = 64;
/// The first is that of 0 and what is next to it; the last, of what is above all.
constexpr std::size_t classes = static_cast<std::size_t>((highest - lowest) * perOctave) + 2;

std::size_t classOf(double score)
{
    if (!(score <= std::exp2(highest))) // also no number
        return classes - 1;
    if (score <= std::exp2(lowest))
        return 0;
    const double place = std::ceil((std::log2(score) - lowest) * perOctave);
    return std::clamp<std::size_t>(static_cast<std::size_t>(place), 1, classes - 2);
}

double endOf(std::size_t index)
{
    return std::exp2(lowest + static_cast<double>(index) / perOctave);
}

double magnitude(std::span<const float> values)
{
    double sum = 0;
    for (const double value : values)
        sum += value * value;
    return std::sqrt(sum);
}

} // namespace

NodeScores::NodeScores(double floor)
    : m_floor(floor)
    , m_counts(classes)
{
    if (!(floor >= 0) || !std::isfinite(floor))
        throw Error("the floor of an error indicator is a number, at least 0");
}

void NodeScores::add(std::span<const float> differences, std::span<const float> indicators,
                     int components)
{
    const auto each = static_cast<std::size_t>(components);
    for (std::size_t i = 0; i + each <= differences.size(); i += each)
        ++m_counts[classOf(scoreOf(
            {magnitude(differences.subspan(i, each)), magnitude(indicators.subspan(i, each))},
            m_floor))];
    m_nodes += differences.size() / each;
    ++m_holdOuts;
}

std::optional<ErrorBand> NodeScores::band(double share) const
{
    if (m_nodes == 0)
        return std::nullopt;
    const auto wanted = static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(m_nodes)));
    std::uint64_t inside = 0;
    for (std::size_t i = 0; i + 1 < classes; ++i) {
        inside += m_counts[i];
        if (inside < wanted)
            continue;
        return bandOfScore(endOf(i), m_floor,
                           static_cast<double>(inside) / static_cast<double>(m_nodes), m_holdOuts);
    }
    return std::nullopt;
}

} // namespace gridhelm
