// SPDX-License-Identifier: GPL-3.0-or-later
//
// Evaluation at random points, spread over threads by points or, when there are few of them, by
// parts of the tree. On grids larger than the cache, many points visit one part after the other.
#pragma once

#include "core/execution/device.h"
#include "core/execution/tunable.h"
#include "core/sparse/backend.h"
#include "core/sparse/omp/interpolation_kernel.h"

#include <vector>

namespace gridhelm::sparse::omp {

/// Operation "interpolation": size is the number of values of the unfolded grid, by dimension.
extern const TunableOperation interpolationTunable;

struct InterpolationConstants
{
    InterpolationConstants() = default;
    /// Those of a table for these nodes.
    InterpolationConstants(const TuningTable &table, std::size_t valueBytes,
                           const UnfoldedGrid &nodes);

    int lockStep = 4;
    int task = 512;
};

/// The node set of a grid with everything that is worth preparing once.
class RandomPointsPlan
{
public:
    explicit RandomPointsPlan(const UnfoldedGrid &nodes,
                              const InterpolationConstants &constants = {});

    const EvaluationProgram &program() const { return m_program; }

    /// `values` are those of `nodes`, which must be the node set the plan was made for.
    template <typename T>
    void interpolate(const UnfoldedGrid &nodes, const T *values, PointsView<T> points,
                     EvaluationOutput<T> out, const CpuDevice &cpu) const;

    std::size_t bytes() const { return m_program.bytes(); }

private:
    InterpolationConstants m_constants;
    EvaluationProgram m_program;
    EvaluationProgram::Part m_wholeTree;
    std::vector<EvaluationProgram::Part> m_parts; // each reads values that fit into a cache
};

} // namespace gridhelm::sparse::omp
