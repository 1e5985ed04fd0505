// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/tunable.h"
#include "core/solvers/jacobi/jacobi_state.h"
#include "core/solvers/jacobi/range.h"
#include "core/solvers/jacobi/stencil_row.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace gridhelm::solvers::jacobi {

/// Operation "jacobi temporal": size is the number of unknowns. "depth" is the method's option.
extern const TunableOperation temporalTunable;

/// Columns of a block, about, with those beyond its sides: what a table has for so many unknowns.
int temporalColumns(const TuningTable &table, std::size_t valueBytes, std::size_t unknowns);
inline constexpr int defaultTemporalColumns = 768;

/// Several iterations of some rows of a 2D state in one pass over memory.
template <typename T>
class TemporalUpdate
{
public:
    /// With room for passes of so many iterations, 2 or more.
    TemporalUpdate(const JacobiState<T> &state, int mostDepth,
                   int columns = defaultTemporalColumns);
    TemporalUpdate(TemporalUpdate &&) noexcept;
    ~TemporalUpdate();

    /// These rows `depth` iterations later, with the threads of the state's device, and the ghosts
    /// that follow them. Present values are read of as many rows beyond them, as far as the state
    /// has rows. Returns the largest |new - old| of the last iteration if `compares`, otherwise 0.
    T operator()(JacobiState<T> &state, Range rows, int depth, bool compares);

private:
    struct Workspaces;

    T updatePart(JacobiState<T> &state, Range rows, int depth, int thread, bool compares);

    int m_threads = 1;
    Store m_store = Store::cached;
    std::ptrdiff_t m_columns = 0; ///< of a block
    std::ptrdiff_t m_vectors = 0; ///< of its rows, with those beyond its sides
    std::unique_ptr<Workspaces> m_work;
};

} // namespace gridhelm::solvers::jacobi
