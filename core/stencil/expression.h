// SPDX-License-Identifier: GPL-3.0-or-later
//
// Formulas of a stencil file, as trees: read by a grammar of our own, evaluated here, and written
// again from the tree where code is generated. Their text goes nowhere.
//
//   sum     = product { ("+" | "-") product }
//   product = factor { ("*" | "/") factor }
//   factor  = "-" factor | power                  so that -x^2 is -(x^2)
//   power   = atom [ "^" factor ]                 so that 2^3^2 is 2^9, and 2^-1 is a half
//   atom    = number | name | function "(" sum { "," sum } ")" | "(" sum ")"
#pragma once

#include "core/support/error.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gridhelm::stencil {

enum class Operation {
    number,
    variable,
    negate,
    add,
    subtract,
    multiply,
    divide,
    power,
    absolute,
    squareRoot,
    exponential,
    logarithm,
    sine,
    cosine,
    tangent,
    hyperbolicTangent,
    smaller,
    larger,
};

/// How many operands it has: 0, 1 or 2.
int operandsOf(Operation operation);

/// A value; equal ones have the same tree.
class Expression
{
public:
    struct Node
    {
        Operation operation = Operation::number;
        double number = 0;        ///< of a number
        std::size_t variable = 0; ///< of a variable: which one of the grammar's
        std::size_t left = 0;     ///< the only operand, or the first one: an earlier node
        std::size_t right = 0;

        bool operator==(const Node &) const = default;
    };

    explicit Expression(double number = 0);
    /// Operands stand before what uses them; the last node is the whole.
    explicit Expression(std::vector<Node> nodes);

    const std::vector<Node> &nodes() const { return m_nodes; }
    /// Whether it is one number. What has no variable becomes one when it is read.
    bool isNumber() const
    {
        return m_nodes.size() == 1 && m_nodes[0].operation == Operation::number;
    }
    double number() const { return m_nodes.back().number; } ///< if it is one

    /// In the arithmetic of T, operation by operation, as generated code does it.
    template <typename T>
    T evaluate(std::span<const T> variables) const;

    bool operator==(const Expression &) const = default;

private:
    std::vector<Node> m_nodes;
};

/// What a text may say.
struct Grammar
{
    std::vector<std::string> variables;
    bool hasFunctions = true; ///< and powers; weights, which are computed for each value, have none
};

/// A mistake in a formula: what() is a sentence about it, without its place.
class ExpressionError : public Error
{
public:
    ExpressionError(const std::string &sentence, std::size_t column)
        : Error(sentence)
        , m_column(column)
    {
    }

    std::size_t column() const { return m_column; } ///< in the text, in bytes, from 0

private:
    std::size_t m_column;
};

inline constexpr std::size_t longestExpression = 2000; ///< bytes
inline constexpr int deepestExpression = 40;           ///< of parentheses, functions, signs, powers

/// Throws ExpressionError.
Expression parseExpression(std::string_view text, const Grammar &grammar);

/// "abs, sqrt, ...": all that a formula may call, for sentences.
std::string functionNames();

template <typename T>
T Expression::evaluate(std::span<const T> variables) const
{
    std::vector<T> values;
    values.reserve(m_nodes.size());
    for (const auto &node : m_nodes) {
        const auto a = [&] { return values[node.left]; };
        const auto b = [&] { return values[node.right]; };
        switch (node.operation) {
        case Operation::number:
            values.push_back(static_cast<T>(node.number));
            break;
        case Operation::variable:
            values.push_back(variables[node.variable]);
            break;
        case Operation::negate:
            values.push_back(-a());
            break;
        case Operation::add:
            values.push_back(a() + b());
            break;
        case Operation::subtract:
            values.push_back(a() - b());
            break;
        case Operation::multiply:
            values.push_back(a() * b());
            break;
        case Operation::divide:
            values.push_back(a() / b());
            break;
        case Operation::power:
            values.push_back(std::pow(a(), b()));
            break;
        case Operation::absolute:
            values.push_back(std::abs(a()));
            break;
        case Operation::squareRoot:
            values.push_back(std::sqrt(a()));
            break;
        case Operation::exponential:
            values.push_back(std::exp(a()));
            break;
        case Operation::logarithm:
            values.push_back(std::log(a()));
            break;
        case Operation::sine:
            values.push_back(std::sin(a()));
            break;
        case Operation::cosine:
            values.push_back(std::cos(a()));
            break;
        case Operation::tangent:
            values.push_back(std::tan(a()));
            break;
        case Operation::hyperbolicTangent:
            values.push_back(std::tanh(a()));
            break;
        case Operation::smaller:
            values.push_back(std::min(a(), b()));
            break;
        case Operation::larger:
            values.push_back(std::max(a(), b()));
            break;
        }
    }
    return values.back();
}

} // namespace gridhelm::stencil
