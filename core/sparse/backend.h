// SPDX-License-Identifier: GPL-3.0-or-later
//
// The coarse operations a back end offers on sparse grids (docs/theory/evaluation.md,
// docs/develop/architecture.md). Never per point.
#pragma once

#include "core/codec/quantised_row.h"
#include "core/execution/computed_on.h"
#include "core/execution/execution_context.h"
#include "core/linalg/combination.h"
#include "core/sparse/point_set.h"
#include "core/sparse/portion_source.h"
#include "core/sparse/sparse_grid.h"
#include "core/sparse/transform_part.h"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gridhelm::sparse {

using codec::QuantisedRow;
using codec::QuantisedRows;
using gridhelm::SparseWeights;
using linalg::MatrixView;

/// Values at points, and where asked for the error indicator |u - u without its last group|.
/// `indicator` is empty, or as long as `values`.
template <typename T>
struct EvaluationOutput
{
    std::span<T> values;
    std::span<T> indicator = {};
};

template <typename T>
EvaluationOutput<T> partOf(EvaluationOutput<T> out, Share share)
{
    return {partOf(out.values, share), partOf(out.indicator, share)};
}

/// The situation a set of points is recognised as.
enum class PointPattern { random, sharedDimensions, cartesian };

/// As what a set of points was evaluated, and where.
struct PointEvaluation
{
    PointPattern pattern = PointPattern::random;
    ComputedOn computedOn{};
};

/// A weighted sum of coefficients, in double, and |the part of the last group|.
struct Combination
{
    double value = 0;
    double indicator = 0;
    ComputedOn computedOn{};
};

/// One set of hierarchical coefficients, loaded once and evaluated many times. Every evaluation
/// returns where it was computed. Thread-safe for concurrent calls. All points must lie in [0, 1]^d
/// (see requireInsideUnitCube); everything else about the arguments is checked, and a mismatch of
/// sizes throws gridhelm::Error.
template <typename T>
class Evaluator
{
public:
    virtual ~Evaluator() = default;

    virtual const SparseGrid &grid() const = 0;

    /// Scattered points, visiting every block for every point.
    ComputedOn interpolate(PointsView<T> points, EvaluationOutput<T> out) const;
    /// Those that the source hands out, until it has no more; the results of others stay as they
    /// are.
    ComputedOn interpolatePortions(PointsView<T> points, PortionSource &source,
                                   EvaluationOutput<T> out) const;

    /// `sha`: columns of `points` that hold one value are contracted away first, then the smaller
    /// grid of the free dimensions is interpolated.
    ComputedOn interpolateShared(PointsView<T> points, EvaluationOutput<T> out) const;
    /// The same with the columns named, which each must hold one value: where the points are some
    /// of more, which share fewer columns, values are bit for bit those of all.
    ComputedOn interpolateShared(PointsView<T> points, const std::vector<bool> &isFixed,
                                 EvaluationOutput<T> out) const;

    /// `car`: all combinations of the axes, dimension by dimension.
    ComputedOn interpolateCartesian(const CartesianPoints<T> &points,
                                    EvaluationOutput<T> out) const;
    /// A part of it, bit for bit: how it is computed is chosen by the whole.
    ComputedOn interpolateCartesian(const CartesianPoints<T> &points, CartesianPart part,
                                    EvaluationOutput<T> out) const;

    /// Recognises the pattern of the points and takes the cheapest of the paths above.
    PointEvaluation evaluate(PointsView<T> points, EvaluationOutput<T> out) const;

    /// Values and gradients; gradients[j * d + t] is the derivative of point j in direction t, to
    /// the right at kinks, to the left at x_t = 1.
    ComputedOn gradient(PointsView<T> points, std::span<T> values, std::span<T> gradients) const;

    /// What VectorEvaluator::combine() does for many columns, for this one: sum_b weights[b] times
    /// the coefficient of point rows[b]. With the weights of a Surrogate that is the interpolant,
    /// or its derivative; with others an integral, or any other linear response. Throws
    /// gridhelm::Error for rows that are not ascending, or no points of the grid.
    Combination combine(const SparseWeights &weights) const;

    /// Bytes held: coefficients, tables, programs.
    virtual std::size_t bytes() const = 0;

private:
    // The same, with arguments that fit.
    virtual ComputedOn doInterpolate(PointsView<T> points, EvaluationOutput<T> out) const = 0;
    // By doInterpolate(), one portion after the other.
    virtual ComputedOn doInterpolatePortions(PointsView<T> points, PortionSource &source,
                                             EvaluationOutput<T> out) const;
    // At least one point; some columns are fixed, others are not.
    virtual ComputedOn doInterpolateShared(PointsView<T> points, const std::vector<bool> &isFixed,
                                           EvaluationOutput<T> out) const = 0;
    // At least one point.
    virtual ComputedOn doInterpolateCartesian(const CartesianPoints<T> &points, CartesianPart part,
                                              EvaluationOutput<T> out) const = 0;
    virtual ComputedOn doGradient(PointsView<T> points, std::span<T> values,
                                  std::span<T> gradients) const = 0;
    virtual Combination doCombine(const SparseWeights &weights) const = 0;
};

/// doCombine() where the coefficients are an array on the CPU, in storage order.
template <typename T>
Combination combineCoefficients(const SparseWeights &weights, std::span<const T> coefficients);

/// Rows of values at the nodes of a mesh, loaded once and combined many times: whatever a surrogate
/// maps parameters to, it maps them to weights over such rows. Each row is read when the weights
/// name it for the first time; from then on it must stay what it was. Thread-safe for concurrent
/// calls. The rows and the back end must outlive it.
class VectorEvaluator
{
public:
    virtual ~VectorEvaluator() = default;

    /// linalg::combine() and linalg::combineColumns() of the loaded rows, with the same meanings
    /// and errors. Return where they were computed.
    virtual ComputedOn combine(const SparseWeights &weights, std::size_t firstColumn,
                               std::span<float> y, std::span<float> indicator) const = 0;
    virtual ComputedOn combineColumns(const SparseWeights &weights,
                                      std::span<const std::uint32_t> columns, std::span<float> y,
                                      std::span<float> indicator) const = 0;
};

class Backend
{
public:
    virtual ~Backend() = default;

    virtual std::string_view name() const = 0;
    /// For people: threads, SIMD instruction set.
    virtual std::string description() const = 0;
    /// That it was made with: whatever belongs to its evaluations is computed there, too.
    virtual const ExecutionContext &context() const = 0;

    /// Nodal values to hierarchical coefficients, in place, and back. `values` are in storage
    /// order. Return where they were computed.
    virtual ComputedOn hierarchize(const SparseGrid &grid, std::span<double> values) const = 0;
    virtual ComputedOn hierarchize(const SparseGrid &grid, std::span<float> values) const = 0;
    virtual ComputedOn dehierarchize(const SparseGrid &grid,
                                     std::span<double> coefficients) const = 0;
    virtual ComputedOn dehierarchize(const SparseGrid &grid,
                                     std::span<float> coefficients) const = 0;

    /// Some dimensions of these for some blocks; others are neither read nor written, so that
    /// several back ends may work on `values`, those of the whole grid, at the same time. All
    /// dimensions one after the other, each for all blocks, are bit for bit the whole. A back end
    /// that has no kernel for it leaves it to the CPU of its context.
    virtual ComputedOn transformPart(const SparseGrid &grid, const TransformPart &part,
                                     std::span<double> values) const;
    virtual ComputedOn transformPart(const SparseGrid &grid, const TransformPart &part,
                                     std::span<float> values) const;

    /// The evaluator takes the coefficients over.
    virtual std::unique_ptr<Evaluator<double>> load(std::shared_ptr<const SparseGrid> grid,
                                                    std::vector<double> coefficients) const = 0;
    virtual std::unique_ptr<Evaluator<float>> load(std::shared_ptr<const SparseGrid> grid,
                                                   std::vector<float> coefficients) const = 0;

    /// What it takes to have the rows where this back end computes. Throws gridhelm::Error if rows
    /// overlap.
    virtual std::unique_ptr<VectorEvaluator> loadVectors(MatrixView<const float> matrix) const = 0;

    /// The same for quantised rows, with the same meanings. A back end that has no kernel for them
    /// leaves them to the CPU of its context.
    virtual std::unique_ptr<VectorEvaluator> loadQuantised(const QuantisedRows &matrix) const;

    /// How many columns of the matrix there is room for, beside what an evaluation needs; with
    /// more, loadVectors() leaves some to the CPU, or throws gridhelm::BackendError.
    virtual std::size_t columnsThatFit(MatrixView<const float> matrix) const
    {
        return matrix.columns;
    }
    /// From so many points on the value at one does not depend, not even in its last bit, on how
    /// many there are.
    virtual std::size_t smallestShare() const { return 1; }
};

/// `reference`: literal and serial. Slow on purpose; what everything else is tested against.
std::unique_ptr<Backend> makeReferenceBackend();

/// `omp`: the context's CPU, with OpenMP and SIMD.
std::unique_ptr<Backend> makeOmpBackend(const ExecutionContext &context);

} // namespace gridhelm::sparse
