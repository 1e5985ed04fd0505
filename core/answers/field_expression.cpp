// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/answers/field_expression.h"

#include "core/answers/formula_names.h"
#include "core/support/error.h"

#include <fmt/format.h>

#include <algorithm>

namespace gridhelm::answers {

FieldExpression::FieldExpression(std::string_view text, std::span<const NamedField> fields)
{
    if (text.size() > stencil::longestExpression)
        throw Error(fmt::format("the formula of a response has {} characters (at most {}): make it "
                                "shorter",
                                text.size(), stencil::longestExpression));
    FormulaNames all(fields);
    try {
        const auto formula = writtenOut(text, fields, all);
        m_expression = stencil::parseExpression(formula, {all.names, true});
    } catch (const stencil::ExpressionError &error) {
        throw Error(fmt::format("the formula \"{}\" {} (at character {})", text, error.what(),
                                error.column() + 1));
    }
    if (m_expression.isNumber())
        throw Error(fmt::format("the formula \"{}\" names no field: name one of those that there "
                                "are",
                                text));
    // Only those that are named, numbered anew.
    auto nodes = m_expression.nodes();
    std::vector<std::size_t> named;
    for (auto &node : nodes) {
        if (node.operation != stencil::Operation::variable)
            continue;
        auto place = std::ranges::find(named, node.variable);
        if (place == named.end()) {
            named.push_back(node.variable);
            place = named.end() - 1;
        }
        node.variable = static_cast<std::size_t>(place - named.begin());
    }
    for (const auto which : named)
        m_variables.push_back(all.variables[which]);
    m_expression = stencil::Expression(nodes);
}

std::vector<std::size_t> FieldExpression::fields() const
{
    std::vector<std::size_t> all;
    for (const auto &variable : m_variables)
        all.push_back(variable.field);
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

double FieldExpression::evaluate(std::span<const double> values) const
{
    const auto &nodes = m_expression.nodes();
    if (nodes.size() == 1 && nodes[0].operation == stencil::Operation::variable)
        return values[nodes[0].variable]; // at so many places that a tree's values count
    return m_expression.evaluate(values);
}

std::optional<FieldExpression::Affine> FieldExpression::affine() const
{
    using stencil::Operation;
    const auto isMagnitude = [](const Variable &variable) { return variable.component < 0; };
    if (std::ranges::any_of(m_variables, isMagnitude))
        return std::nullopt;
    struct Term : Affine
    {
        bool isConstant() const
        {
            return std::ranges::all_of(factors, [](double factor) { return factor == 0; });
        }
    };
    std::vector<Term> terms;
    const auto count = m_variables.size();
    const auto combined = [&](const Term &a, double ofA, const Term &b, double ofB) {
        Term sum{{ofA * a.constant + ofB * b.constant, std::vector<double>(count)}};
        for (std::size_t k = 0; k < count; ++k)
            sum.factors[k] = ofA * a.factors[k] + ofB * b.factors[k];
        return sum;
    };
    for (const auto &node : m_expression.nodes()) {
        Term term{{0, std::vector<double>(count, 0.0)}};
        const auto a = [&]() -> const Term & { return terms[node.left]; };
        const auto b = [&]() -> const Term & { return terms[node.right]; };
        const bool hasOperands = stencil::operandsOf(node.operation) > 0;
        const bool areConstant = hasOperands && a().isConstant()
                                 && (stencil::operandsOf(node.operation) == 1 || b().isConstant());
        if (node.operation == Operation::number) {
            term.constant = node.number;
        } else if (node.operation == Operation::variable) {
            term.factors[node.variable] = 1;
        } else if (areConstant) {
            stencil::Expression::Node one = node, left, right;
            left.number = a().constant;
            right.number = stencil::operandsOf(node.operation) == 2 ? b().constant : 0;
            one.left = 0;
            one.right = 1;
            term.constant = stencil::Expression({left, right, one}).evaluate<double>({});
        } else if (node.operation == Operation::negate) {
            term = combined(a(), -1, a(), 0);
        } else if (node.operation == Operation::add) {
            term = combined(a(), 1, b(), 1);
        } else if (node.operation == Operation::subtract) {
            term = combined(a(), 1, b(), -1);
        } else if (node.operation == Operation::multiply && a().isConstant()) {
            term = combined(b(), a().constant, b(), 0);
        } else if (node.operation == Operation::multiply && b().isConstant()) {
            term = combined(a(), b().constant, a(), 0);
        } else if (node.operation == Operation::divide && b().isConstant()) {
            term = combined(a(), 1 / b().constant, a(), 0);
        } else {
            return std::nullopt;
        }
        terms.push_back(std::move(term));
    }
    return Affine(terms.back());
}

} // namespace gridhelm::answers
