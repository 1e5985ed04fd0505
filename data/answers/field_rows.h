// SPDX-License-Identifier: GPL-3.0-or-later
//
// What maps of a field (of influence, of uncertainty, of error) are made from.
#pragma once

#include "core/execution/device.h"
#include "core/execution/execution_context.h"
#include "core/linalg/combination.h"
#include "core/surrogate/surrogate.h"
#include "data/evaluate/error_map.h"
#include "data/evaluate/field_surrogate.h"
#include "data/study/study.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gridhelm::data {

class ReadTransaction;

/// All rows of a field in memory, as float32 also where the study has modes in few bits: maps take
/// them value by value. Not changed once it is made; thread-safe.
class FieldRows
{
public:
    /// Throws gridhelm::Error for a scalar study, and what does not fit.
    FieldRows(const Study &study, const std::string &field);

    const Surrogate &surrogate() const { return m_loaded.surrogate(); }
    const Field &field() const { return m_loaded.field(); }
    linalg::MatrixView<const float> matrix() const;
    /// The field at x in the unit cube.
    void evaluate(std::span<const double> x, std::span<float> values, const CpuDevice &cpu) const;

private:
    FieldRows(const Study &study, const std::string &field, const ReadTransaction *together);

    FieldSurrogate m_loaded;      ///< of modes in few bits without its rows
    std::vector<float> m_decoded; ///< of these
};

/// errorMapOf() that field. `study`: the one whose rows these are.
std::optional<ErrorMap> errorMapOf(const Study &study, const FieldRows &rows,
                                   const ExecutionContext &context);

/// Cases that shares of a body are counted in where nobody has said how many.
inline constexpr std::size_t usualBodySamples = 1024;

/// At each value of a field, in what share of these places (n x d, in the unit cube) the body is:
/// values of maps are over all cases, continued beyond its surface in the others. Nothing where the
/// body is everywhere (GeometryFields::leaveOutside()).
std::optional<std::vector<float>> bodySharesOf(const Study &study, const Field &field,
                                               std::span<const double> places,
                                               const CpuDevice &cpu);

/// NaN where the body never is. `map` has as many values as `shares`, or none.
void leaveOutWithoutBody(std::span<const float> shares, std::span<float> map);

} // namespace gridhelm::data
