// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/tunable.h"
#include "core/solvers/jacobi/jacobi_state.h"
#include "core/solvers/jacobi/range.h"
#include "core/solvers/jacobi/stencil_row.h"

#include <cstddef>

namespace gridhelm::solvers::jacobi {

/// Operation "jacobi tuned": size is the number of unknowns, by dimension.
extern const TunableOperation tunedTunable;

struct TunedConstants
{
    TunedConstants() = default;
    /// Those of a table for this problem.
    TunedConstants(const TuningTable &table, std::size_t valueBytes, const PoissonProblem &problem);

    int cacheShare = 2;
    int store = 0;
};

/// One iteration of some rows of a state, at the speed of memory: every value is read once and
/// written once, past the caches.
template <typename T>
class TunedUpdate
{
public:
    explicit TunedUpdate(const JacobiState<T> &state, const TunedConstants &constants = {});

    /// The next values of these rows (2D) or planes (3D), with the threads of the state's device,
    /// and the ghosts that follow them. Returns the largest |new - old| if `compares`, otherwise 0.
    T operator()(JacobiState<T> &state, Range layers, bool compares) const;

private:
    T updateShare(JacobiState<T> &state, Range layers, std::ptrdiff_t share, bool compares) const;
    T updateBlock(JacobiState<T> &state, Range columns, Range rows, Range planes,
                  bool compares) const;
    bool areAlike(const JacobiState<T> &state, std::ptrdiff_t across, std::ptrdiff_t first,
                  std::ptrdiff_t count) const;
    Store storeFor(const JacobiState<T> &state, std::ptrdiff_t j, std::ptrdiff_t k) const;

    int m_threads = 1;
    Store m_store = Store::cached;
    std::ptrdiff_t m_columns = 0; ///< of a block
    std::ptrdiff_t m_rows = 0;
};

} // namespace gridhelm::solvers::jacobi
