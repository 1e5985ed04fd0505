// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sparse/sparse_grid.h"
#include "core/surrogate/surrogate.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace gridhelm::answers {

/// Numbers (responses) that depend on the parameters, linearly in the rows of surrogates:
///
///     y_k(x) = constant_k + sum over parts, sum_b w_b(x) rows[b * responses + k]
///
/// Linear responses have the rows of the fields that they are of, reduced to one number each;
/// others have a surrogate of their own (docs/theory/analysis.md). Immutable; thread-safe.
class ResponseModel
{
public:
    struct Part
    {
        std::shared_ptr<const Surrogate> surrogate;
        std::vector<double> rows; ///< surrogate->rows() x responses, a row's side by side
    };

    /// What is no sum of rows: any number at a place of the unit cube, added to one response.
    /// Called from several threads at once.
    struct Function
    {
        std::size_t response = 0;
        std::function<double(std::span<const double> x)> value;
        double step = inDouble; ///< over which differences are slopes
    };
    /// Steps for values that are right to the last digits of double, or of single precision: about
    /// the third root of what they are rounded by.
    static constexpr double inDouble = 1e-5, inSingle = 4e-3;

    /// Throws gridhelm::Error unless there is a constant for each response, at least one part or
    /// function, and parts have these parameters and the sizes above.
    ResponseModel(int dimension, std::vector<Part> parts, std::vector<double> constants,
                  std::vector<Function> functions = {});
    ResponseModel(std::vector<Part> parts, std::vector<double> constants);

    int dimension() const { return m_dimension; }
    std::size_t responses() const { return m_constants.size(); }
    const std::vector<Part> &parts() const { return m_parts; }
    const std::vector<double> &constants() const { return m_constants; }
    const std::vector<Function> &functions() const { return m_functions; }

    /// All of them at a place of the unit cube; `out` has responses() numbers. Throws
    /// gridhelm::Error as Surrogate::weights().
    void values(std::span<const double> x, std::span<double> out) const;
    /// Derivatives by x: out[k * dimension + t]; to the right at kinks. Of functions by
    /// differences.
    void gradients(std::span<const double> x, std::span<double> out) const;
    double value(std::span<const double> x) const; ///< of the first response

    /// One of them alone.
    ResponseModel only(std::size_t response) const;
    /// Whether it is piecewise polynomial, with kinks: then derivatives help no optimizer.
    bool hasKinks() const;
    /// Whether some of it is right to the digits of single precision alone.
    bool isInSingle() const;

private:
    int m_dimension;
    std::vector<Part> m_parts;
    std::vector<double> m_constants;
    std::vector<Function> m_functions;
};

/// Hierarchical coefficients of a sparse grid, in storage order.
struct GridCoefficients
{
    std::shared_ptr<const sparse::SparseGrid> grid;
    std::size_t columns = 0;
    std::vector<double> coefficients; ///< points x columns, row by row
};

/// What `rows` (rows x columns) of a surrogate are by coefficients of its sparse grid, also if they
/// are rows of modes; nothing for surrogates that are no sparse grids.
std::optional<GridCoefficients> gridCoefficients(const Surrogate &surrogate,
                                                 std::span<const double> rows, std::size_t columns);
/// The same of responses, if all of them are of one grid; constants are not in it.
std::optional<GridCoefficients> gridCoefficients(const ResponseModel &model);

} // namespace gridhelm::answers
