// SPDX-License-Identifier: GPL-3.0-or-later
//
// How large the indicator is beside the field: in one number, at one state or along a parameter.
#pragma once

#include "data/evaluate/field_surrogate.h"
#include "data/evaluate/scalar_surrogate.h"
#include "data/study/image_mesh.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace gridhelm::data {

/// 2-norm of the indicator by that of the values; 0 where all values are 0.
double indicatorShare(std::span<const float> indicator, std::span<const float> values);

/// Root mean squares over values of a field.
struct FieldNorms
{
    double values = 0;
    double indicator = 0;

    /// Of the indicator, by the field's; 0 where the field is 0.
    double share() const { return values > 0 ? indicator / values : 0; }
};

/// Root mean square; of values at nodes of a body alone, if distances to its surface are given (one
/// for each entity, negative outside): by the number of all values.
double rootMeanSquare(std::span<const float> values, std::span<const float> distance = {});

/// `most` of 0 .. count - 1, ascending: one in each of `most` equal parts, at another place of
/// each, so that they fall in with no row of a mesh; all of them if there are no more.
std::vector<std::uint32_t> spreadOver(std::uint64_t count, std::uint64_t most);

/// Norms along single parameters, over all of a field or a part of it. For whoever wants
/// hundreds of states at once. One thread at a time.
class IndicatorShares
{
public:
    /// Of a vector study: `most` of its points or cells at most. All of the surrogate's levels have
    /// to be loaded. `space`: its parameters. `backend` evaluates; null: one thread.
    IndicatorShares(std::shared_ptr<const FieldSurrogate> field, ParameterSpace space,
                    std::uint64_t most, std::shared_ptr<const sparse::Backend> backend = nullptr);
    /// Of a scalar study, at points of `mesh` (see scalarImageMesh()).
    IndicatorShares(std::shared_ptr<const ScalarSurrogate> field, const ImageMesh &mesh,
                    std::uint64_t most);

    /// Points or cells that are looked at.
    std::uint64_t entities() const { return m_entities; }

    /// At `at`, values of parameter t (directions in space are none), the others as in
    /// `parameters`; in the parameters' units. Empty if `stop`, asked now and then, said yes.
    /// Throws gridhelm::Error for parameters out of range.
    std::vector<FieldNorms> along(std::size_t t, std::span<const double> at,
                                  std::span<const double> parameters,
                                  const std::function<bool()> &stop = {}) const;

    /// At one state. Throws as along() does.
    FieldNorms at(std::span<const double> parameters) const;

private:
    void evaluateColumns(std::span<const double> x, FieldOutput out) const; ///< vector studies
    /// Scalar studies: a picture of the places that are looked at.
    std::vector<std::vector<double>> axesAt(std::span<const double> parameters) const;
    std::vector<FieldNorms> alongVector(std::size_t t, std::span<const double> at,
                                        std::span<const double> parameters,
                                        const std::function<bool()> &stop) const;
    std::vector<FieldNorms> alongScalar(std::size_t t, std::span<const double> at,
                                        std::span<const double> parameters,
                                        const std::function<bool()> &stop) const;

    std::shared_ptr<const FieldSurrogate> m_vector;
    ParameterSpace m_space; ///< without directions in space
    std::vector<std::uint32_t> m_columns;
    std::shared_ptr<const sparse::Backend> m_backend;
    std::shared_ptr<const ScalarSurrogate> m_scalar;
    std::vector<std::vector<double>> m_places; ///< of each direction in space
    std::uint64_t m_entities = 0;
};

} // namespace gridhelm::data
