// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/stencil/expression.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gridhelm::answers {

/// A field as formulas name it.
struct NamedField
{
    std::string name;
    int components = 1;
};

/// A formula of fields at one place: "p + 0.5 * mag(U)^2", "U_x". Fields with one component go by
/// their name, components of others by NAME_x, NAME_y, NAME_z (from the fourth on NAME_3 ...),
/// their magnitude is mag(NAME); what is no letter or digit in a name is '_'. A name that is a
/// field's own means that field, whatever else is called so; another one that would stand for two
/// is refused. Of a field with one component, or a component, grad_x(), grad_y() and grad_z() are
/// its slopes along the axes, mag(grad()) the steepest one; of a field with two or three components
/// there are div(), curl_x(), curl_y(), curl_z() and mag(curl()). Functions are those of
/// core/stencil/expression.h: bounded, without loops or assignments, so that formulas of somebody
/// else's study do no harm.
class FieldExpression
{
public:
    /// One component of one field.
    struct Variable
    {
        std::size_t field = 0;
        int component = 0; ///< -1: the magnitude
        int axis = -1;     ///< 0 to 2: the slope along that axis; -1: the value

        bool operator==(const Variable &) const = default;
    };

    /// Throws gridhelm::Error, with what may stand there.
    FieldExpression(std::string_view text, std::span<const NamedField> fields);

    /// Those that the formula names, in the order of evaluate()'s values.
    const std::vector<Variable> &variables() const { return m_variables; }
    /// Of the fields, those that the formula names, ascending.
    std::vector<std::size_t> fields() const;
    double evaluate(std::span<const double> values) const;

    /// constant + sum of factors times variables, if it is that, and no variable a magnitude.
    struct Affine
    {
        double constant = 0;
        std::vector<double> factors; ///< one for each of variables()
    };
    std::optional<Affine> affine() const;

private:
    stencil::Expression m_expression;
    std::vector<Variable> m_variables;
};

} // namespace gridhelm::answers
