// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stencil/weights_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace gridhelm::stencil {
namespace {

/// How tightly an operation binds; 4: what needs no parentheses.
int bindingOf(Operation operation)
{
    switch (operation) {
    case Operation::add:
    case Operation::subtract:
        return 1;
    case Operation::multiply:
    case Operation::divide:
        return 2;
    case Operation::negate:
        return 3;
    default:
        return 4;
    }
}

std::string_view signOf(Operation operation)
{
    switch (operation) {
    case Operation::add:
        return " + ";
    case Operation::subtract:
        return " - ";
    case Operation::multiply:
        return "*";
    default:
        return "/";
    }
}

/// Of a weight, which has no functions.
std::string formulaText(const Expression &formula)
{
    std::vector<std::pair<std::string, int>> texts; // and how tightly each one binds
    const auto inside = [&](std::size_t node, int atLeast) {
        const auto &[text, binding] = texts[node];
        return binding >= atLeast ? text : "(" + text + ")";
    };
    for (const auto &node : formula.nodes()) {
        const int binding = bindingOf(node.operation);
        if (node.operation == Operation::number)
            texts.emplace_back(fmt::format("{:.6g}", node.number), node.number < 0 ? 3 : 4);
        else if (node.operation == Operation::variable)
            texts.emplace_back(fmt::format("c{}", node.variable + 1), 4);
        else if (node.operation == Operation::negate)
            texts.emplace_back("-" + inside(node.left, 4), binding);
        else
            texts.emplace_back(fmt::format("{}{}{}", inside(node.left, binding),
                                           signOf(node.operation), inside(node.right, binding + 1)),
                               binding);
    }
    return texts.back().first;
}

/// What stands in the table, and the formulas that it names.
class Weights
{
public:
    explicit Weights(const Stencil &stencil)
    {
        for (const auto &neighbour : stencil.neighbours)
            m_texts[neighbour.at] = textOf(neighbour.weight);
        for (const auto &[at, text] : m_texts)
            m_width = std::max(m_width, text.size() + 2);
    }

    std::string table(int z, int radius) const
    {
        std::string table = std::string(6, ' ');
        for (int x = -radius; x <= radius; ++x)
            table += fmt::format("{:>{}}", x == 0 ? "x" : fmt::format("{:+}", x), m_width);
        for (int y = radius; y >= -radius; --y) {
            table += fmt::format("\n{:>6}", y == 0 ? "y" : fmt::format("{:+}", y));
            for (int x = -radius; x <= radius; ++x) {
                const auto found = m_texts.find({x, y, z});
                table +=
                    fmt::format("{:>{}}", found == m_texts.end() ? "." : found->second, m_width);
            }
        }
        return table + "\n";
    }
    bool hasLayer(int z) const
    {
        return std::ranges::any_of(m_texts, [z](const auto &each) { return each.first[2] == z; });
    }
    std::string formulas() const
    {
        std::string lines;
        for (std::size_t i = 0; i < m_formulas.size(); ++i)
            lines += fmt::format("w{} = {}\n", i + 1, formulaText(m_formulas[i]));
        return lines;
    }

private:
    std::string textOf(const Expression &weight)
    {
        if (weight.isNumber())
            return fmt::format("{:.4g}", weight.number());
        auto found = std::ranges::find(m_formulas, weight);
        if (found == m_formulas.end())
            found = m_formulas.insert(m_formulas.end(), weight);
        return fmt::format("w{}", found - m_formulas.begin() + 1);
    }

    std::map<std::array<int, 3>, std::string> m_texts;
    std::vector<Expression> m_formulas;
    std::size_t m_width = 4;
};

} // namespace

std::string weightsText(const Stencil &stencil)
{
    const Weights weights(stencil);
    const int radius = radiusOf(stencil);
    if (stencil.dimension == 2)
        return weights.table(0, radius) + weights.formulas();
    std::string text;
    for (int z = -radius; z <= radius; ++z) {
        if (weights.hasLayer(z))
            text += fmt::format("z{}\n", z == 0 ? "" : fmt::format(" {:+}", z))
                    + weights.table(z, radius);
    }
    return text + weights.formulas();
}

} // namespace gridhelm::stencil
