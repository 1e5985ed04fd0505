// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stencil/generate/code_text.h"

#include <fmt/format.h>

#include <vector>

namespace gridhelm::stencil {
namespace {

std::string_view functionName(Operation operation)
{
    switch (operation) {
    case Operation::power:
        return "std::pow";
    case Operation::absolute:
        return "std::abs";
    case Operation::squareRoot:
        return "std::sqrt";
    case Operation::exponential:
        return "std::exp";
    case Operation::logarithm:
        return "std::log";
    case Operation::sine:
        return "std::sin";
    case Operation::cosine:
        return "std::cos";
    case Operation::tangent:
        return "std::tan";
    case Operation::hyperbolicTangent:
        return "std::tanh";
    case Operation::smaller:
        return "std::min";
    case Operation::larger:
        return "std::max";
    default:
        return {};
    }
}

std::string_view symbolOf(Operation operation)
{
    switch (operation) {
    case Operation::add:
        return "+";
    case Operation::subtract:
        return "-";
    case Operation::multiply:
        return "*";
    default:
        return "/";
    }
}

} // namespace

std::string_view typeName(solvers::Precision precision)
{
    return precision == solvers::Precision::float32 ? "float" : "double";
}

std::string numberText(double value, solvers::Precision precision)
{
    const bool isFloat = precision == solvers::Precision::float32;
    auto text = isFloat ? fmt::format("{}", static_cast<float>(value)) : fmt::format("{}", value);
    if (text.find_first_of(".e") == std::string::npos)
        text += ".0";
    return isFloat ? text + "f" : text;
}

ComputedText computedText(const Expression &expression, std::span<const std::string> variables,
                          solvers::Precision precision, const std::string &prefix,
                          const std::string &indent)
{
    std::string statements;
    std::vector<std::string> names;
    for (const auto &node : expression.nodes()) {
        if (node.operation == Operation::number) {
            names.push_back(numberText(node.number, precision));
            continue;
        }
        if (node.operation == Operation::variable) {
            names.push_back(variables[node.variable]);
            continue;
        }
        const auto &left = names[node.left];
        std::string value;
        const auto function = functionName(node.operation);
        if (node.operation == Operation::negate)
            value = left.front() == '-' ? fmt::format("-({})", left) : "-" + left;
        else if (!function.empty() && operandsOf(node.operation) == 1)
            value = fmt::format("{}({})", function, left);
        else if (!function.empty())
            value = fmt::format("{}({}, {})", function, left, names[node.right]);
        else
            value = fmt::format("{} {} {}", left, symbolOf(node.operation), names[node.right]);
        names.push_back(fmt::format("{}{}", prefix, names.size()));
        statements +=
            fmt::format("{}const {} {} = {};\n", indent, typeName(precision), names.back(), value);
    }
    return {statements, names.back()};
}

std::string filled(std::string_view text,
                   std::initializer_list<std::pair<std::string_view, std::string>> values)
{
    std::string result(text);
    for (const auto &[name, value] : values) {
        const auto mark = fmt::format("@{}@", name);
        for (auto at = result.find(mark); at != std::string::npos;
             at = result.find(mark, at + value.size())) {
            const bool beginsLine = at == 0 || result[at - 1] == '\n';
            const auto end = at + mark.size();
            const bool isLine = beginsLine && end < result.size() && result[end] == '\n';
            result.replace(at, mark.size() + (isLine ? 1 : 0), value);
        }
    }
    return result;
}

} // namespace gridhelm::stencil
