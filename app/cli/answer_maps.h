// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/execution_context.h"
#include "data/answers/field_rows.h"
#include "data/study/study.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace gridhelm::cli {

/// A map that belongs to each value of a field, under a name of its own.
struct NamedMap
{
    enum class Of : std::uint8_t { shares, values, differences };

    std::string name;
    std::vector<float> values; ///< of the last two kinds as the study stores them (data::Field)
    Of of = Of::shares;
};
/// Adds data::errorMapOf() that field to maps of it, and what is said of it; without one, what to
/// do to have one.
std::string addErrorMap(const data::Study &study, const data::FieldRows &rows,
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
