// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/execution_context.h"
#include "core/sparse/vector_grid.h"
#include "core/surrogate/surrogate.h"
#include "data/evaluate/field_surrogate.h"
#include "data/study/study.h"

#include <nlohmann/json.hpp>

#include <span>
#include <string>
#include <vector>

namespace gridhelm::cli {

/// All rows of a field in memory, as float32 also where the study has modes in few bits: maps take
/// them value by value.
class FieldRows
{
public:
    /// Throws Error for a scalar study, and what does not fit.
    FieldRows(const data::Study &study, const std::string &field);

    const Surrogate &surrogate() const { return m_loaded.surrogate(); }
    const data::Field &field() const { return m_loaded.field(); }
    sparse::MatrixView<const float> matrix() const;
    /// The field at x in the unit cube.
    void evaluate(std::span<const double> x, std::span<float> values, const CpuDevice &cpu) const;

private:
    data::FieldSurrogate m_loaded; ///< of modes in few bits without its rows
    std::vector<float> m_decoded;  ///< of these
};

/// A map that belongs to each value of a field, under a name of its own.
struct NamedMap
{
    std::string name;
    std::vector<float> values;
};
/// Adds data::errorMapOf() that field to maps of it, and what is said of it; without one, what to
/// do to have one.
std::string addErrorMap(const data::Study &study, const FieldRows &rows,
                        const ExecutionContext &context, std::vector<NamedMap> &maps,
                        nlohmann::json &document);

/// On a background grid: in what share of these places (n x d, in the unit cube) the body is at
/// each value of the field, as one more map; where it never is, the values of all others become
/// NaN. Returns what is to be said of it; nothing and "" for other studies.
std::string addPresence(const data::Study &study, const data::Field &field,
                        std::span<const double> places, const CpuDevice &cpu,
                        std::vector<NamedMap> &maps);

/// On the study's mesh, as a file of VTK's (whole, or not at all).
void writeMaps(const data::Study &study, const data::Field &field,
               const std::vector<NamedMap> &maps, const std::string &path);

} // namespace gridhelm::cli
