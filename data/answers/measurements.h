// SPDX-License-Identifier: GPL-3.0-or-later
//
// What was measured, from a CSV: which number of a study it is compared with, and at which known
// parameters.
#pragma once

#include "data/study/response_definition.h"
#include "data/study/study.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gridhelm::data {

struct Measurement
{
    ResponseDefinition response; ///< of the study, or made of a place and a quantity
    /// Of each parameter its value, where that was known.
    std::vector<std::optional<double>> known;
    double value = 0;
    double deviation = 0; ///< above 0
    std::size_t line = 0; ///< of the file, from 1
};

/// A table (TextTable; "-" reads stdin). The columns, in any order: `value`; `sd`; and
/// either `response` (a name of one of the study's) or `quantity` (a field, or a formula) with x,
/// y, z; a column with the name of a parameter (the time, say) has its known values, or blanks;
/// `unit` is compared with the field's or response's. Throws gridhelm::Error naming the line for
/// all else, parameters out of their ranges among it, and a deviation that is not above 0.
std::vector<Measurement> readMeasurements(const std::string &path, const Study &study);

/// The same of a text that was typed; `name` is what sentences call it.
std::vector<Measurement> parseMeasurements(std::string_view text, const std::string &name,
                                           const Study &study);

} // namespace gridhelm::data
