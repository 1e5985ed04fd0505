// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sparse/unfolded/unfolded_grid.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace gridhelm::sparse {

namespace {

int sumOfBits(const std::vector<DimensionBasis> &bases, std::span<const State> states)
{
    int bits = 0;
    for (std::size_t t = 0; t < states.size(); ++t)
        bits += bitsOfState(bases[t], states[t]);
    return bits;
}

std::vector<BoundaryTreatment> treatmentsOf(const std::vector<DimensionBasis> &bases)
{
    std::vector<BoundaryTreatment> treatments;
    for (const auto basis : bases)
        treatments.push_back(basis.treatment);
    return treatments;
}

bool hasPairs(DimensionBasis basis)
{
    return hasEndPoints(basis.treatment) || isPaired(basis, 1);
}

} // namespace

UnfoldedGrid::UnfoldedGrid(const SparseGrid &grid)
    : m_treatments(grid.treatments())
    , m_bases(grid.bases())
{
    const auto d = m_treatments.size();
    const auto lastGroup = grid.groupFirstBlock(grid.groups() - 1);
    if (std::ranges::none_of(m_bases, hasPairs)) {
        m_states = grid.levelVectors();
        m_lastGroupBegin = lastGroup;
        indexRuns();
        return;
    }
    for (std::size_t block = 0; block < grid.blocks(); ++block) {
        if (block == lastGroup)
            m_lastGroupBegin = m_ownStates.size() / d;
        const auto levels = grid.levelVector(block);
        const auto choices = contributionsOf(m_bases, levels);
        for (std::uint64_t choice = 0; choice < choices; ++choice) {
            auto remaining = choice;
            for (std::size_t t = 0; t < d; ++t) {
                int state = stateOfLevel(m_bases[t], levels[t]);
                if (isPaired(m_bases[t], levels[t])) {
                    state += static_cast<int>(remaining & 1U);
                    remaining >>= 1;
                }
                m_ownStates.push_back(static_cast<State>(state));
            }
        }
    }
    m_ownStates.shrink_to_fit();
    m_states = m_ownStates;
    indexRuns();
}

UnfoldedGrid::UnfoldedGrid(std::vector<DimensionBasis> bases, std::vector<State> states)
    : m_treatments(treatmentsOf(bases))
    , m_bases(std::move(bases))
{
    const auto d = m_treatments.size();
    const auto count = states.size() / d;
    const auto statesAt = [&](std::size_t i) {
        return std::span<const State>{states.data() + i * d, d};
    };
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {},
                             [&](std::size_t i) { return sumOfBits(m_bases, statesAt(i)); });
    m_ownStates.reserve(states.size());
    for (std::size_t i : order)
        m_ownStates.insert(m_ownStates.end(), statesAt(i).begin(), statesAt(i).end());
    m_states = m_ownStates;
    indexRuns();
    m_lastGroupBegin = m_runs[m_runs.size() - 2].firstNode;
}

void UnfoldedGrid::indexRuns()
{
    const auto d = m_treatments.size();
    m_highestStates.assign(d, 0);
    std::uint64_t value = 0;
    const auto count = m_states.size() / d;
    for (std::size_t node = 0; node < count; ++node) {
        const auto vector = states(node);
        const int bits = sumOfBits(m_bases, vector);
        if (m_runs.empty() || m_runs.back().bits != bits) {
            value = (value + alignment - 1) / alignment * alignment;
            m_runs.push_back({node, value, bits});
        }
        m_highestBits = std::max(m_highestBits, bits);
        value += std::uint64_t{1} << bits;
        for (std::size_t t = 0; t < d; ++t)
            m_highestStates[t] = std::max<int>(m_highestStates[t], vector[t]);
    }
    m_runs.push_back({count, value, 0});
}

} // namespace gridhelm::sparse
