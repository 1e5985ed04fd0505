// SPDX-License-Identifier: GPL-3.0-or-later
//
// What formulas may call fields, their components, and what is made of these: magnitudes,
// gradients, divergences, curls.
#pragma once

#include "core/answers/field_expression.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gridhelm::answers {

/// Names that the grammar of stencil::parseExpression() knows, and what each stands for.
struct FormulaNames
{
    std::vector<std::string> names;
    std::vector<FieldExpression::Variable> variables;

    /// Of scalar fields and of components.
    explicit FormulaNames(std::span<const NamedField> fields);
    /// The name of a variable, which is added if it is new.
    std::string nameOf(const FieldExpression::Variable &variable);
    /// The scalar field or component of that name; null: there is none.
    const FieldExpression::Variable *find(std::string_view name) const;
};

/// The same formula, in which mag(), grad_x(), div() and curl_x() are written out by names, which
/// are added where they are new. Throws gridhelm::Error for such a call of what has none.
std::string writtenOut(std::string_view text, std::span<const NamedField> fields,
                       FormulaNames &names);

} // namespace gridhelm::answers
