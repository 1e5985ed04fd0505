// SPDX-License-Identifier: GPL-3.0-or-later
//
// Operations at a size, done through the coarse interfaces alone so that every back end does the
// same. What the choice among back ends measures, and `bench backends` as well.
#pragma once

#include "core/dispatch/candidate.h"
#include "core/dispatch/operation.h"
#include "core/solvers/precision.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <variant>

namespace gridhelm::dispatch {

// Sparse grids: regular ones, zero at the boundary, in float.

struct TransformWork
{
    int dimension, level;
};
struct InterpolationWork
{
    int dimension, level;
    std::size_t points;
};
/// With all dimensions but the last freeDimensions() fixed.
struct SharedWork
{
    int dimension, level;
    std::size_t points;

    int freeDimensions() const { return dimension > 3 ? 3 : dimension - 1; }
};
/// A cube of side^3 values in the last three dimensions; of a grid of two a square.
struct CartesianWork
{
    int dimension, level;
    std::size_t side;
};
struct CombinationWork
{
    std::size_t rows, columns;
};

// Laplace's equation on side^dimension unknowns, so many iterations at a time.

struct PoissonWork
{
    std::string method; ///< of solvers::poissonMethods()
    solvers::Precision precision;
    int dimension;
    std::size_t side;
    std::uint64_t iterations;
    /// Begins with values without order, which are 8 bytes each and take longer to make than some
    /// iterations; or with 0.
    bool isRough = true;
};

/// The first sweep from a ball in the middle of side^3 nodes.
struct PmmWork
{
    bool isAnisotropic;
    solvers::Precision precision;
    std::size_t side;
};

using Workload = std::variant<TransformWork, InterpolationWork, SharedWork, CartesianWork,
                              CombinationWork, PoissonWork, PmmWork>;

Operation operationOf(const Workload &work);
/// In the units of its operation.
double sizeOf(const Workload &work);
/// "dimension 10, level 9"; within one operation, different work has a different text.
std::string textOf(const Workload &work);

/// By the counts that are stated where the operation is defined; of interpolation 4 flops for each
/// block at each point: two nodes are visited, with a product each, and one coefficient counts. Of
/// shared dimensions the blocks are those of the grid that remains. NaN where nothing is counted.
struct CountedWork
{
    double bytes;
    double flops;
};

/// Work that is ready to be timed, on one back end.
class PreparedWork
{
public:
    virtual ~PreparedWork() = default;

    /// Does it once, and returns the seconds it took. Operations on sparse grids leave their
    /// results in the CPU's memory, solvers where they compute.
    virtual double run() = 0;
    /// The points, columns or iterations of it, which are alike; 1 if it cannot be divided.
    virtual std::size_t items() const { return 1; }
    /// The same for the first so many of them, at most all.
    virtual double runSome(std::size_t) { return run(); }
    /// The seconds it takes to have the solver's field in the CPU's memory.
    virtual double deliver() { return 0; }
    /// What one run() is.
    virtual CountedWork counted() const = 0;
    /// How far what run() computes is from the reference back end (of a combination: from the sum,
    /// of coefficients: from the values that they are to give back), at some places, beside the
    /// largest value there. Costs another run. NaN of solvers, which have tests and benchmarks for
    /// that.
    virtual double error() { return std::numeric_limits<double>::quiet_NaN(); }
};

/// Throws gridhelm::Error if the back end cannot do this, or memory does not suffice.
std::unique_ptr<PreparedWork> prepare(const Workload &work, const Candidate &candidate,
                                      const ExecutionContext &context);

struct WorkInput;

/// The same on its input, which may serve several at a time.
std::unique_ptr<PreparedWork> prepare(const Workload &work,
                                      const std::shared_ptr<const WorkInput> &input,
                                      const Candidate &candidate, const ExecutionContext &context);

/// The seconds of one run and delivery: the best of a few, about a quarter of a second in all if
/// the work is not longer than that.
double measuredSeconds(const Workload &work, const Candidate &candidate,
                       const ExecutionContext &context);

} // namespace gridhelm::dispatch
