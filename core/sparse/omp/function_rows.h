// SPDX-License-Identifier: GPL-3.0-or-later
//
// Dimensions without hats on a Cartesian product (cartesian_plan.h): the functions of all states at
// all coordinates of an axis, and sums over them.
#pragma once

#include "core/linalg/row_kernel.h"
#include "core/sparse/unfolded/state_functions.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gridhelm::sparse::omp {

/// Of each state one function at each coordinate.
template <typename T>
class FunctionTable
{
public:
    FunctionTable() = default;
    FunctionTable(DimensionBasis basis, int highestState, const std::vector<T> &axis)
        : m_width(axis.size())
        , m_values((static_cast<std::size_t>(highestState) + 1) * m_width)
        , m_positions(m_values.size())
    {
        std::vector<StateValue<T>> atPlace;
        for (std::size_t i = 0; i < m_width; ++i) {
            stateFunctions(basis, highestState, axis[i], atPlace);
            for (std::size_t state = 0; state < atPlace.size(); ++state) {
                m_values[state * m_width + i] = atPlace[state].value;
                m_positions[state * m_width + i] = atPlace[state].position;
            }
        }
        for (int state = 0; state <= highestState; ++state)
            m_firstFunctions.push_back(functionsBelow(basis, state));
        m_functions = functions(basis, highestState);
    }

    /// Functions of the states 0 .. highestState.
    static std::size_t functions(DimensionBasis basis, int highestState)
    {
        return functionsBelow(basis, highestState + 1);
    }

    std::size_t coordinates() const { return m_width; }
    int highestState() const { return static_cast<int>(m_firstFunctions.size()) - 1; }
    std::size_t functions() const { return m_functions; }
    std::size_t functionsOf(int state) const
    {
        const auto s = static_cast<std::size_t>(state);
        return (s + 1 < m_firstFunctions.size() ? m_firstFunctions[s + 1] : m_functions)
               - m_firstFunctions[s];
    }
    T value(int state, std::size_t i) const
    {
        return m_values[static_cast<std::size_t>(state) * m_width + i];
    }
    /// The function of a state that belongs to coordinate i, counted through all states.
    std::size_t function(int state, std::size_t i) const
    {
        return m_firstFunctions[static_cast<std::size_t>(state)]
               + m_positions[static_cast<std::size_t>(state) * m_width + i];
    }

    /// row[i] = sum over the states up to `highest` of their functions at coordinate i times their
    /// coefficients; `coefficientsOf(state)` points to those of a state.
    template <typename CoefficientsOf>
    void evaluate(int highest, CoefficientsOf coefficientsOf, T *row) const
    {
        for (std::size_t i = 0; i < m_width; ++i)
            row[i] = 0;
        for (int state = 0; state <= highest; ++state) {
            const T *coefficients = coefficientsOf(state);
            const T *values = m_values.data() + static_cast<std::size_t>(state) * m_width;
            const auto *positions = m_positions.data() + static_cast<std::size_t>(state) * m_width;
            for (std::size_t i = 0; i < m_width; ++i)
                row[i] += values[i] * coefficients[positions[i]];
        }
    }

private:
    static std::size_t functionsBelow(DimensionBasis basis, int state)
    {
        std::size_t count = 0;
        for (int below = 0; below < state; ++below)
            count += std::size_t{1} << bitsOfState(basis, below);
        return count;
    }

    std::size_t m_width = 0;
    std::vector<T> m_values; // state after state
    std::vector<std::uint32_t> m_positions;
    std::vector<std::size_t> m_firstFunctions; // of each state
    std::size_t m_functions = 0;
};

/// The same for a pole of rows.
template <typename T>
class FunctionRows
{
public:
    /// `addTerms(state, position, factor, terms)` appends the terms of a coefficient row, times a
    /// factor. `rows` has room for table.functions() rows of `width` values. Writes a row for each
    /// coordinate, `targetStride` apart.
    template <typename AddTerms>
    void evaluate(const FunctionTable<T> &table, T *rows, std::size_t width, AddTerms addTerms,
                  T *target, std::size_t targetStride)
    {
        m_terms.clear();
        m_combinations.clear();
        T *row = rows;
        for (int state = 0; state <= table.highestState(); ++state) {
            for (std::size_t i = 0; i < table.functionsOf(state); ++i, row += width) {
                const auto before = m_terms.size();
                addTerms(state, i, T(1), m_terms);
                m_combinations.push_back({row, m_terms.size() - before});
            }
        }
        linalg::combineRowsInOrder<T>(m_combinations, m_terms, width);
        m_terms.clear();
        m_combinations.clear();
        for (std::size_t i = 0; i < table.coordinates(); ++i) {
            const auto before = m_terms.size();
            for (int state = 0; state <= table.highestState(); ++state) {
                if (table.value(state, i) != T(0))
                    m_terms.push_back(
                        {rows + table.function(state, i) * width, table.value(state, i)});
            }
            m_combinations.push_back({target + i * targetStride, m_terms.size() - before});
        }
        linalg::combineRowsInOrder<T>(m_combinations, m_terms, width);
    }

private:
    std::vector<linalg::WeightedRow<T>> m_terms;
    std::vector<linalg::RowCombination<T>> m_combinations;
};

} // namespace gridhelm::sparse::omp
