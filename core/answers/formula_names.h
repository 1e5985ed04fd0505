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

/// Names that the grammar of stencil::parseExpression() knows, and what each stands for: a field
/// with one component whose own name it is, or else the only one that is called so in formulas.
struct FormulaNames
{
    std::vector<std::string> names;
    std::vector<FieldExpression::Variable> variables;

    /// Of several scalar fields or components, which a formula cannot name therefore.
    struct Ambiguous
    {
        std::string name;
        std::string meanings; ///< "the field p [Pa] and the field p (Pa)"
    };
    std::vector<Ambiguous> ambiguous;

    /// Of scalar fields and of components.
    explicit FormulaNames(std::span<const NamedField> fields);
    /// The name of a variable, which is added if it is new.
    std::string nameOf(const FieldExpression::Variable &variable);
    /// Throws gridhelm::Error, with what to do, for an ambiguous one.
    void requireOneMeaning(std::string_view name) const;
    /// The scalar field or component of that name; null: there is none. Throws as above.
    const FieldExpression::Variable *find(std::string_view name) const;
};

/// The same formula, in which mag(), grad_x(), div() and curl_x() are written out by names, which
/// are added where they are new. Throws gridhelm::Error for such a call of what has none, and for
/// names that stand for several fields.
std::string writtenOut(std::string_view text, std::span<const NamedField> fields,
                       FormulaNames &names);

} // namespace gridhelm::answers
