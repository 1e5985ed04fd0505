// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/refinement.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <utility>

namespace gridhelm::data {

using sparse::KnownBlock;
using sparse::LevelVector;

RefinementState::RefinementState(const Study &study, const std::vector<FieldIndex> &fields,
                                 const std::vector<ErrorThatCounts> &counts)
    : m_study(study)
    , m_fields(fields)
{
    const auto &space = study.description().space;
    m_rules.highestSum = space.highestLevel() - 1; // what a grid's row can say of it
    for (std::size_t f = 0; f < fields.size(); ++f)
        m_gains.emplace_back(study, fields[f], counts.empty() ? ErrorThatCounts() : counts.at(f));
    for (std::size_t t = 0; t < space.parameters().size(); ++t) {
        if (space[t].isDense)
            continue;
        const auto treatment = space[t].usedTreatment();
        m_dimensions.push_back(t);
        m_treatments.push_back(treatment);
        // A cap is the user's wish; 2^12 values in one parameter are more than any budget.
        const int sensible =
            treatment == sparse::BoundaryTreatment::leja ? sparse::highestLevelOf(treatment) : 12;
        m_rules.highestLevels.push_back(space[t].levelCap ? *space[t].levelCap - 1 : sensible);
    }
}

LevelVector RefinementState::inGrid(const LevelVector &levels) const
{
    const auto &grid = *m_study.grid();
    LevelVector all;
    for (int t = 0; t < grid.dimension(); ++t)
        all.push_back(static_cast<sparse::Level>(sparse::lowestLevel(grid.treatment(t))));
    for (std::size_t i = 0; i < m_dimensions.size(); ++i)
        all[m_dimensions[i]] = levels[i];
    return all;
}

/// Those that were chosen come in that order, after all others, whose order does not depend on what
/// else is in the grid.
void RefinementState::addNewBlocks()
{
    const auto add = [&](const LevelVector &levels) {
        if (m_index.emplace(levels, m_blocks.size()).second)
            m_blocks.push_back({levels, {}, false});
    };
    const auto ofRuns = [&](sparse::LevelVectorView all) {
        LevelVector levels;
        for (const auto t : m_dimensions)
            levels.push_back(all[t]);
        return levels;
    };
    const auto chosen = m_study.refinements();
    std::set<LevelVector> isChosen;
    for (const auto &refinement : chosen)
        isChosen.insert(ofRuns(refinement.levels));
    const auto &grid = *m_study.grid();
    std::set<std::pair<int, LevelVector>> others; // below comes before above
    for (std::size_t block = 0; block < grid.blocks(); ++block) {
        const auto levels = ofRuns(grid.levelVector(block));
        if (!isChosen.contains(levels))
            others.emplace(std::accumulate(levels.begin(), levels.end(), 0), levels);
    }
    for (const auto &[sum, levels] : others)
        add(levels);
    for (const auto &refinement : chosen)
        add(ofRuns(refinement.levels));
}

void RefinementState::update()
{
    addNewBlocks();
    const auto &grid = *m_study.grid();
    std::vector<std::vector<CoefficientState>> states;
    for (const auto field : m_fields)
        states.push_back(m_study.coefficientStates(field));
    for (auto &block : m_blocks) {
        if (block.isWhole)
            continue;
        // Time levels of a run come together: the lowest one stands for all.
        const auto number = grid.findBlock(inGrid(block.levels));
        const auto first = grid.blockOffset(*number), end = first + grid.blockSize(*number);
        block.isWhole = std::ranges::all_of(states, [&](const auto &ofField) {
            return std::all_of(ofField.begin() + static_cast<std::ptrdiff_t>(first),
                               ofField.begin() + static_cast<std::ptrdiff_t>(end),
                               [](auto state) { return state == CoefficientState::final; });
        });
        block.gains.clear();
        for (const auto &gains : m_gains) {
            const auto gain = gains.of(inGrid(block.levels));
            if (!gain)
                break;
            block.gains.push_back(*gain);
        }
        if (block.gains.size() < m_fields.size())
            block.gains.clear();
    }
}

double RefinementState::scale(std::size_t field) const
{
    double squares = 0;
    for (const auto &block : m_blocks)
        squares += block.gains.empty() ? 0 : block.gains[field] * block.gains[field];
    return std::sqrt(squares);
}

/// Where all runs of a block have failed, half of what was expected of it counts: what is above it
/// may be where they do not fail.
std::vector<KnownBlock> RefinementState::knownBlocks(std::optional<std::size_t> ofField) const
{
    std::vector<double> scales;
    for (std::size_t f = 0; f < m_fields.size(); ++f)
        scales.push_back(scale(f));
    std::vector<KnownBlock> known;
    for (const auto &block : m_blocks) {
        known.push_back({block.levels, std::nullopt});
        for (std::size_t f = 0; f < block.gains.size(); ++f) {
            if (ofField && f != *ofField)
                continue;
            const double relative = scales[f] > 0 ? block.gains[f] / scales[f] : 0;
            known.back().gain = std::max(known.back().gain.value_or(0), relative);
        }
    }
    std::vector<std::size_t> order(known.size()); // below comes before above
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t b) {
        return std::accumulate(known[b].levels.begin(), known[b].levels.end(), 0);
    });
    for (const auto number : order) {
        auto &block = known[number];
        if (block.gain)
            continue;
        double smallest = 1;
        auto below = block.levels;
        for (std::size_t t = 0; t < below.size(); ++t) {
            if (below[t] == sparse::lowestLevel(m_treatments[t]))
                continue;
            --below[t];
            const auto &neighbour = known[m_index.at(below)];
            smallest = std::min(smallest, neighbour.gain.value_or(0));
            ++below[t];
        }
        block.gain = smallest / 2;
    }
    return known;
}

std::vector<Refinement> RefinementState::choose(std::uint64_t wanted, std::uint64_t most) const
{
    sparse::RefinementTally tally;
    for (const auto &refinement : m_study.refinements())
        tally.add({refinement.levels, refinement.runs, refinement.predictedGain,
                   refinement.isExploration});
    std::vector<Refinement> chosen;
    for (const auto &choice : sparse::chooseBlocks(m_treatments, knownBlocks(std::nullopt), m_rules,
                                                   tally, wanted, most))
        chosen.push_back(
            {0, inGrid(choice.levels), choice.runs, choice.predictedGain, choice.isExploration});
    return chosen;
}

double RefinementState::estimate(std::size_t ofFields) const
{
    if (!(scale(ofFields) > 0))
        return 1; // nothing was seen of it
    const auto known = knownBlocks(ofFields);
    double expected = 0, leaves = 0;
    // What the caps forbid is lacking all the same, and so is what has failed.
    std::vector<int> anyLevel;
    for (const auto treatment : m_treatments)
        anyLevel.push_back(sparse::highestLevelOf(treatment));
    for (const auto &candidate :
         sparse::blockCandidates(m_treatments, known, anyLevel, std::numeric_limits<int>::max()))
        expected += candidate.predictedGain;
    for (std::size_t b = 0; b < m_blocks.size(); ++b)
        expected += m_blocks[b].gains.empty() ? 2 * *known[b].gain : 0;
    for (const auto &block : known) {
        auto above = block.levels;
        bool isLeaf = true;
        for (std::size_t t = 0; t < above.size() && isLeaf; ++t) {
            const auto level = above[t];
            above[t] = static_cast<sparse::Level>(std::max<int>(level, 0) + 1);
            isLeaf = !m_index.contains(above);
            above[t] = level;
        }
        leaves += isLeaf ? *block.gain * *block.gain : 0;
    }
    return std::max(expected, std::sqrt(leaves));
}

double RefinementState::worstEstimate() const
{
    double worst = 0;
    for (std::size_t f = 0; f < m_fields.size(); ++f)
        worst = std::max(worst, estimate(f));
    return worst;
}

std::uint64_t RefinementState::runs() const
{
    std::uint64_t runs = 0;
    for (const auto &block : m_blocks)
        runs += sparse::pointsOfBlock(m_treatments, block.levels);
    return runs;
}

} // namespace gridhelm::data
