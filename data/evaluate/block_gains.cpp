// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/evaluate/block_gains.h"

#include "core/sparse/block_functions.h"
#include "core/support/error.h"
#include "core/support/uniform_random.h"
#include "data/evaluate/indicator_share.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <ranges>
#include <span>
#include <utility>

namespace gridhelm::data {

namespace {

constexpr std::uint64_t partsLookedAt = 8; // whole parts are read and decoded
constexpr std::uint64_t valuesLookedAt = 4096;
constexpr std::size_t placesLookedAt = 128;

/// The block with each combination of levels that the grid's dense parameters have.
std::vector<std::size_t> blocksWith(const sparse::SparseGrid &grid, sparse::LevelVectorView levels)
{
    std::vector<std::size_t> blocks;
    for (std::size_t block = 0; block < grid.blocks(); ++block) {
        const auto vector = grid.levelVector(block);
        bool isOne = true;
        for (std::size_t t = 0; t < levels.size() && isOne; ++t)
            isOne = grid.isDense(static_cast<int>(t)) || vector[t] == levels[t];
        if (isOne)
            blocks.push_back(block);
    }
    return blocks;
}

/// Some values of some parts, all over the field.
std::vector<ValuesOfPart> partsOf(const Study &study, FieldIndex field)
{
    std::vector<ValuesOfPart> parts;
    const auto numbers = spreadOver(study.parts(field), partsLookedAt);
    for (const auto part : numbers)
        parts.push_back(
            {part, spreadOver(study.valuesInPart(field, part), valuesLookedAt / numbers.size())});
    return parts;
}

/// The values of a region, in ascending order, that lie in one part.
struct RegionInPart
{
    std::uint64_t part = 0, begin = 0, end = 0; ///< which of the region's values
};

/// Some values of some parts, of these entities alone. However many they are, none is copied.
std::vector<ValuesOfPart> partsOf(const Study &study, FieldIndex field,
                                  const std::vector<std::uint32_t> &entities)
{
    const auto &of = study.fields()[field];
    if (entities.back() >= of.entities)
        throw Error(fmt::format("the region goes up to value {} of field {}, which has {}: it is a "
                                "region of another mesh",
                                entities.back() + std::uint64_t{1}, of.name, of.entities));
    const auto components = static_cast<std::uint64_t>(of.components);
    const auto valueAt = [&](std::uint64_t i) {
        return entities[i / components] * components + i % components;
    };
    const auto all = std::views::iota(std::uint64_t{0}, entities.size() * components);
    std::vector<RegionInPart> touched;
    for (std::uint64_t begin = 0; begin < all.size();) {
        const auto part = valueAt(begin) / Study::partValues();
        const auto end = *std::ranges::partition_point(
            all, [&](auto i) { return valueAt(i) / Study::partValues() <= part; });
        touched.push_back({part, begin, end});
        begin = end;
    }
    std::vector<RegionInPart> read;
    std::uint64_t values = 0;
    for (const auto number : spreadOver(touched.size(), partsLookedAt)) {
        read.push_back(touched[number]);
        values += read.back().end - read.back().begin;
    }
    std::vector<ValuesOfPart> parts;
    auto from = read.begin();
    std::uint64_t before = 0; // values in parts before it
    for (const auto i : spreadOver(values, valuesLookedAt)) {
        while (i - before >= from->end - from->begin)
            before += from->end - from->begin, ++from;
        if (parts.empty() || parts.back().part != from->part)
            parts.push_back({from->part, {}});
        parts.back().places.push_back(
            static_cast<std::uint32_t>(valueAt(from->begin + i - before) % Study::partValues()));
    }
    return parts;
}

} // namespace

BlockGains::BlockGains(const Study &study, FieldIndex field, const ErrorThatCounts &counts)
    : m_study(study)
    , m_field(field)
    , m_parts(counts.entities.empty() ? partsOf(study, field)
                                      : partsOf(study, field, counts.entities))
{
    for (const auto &part : m_parts)
        m_values += part.places.size();
    const auto &at = counts.at;
    std::mt19937_64 engine(1);
    const auto d = study.description().space.parameters().size();
    m_places.assign(placesLookedAt, std::vector<double>(d));
    for (auto &place : m_places) {
        for (std::size_t t = 0; t < d; ++t) {
            place[t] = uniformRandom(engine);
            if (!at.empty() && !std::isnan(at[t]))
                place[t] = at[t];
        }
    }
}

std::optional<double> BlockGains::of(sparse::LevelVectorView levels) const
{
    const auto &grid = *m_study.grid();
    const auto blocks = blocksWith(grid, levels);
    if (blocks.empty())
        throw Error("the grid does not have this block");
    const auto bases = grid.bases();
    std::vector<float> sums(m_places.size() * m_values), part;
    bool isAnyThere = false;
    const auto addPoint = [&](std::uint64_t point,
                              const std::vector<std::pair<std::size_t, double>> &weights) {
        std::size_t first = 0;
        for (const auto &[number, inPart] : m_parts) {
            part.resize(m_study.valuesInPart(m_field, number));
            if (!m_study.readCoefficientPart(point, m_field, number, part))
                return;
            isAnyThere = true;
            for (const auto &[place, weight] : weights) {
                float *sum = sums.data() + place * m_values + first;
                for (std::size_t i = 0; i < inPart.size(); ++i)
                    sum[i] += static_cast<float>(weight) * part[inPart[i]];
            }
            first += inPart.size();
        }
    };
    for (const auto block : blocks) {
        // By points, so that each is read once.
        std::map<std::uint64_t, std::vector<std::pair<std::size_t, double>>> weights;
        for (std::size_t place = 0; place < m_places.size(); ++place) {
            const auto functions =
                sparse::blockFunctionsAt(bases, grid.levelVector(block), m_places[place]);
            for (std::size_t i = 0; i < functions.positions.size(); ++i)
                weights[functions.positions[i]].emplace_back(place, functions.values[i]);
        }
        for (const auto &[position, ofPoint] : weights)
            addPoint(grid.blockOffset(block) + position, ofPoint);
    }
    if (!isAnyThere)
        return std::nullopt;
    double squares = 0;
    for (const float sum : sums)
        squares += static_cast<double>(sum) * static_cast<double>(sum);
    return std::sqrt(squares / static_cast<double>(sums.size()));
}

} // namespace gridhelm::data
