// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/answers/default_responses.h"

#include "core/answers/formula_names.h"
#include "data/answers/named_fields.h"
#include "data/study/geometry_fields.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace gridhelm::data {

namespace {

/// Empty if formulas cannot name it.
std::string expressionOf(const std::vector<answers::NamedField> &named,
                         const answers::FormulaNames &formulas, FieldIndex field)
{
    if (named[field].components > 1) {
        const bool isOne =
            std::ranges::count(named, named[field].name, &answers::NamedField::name) == 1;
        return isOne ? "mag(" + named[field].name + ")" : std::string();
    }
    for (std::size_t i = 0; i < formulas.names.size(); ++i)
        if (formulas.variables[i].field == field)
            return formulas.names[i];
    return {};
}

std::vector<ResponseDefinition> defaultResponses(const Study &study)
{
    constexpr std::size_t mostFields = 3;
    constexpr std::array<std::string_view, 3> reductions{"mean", "minimum", "maximum"};
    const auto named = namedFields(study.fields());
    const answers::FormulaNames formulas(named);
    const auto geometry = geometryFieldsOf(study.fields()).all();
    const std::size_t kinds = study.description().kind == StudyKind::scalar ? 1 : reductions.size();
    std::vector<ResponseDefinition> responses;
    for (FieldIndex f = 0; f < named.size() && responses.size() < kinds * mostFields; ++f) {
        const auto expression = expressionOf(named, formulas, f);
        const auto &field = study.fields()[f];
        if (expression.empty() || std::ranges::find(geometry, f) != geometry.end()
            || !isName(field.name + "_minimum"))
            continue;
        for (std::size_t k = 0; k < kinds; ++k)
            responses.push_back({field.name + "_" + std::string(reductions[k]), field.unit,
                                 expression, std::string(reductions[k]), ""});
    }
    return responses;
}

} // namespace

std::vector<ResponseDefinition> responsesOf(const Study &study)
{
    auto own = study.responses();
    return own.empty() ? defaultResponses(study) : own;
}

} // namespace gridhelm::data
