// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/answers/field_expression.h"
#include "data/study/study_types.h"

#include <vector>

namespace gridhelm::data {

/// What formulas know of fields.
inline std::vector<answers::NamedField> namedFields(const std::vector<Field> &fields)
{
    std::vector<answers::NamedField> named;
    for (const auto &field : fields)
        named.push_back({field.name, field.components});
    return named;
}

} // namespace gridhelm::data
