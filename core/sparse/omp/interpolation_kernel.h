// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sparse/omp/evaluation_program.h"

#include <cstddef>
#include <span>

namespace gridhelm::sparse::omp {

/// Everything the kernel reads; pointers stay the caller's.
template <typename T>
struct InterpolationInput
{
    const EvaluationProgram *program;
    const UnfoldedGrid *nodes;
    const T *values; ///< of the nodes
};

/// Adds the contributions of some segments at the first `count` points of the row-major x
/// (dimension values a point) to sums, and those of the last group to lastSums; `lockStep` vectors
/// of points, 1, 2, 4 or 8, go through the program together. Runs on the calling thread; dispatches
/// to the best SIMD instruction set.
template <typename T>
void accumulateSegments(const InterpolationInput<T> &input, std::span<const Segment> segments,
                        const T *x, std::size_t count, int lockStep, T *sums, T *lastSums);

} // namespace gridhelm::sparse::omp
