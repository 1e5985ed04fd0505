// SPDX-License-Identifier: GPL-3.0-or-later
//
// Pieces of generated code. Everything in them is made of numbers and of names of our own: no text
// of a stencil file gets into code.
#pragma once

#include "core/solvers/precision.h"
#include "core/stencil/expression.h"

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace gridhelm::stencil {

/// "float" or "double".
std::string_view typeName(solvers::Precision precision);

/// A literal of the type, with just the digits that give the same value again: "0.25f".
std::string numberText(double value, solvers::Precision precision);

/// Statements that compute an expression operation by operation, one short line each, and the name
/// or number of what comes out.
struct ComputedText
{
    std::string statements;
    std::string result;
};

/// `variables` are what is written for the grammar's; `prefix` begins the names of intermediate
/// values, `indent` each line.
ComputedText computedText(const Expression &expression, std::span<const std::string> variables,
                          solvers::Precision precision, const std::string &prefix,
                          const std::string &indent);

/// A template with names between at signs for texts. A line that has nothing but a name is replaced
/// by lines (which end with a new line each), or goes away. Names that are not in the list stay.
std::string filled(std::string_view text,
                   std::initializer_list<std::pair<std::string_view, std::string>> values);

} // namespace gridhelm::stencil
