// SPDX-License-Identifier: GPL-3.0-or-later
//
// The coarse operations a back end offers on sparse grids (ARCHITECTURE.md, "Evaluation" and
// "Speed"). Never per point.
#pragma once

#include "core/sparse/point_set.h"
#include "core/sparse/sparse_grid.h"
#include "core/sparse/vector_grid.h"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gridhelm::sparse {

/// Values at points, and where asked for the error indicator |u - u without its last group|.
/// `indicator` is empty, or as long as `values`.
template <typename T>
struct EvaluationOutput
{
    std::span<T> values;
    std::span<T> indicator = {};
};

/// The situation a set of points is recognised as.
enum class PointPattern { random, sharedDimensions, cartesian };

/// One set of hierarchical coefficients, loaded once and evaluated many times. Thread-safe for
/// concurrent calls. All points must lie in [0, 1]^d (see requireInsideUnitCube); everything else
/// about the arguments is checked, and a mismatch of sizes throws gridhelm::Error.
template <typename T>
class Evaluator
{
public:
    virtual ~Evaluator() = default;

    virtual const SparseGrid &grid() const = 0;

    /// Scattered points, visiting every block for every point.
    void interpolate(PointsView<T> points, EvaluationOutput<T> out) const;

    /// `sha`: columns of `points` that hold one value are contracted away first, then the smaller
    /// grid of the free dimensions is interpolated.
    void interpolateShared(PointsView<T> points, EvaluationOutput<T> out) const;

    /// `car`: all combinations of the axes, dimension by dimension.
    void interpolateCartesian(const CartesianPoints<T> &points, EvaluationOutput<T> out) const;

    /// Recognises the pattern of the points and takes the cheapest of the paths above.
    PointPattern evaluate(PointsView<T> points, EvaluationOutput<T> out) const;

    /// Values and gradients; gradients[j * d + t] is the derivative of point j in direction t, to
    /// the right at kinks, to the left at x_t = 1.
    void gradient(PointsView<T> points, std::span<T> values, std::span<T> gradients) const;

    /// Bytes held: coefficients, tables, programs.
    virtual std::size_t bytes() const = 0;

private:
    // The same, with arguments that fit.
    virtual void doInterpolate(PointsView<T> points, EvaluationOutput<T> out) const = 0;
    virtual void doInterpolateShared(PointsView<T> points, EvaluationOutput<T> out) const = 0;
    virtual void doInterpolateCartesian(const CartesianPoints<T> &points,
                                        EvaluationOutput<T> out) const = 0;
    virtual void doGradient(PointsView<T> points, std::span<T> values,
                            std::span<T> gradients) const = 0;
};

/// A grid of vectors, loaded once and combined many times. The rows of its matrix are read when the
/// weights name them for the first time; from then on they must stay what they were. Thread-safe
/// for concurrent calls. The matrix and the back end must outlive it.
class VectorEvaluator
{
public:
    virtual ~VectorEvaluator() = default;

    /// sparse::spvm() and sparse::spvmColumns() of the loaded matrix, with the same meanings and
    /// errors.
    virtual void spvm(const SparseWeights &weights, std::size_t firstColumn, std::span<float> y,
                      std::span<float> indicator) const = 0;
    virtual void spvmColumns(const SparseWeights &weights, std::span<const std::uint32_t> columns,
                             std::span<float> y, std::span<float> indicator) const = 0;
};

class Backend
{
public:
    virtual ~Backend() = default;

    virtual std::string_view name() const = 0;
    /// For people: threads, SIMD instruction set.
    virtual std::string description() const = 0;

    /// Nodal values to hierarchical coefficients, in place, and back. `values` are in storage
    /// order.
    virtual void hierarchize(const SparseGrid &grid, std::span<double> values) const = 0;
    virtual void hierarchize(const SparseGrid &grid, std::span<float> values) const = 0;
    virtual void dehierarchize(const SparseGrid &grid, std::span<double> coefficients) const = 0;
    virtual void dehierarchize(const SparseGrid &grid, std::span<float> coefficients) const = 0;

    /// The evaluator takes the coefficients over.
    virtual std::unique_ptr<Evaluator<double>> load(std::shared_ptr<const SparseGrid> grid,
                                                    std::vector<double> coefficients) const = 0;
    virtual std::unique_ptr<Evaluator<float>> load(std::shared_ptr<const SparseGrid> grid,
                                                   std::vector<float> coefficients) const = 0;

    /// Combines the rows of a grid of vectors: sparse::spvm() and sparse::spvmColumns(), with the
    /// same meanings and errors.
    virtual void spvm(const SparseWeights &weights, MatrixView<const float> matrix,
                      std::size_t firstColumn, std::span<float> y,
                      std::span<float> indicator) const = 0;
    virtual void spvmColumns(const SparseWeights &weights, MatrixView<const float> matrix,
                             std::span<const std::uint32_t> columns, std::span<float> y,
                             std::span<float> indicator) const = 0;

    /// For many combinations of one matrix: what it takes to have it where this back end computes.
    /// Copies nothing unless the back end overrides it. Throws gridhelm::Error if rows overlap.
    virtual std::unique_ptr<VectorEvaluator> loadVectors(MatrixView<const float> matrix) const;
};

/// `reference`: literal and serial. Slow on purpose; what everything else is tested against.
std::unique_ptr<Backend> makeReferenceBackend();

/// `omp`: OpenMP and SIMD; threads = 0 means all that OpenMP offers.
std::unique_ptr<Backend> makeOmpBackend(int threads = 0);

} // namespace gridhelm::sparse
