// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/answers/formula_names.h"

#include "core/support/error.h"
#include "core/support/parse_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

namespace gridhelm::answers {
namespace {

using Variable = FieldExpression::Variable;

constexpr std::string_view axisNames = "xyz";
constexpr int axes = 3;

bool isOfName(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

std::string identifierOf(const std::string &name)
{
    std::string text;
    for (const char c : name)
        text += isOfName(c) ? c : '_';
    if (text.empty() || (text[0] >= '0' && text[0] <= '9'))
        text = "_" + text;
    return text;
}

std::string componentName(int component)
{
    return component < axes ? std::string(1, axisNames[static_cast<std::size_t>(component)])
                            : std::to_string(component);
}

std::string meaningOf(std::span<const NamedField> fields, const Variable &variable)
{
    const auto &field = fields[variable.field];
    return (field.components == 1 ? "the field " : "a component of ") + field.name;
}

Error severalMeanings(std::string_view name, std::string_view meanings)
{
    return Error(
        fmt::format("\"{}\" in a formula stands for {}: rename one of them", name, meanings));
}

/// One formula, whose calls are written out.
class WrittenOut
{
public:
    WrittenOut(std::span<const NamedField> fields, FormulaNames &names)
        : m_fields(fields)
        , m_names(names)
    {
    }

    std::string operator()(std::string_view text)
    {
        std::string result;
        for (std::size_t at = 0; at < text.size();) {
            if (!isOfName(text[at])) {
                result += text[at++];
                continue;
            }
            auto end = at;
            while (end < text.size() && isOfName(text[end]))
                ++end;
            const auto name = text.substr(at, end - at);
            const auto open = text.find_first_not_of(' ', end);
            const auto close = open == std::string_view::npos || text[open] != '('
                                   ? std::string_view::npos
                                   : closing(text, open);
            at = end;
            if (close != std::string_view::npos)
                if (const auto call =
                        expanded(name, trimmed(text.substr(open + 1, close - open - 1)))) {
                    result += "(" + *call + ")";
                    at = close + 1;
                    continue;
                }
            m_names.requireOneMeaning(name);
            result += name;
        }
        return result;
    }

private:
    static std::size_t closing(std::string_view text, std::size_t open)
    {
        int depth = 0;
        for (std::size_t i = open; i < text.size(); ++i) {
            depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
            if (depth == 0)
                return i;
        }
        return std::string_view::npos; // the grammar says it
    }

    /// Nothing for what is no call of ours.
    std::optional<std::string> expanded(std::string_view call, std::string_view of)
    {
        if (call == "mag")
            return magnitude(of);
        if (call == "div")
            return divergence(of);
        for (const std::string_view whole : {"grad", "curl"}) {
            if (call == whole)
                throw Error(fmt::format("{0}() has several components, and a response is of one "
                                        "number: write {0}_x(), or mag({0}())",
                                        whole));
            if (call.size() != whole.size() + 2 || !call.starts_with(whole)
                || call[whole.size()] != '_')
                continue;
            const auto axis = axisNames.find(call.back());
            if (axis == std::string_view::npos)
                continue;
            return whole == "grad" ? slope(of, static_cast<int>(axis))
                                   : curl(of, static_cast<int>(axis));
        }
        return std::nullopt;
    }

    /// Along an axis, of a scalar field or of a component.
    std::string slope(std::string_view of, int axis)
    {
        const auto *variable = m_names.find(of);
        if (!variable)
            throw Error(fmt::format("grad_{}() is of a field with one component, or of one "
                                    "component, as U_x, which \"{}\" is not: name one",
                                    componentName(axis), of));
        return slopeOf({variable->field, variable->component, axis});
    }
    std::string slopeOf(Variable variable) { return m_names.nameOf(variable); }

    /// A field with several components, and how many of them are along axes.
    std::size_t vectorField(std::string_view name, std::string_view call) const
    {
        std::vector<std::size_t> named;
        for (std::size_t f = 0; f < m_fields.size(); ++f) {
            if (m_fields[f].components == 1 || identifierOf(m_fields[f].name) != name)
                continue;
            if (m_fields[f].name == name) { // its own name
                named = {f};
                break;
            }
            named.push_back(f);
        }
        if (named.size() > 1)
            throw severalMeanings(name,
                                  fmt::format("the field {} and the field {}",
                                              m_fields[named[0]].name, m_fields[named[1]].name));
        if (!named.empty() && (call == "mag" || m_fields[named[0]].components <= axes))
            return named[0];
        throw Error(fmt::format("{}() is of a field with {} components, which \"{}\" is not: write "
                                "the name of one{}",
                                call, call == "mag" ? "several" : "two or three", name,
                                call == "mag" ? ", or abs() of a number" : ""));
    }

    std::string divergence(std::string_view of)
    {
        const auto field = vectorField(of, "div");
        std::string sum;
        for (int c = 0; c < m_fields[field].components; ++c)
            sum += (c == 0 ? "" : "+") + slopeOf({field, c, c});
        return sum;
    }

    /// d U_b / d a - d U_a / d b, of the other two axes; a component that is not there is 0.
    std::string curl(std::string_view of, int axis)
    {
        const auto field = vectorField(of, "curl");
        const int a = (axis + 1) % axes, b = (axis + 2) % axes;
        const int components = m_fields[field].components;
        std::string sum = b < components ? slopeOf({field, b, a}) : "0";
        if (a < components)
            sum += "-" + slopeOf({field, a, b});
        return sum;
    }

    std::string magnitude(std::string_view of)
    {
        const auto open = of.find('(');
        if (open == std::string_view::npos || of.back() != ')')
            return m_names.nameOf({vectorField(of, "mag"), -1, -1});
        const auto call = trimmed(of.substr(0, open));
        const auto inner = trimmed(of.substr(open + 1, of.size() - open - 2));
        if (call != "grad" && call != "curl")
            throw Error(
                fmt::format("mag() is of a field with several components, of its curl(), or "
                            "of grad() of one number, which \"{}\" is not",
                            of));
        std::string squares;
        for (int axis = 0; axis < axes; ++axis)
            squares += fmt::format("{}({})^2", axis == 0 ? "" : "+",
                                   call == "grad" ? slope(inner, axis) : curl(inner, axis));
        return "sqrt(" + squares + ")";
    }

    std::span<const NamedField> m_fields;
    FormulaNames &m_names;
};

} // namespace

FormulaNames::FormulaNames(std::span<const NamedField> fields)
{
    struct Called
    {
        std::string name;
        std::vector<Variable> meanings;
    };
    std::vector<Called> all;
    for (std::size_t f = 0; f < fields.size(); ++f) {
        const auto name = identifierOf(fields[f].name);
        for (int c = 0; c < fields[f].components; ++c) {
            const auto called = fields[f].components == 1 ? name : name + "_" + componentName(c);
            const auto known = std::ranges::find(all, called, &Called::name);
            (known == all.end() ? all.emplace_back(Called{called, {}}) : *known)
                .meanings.push_back({f, c, -1});
        }
    }
    for (const auto &called : all) {
        const auto isItsOwn = [&](const Variable &variable) {
            const auto &field = fields[variable.field];
            return field.components == 1 && field.name == called.name;
        };
        const auto own = std::ranges::find_if(called.meanings, isItsOwn);
        if (called.meanings.size() > 1 && own == called.meanings.end()) {
            ambiguous.push_back(
                {called.name, fmt::format("{} and {}", meaningOf(fields, called.meanings[0]),
                                          meaningOf(fields, called.meanings[1]))});
            continue;
        }
        names.push_back(called.name);
        variables.push_back(own == called.meanings.end() ? called.meanings.front() : *own);
    }
}

void FormulaNames::requireOneMeaning(std::string_view name) const
{
    const auto at = std::ranges::find(ambiguous, name, &Ambiguous::name);
    if (at != ambiguous.end())
        throw severalMeanings(name, at->meanings);
}

std::string FormulaNames::nameOf(const FieldExpression::Variable &variable)
{
    const auto known = std::ranges::find(variables, variable);
    if (known != variables.end())
        return names[static_cast<std::size_t>(known - variables.begin())];
    variables.push_back(variable);
    return names.emplace_back(fmt::format("_made_of_fields_{}", names.size()));
}

const FieldExpression::Variable *FormulaNames::find(std::string_view name) const
{
    requireOneMeaning(name);
    const auto at = std::ranges::find(names, name);
    return at == names.end() ? nullptr : &variables[static_cast<std::size_t>(at - names.begin())];
}

std::string writtenOut(std::string_view text, std::span<const NamedField> fields,
                       FormulaNames &names)
{
    return WrittenOut(fields, names)(text);
}

} // namespace gridhelm::answers
