// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/options/option.h"

#include "core/support/enumeration.h"
#include "core/support/error.h"
#include "core/support/extents_text.h"
#include "core/support/parse_numbers.h"

#include <fmt/format.h>

#include <algorithm>

namespace gridhelm {
namespace {

bool hasTypeOf(const Option &option, const OptionValue &value)
{
    return value.index() == static_cast<std::size_t>(option.type); // in the same order
}

std::string parsedChoice(const Option &option, const std::string &text, const std::string &what)
{
    if (std::ranges::find(option.choices, text) == option.choices.end())
        throw Error(fmt::format("{}: there is no \"{}\": choose {}", what, text,
                                enumeration(option.choices, "or")));
    return text;
}

} // namespace

const OptionValue *OptionValues::find(const Option &option) const
{
    const auto found = m_values.find(option.key);
    return found == m_values.end() ? nullptr : &found->second;
}

std::int64_t wholeOf(const Option &option, const OptionValues &values)
{
    const auto *given = values.find(option);
    return given == nullptr ? option.standard : std::get<std::int64_t>(*given);
}

std::string_view choiceOf(const Option &option, const OptionValues &values)
{
    const auto *given = values.find(option);
    return given == nullptr ? option.standardText : std::string_view(std::get<std::string>(*given));
}

std::vector<std::size_t> extentsOf(const Option &option, const OptionValues &values)
{
    if (const auto *given = values.find(option))
        return std::get<std::vector<std::size_t>>(*given);
    if (option.standardText.empty())
        return {};
    return std::get<std::vector<std::size_t>>(
        parseOption(option, std::string(option.standardText), std::string(option.key)));
}

OptionValue parseOption(const Option &option, const std::string &text, const std::string &what)
{
    if (option.parse != nullptr)
        return option.parse(text, what);
    switch (option.type) {
    case Option::Type::whole:
        return std::int64_t{parseInteger(text, what)};
    case Option::Type::real:
        return parseReal(text, what);
    case Option::Type::choice:
        return parsedChoice(option, text, what);
    case Option::Type::extents:
        break;
    }
    return parseExtents(text, what);
}

void requirePossible(const Option &option, const OptionValue &value, const std::string &what)
{
    if (!hasTypeOf(option, value))
        throw Error(fmt::format("{}: {} is not a value of this kind; write e.g. {}", what,
                                textOf(value), option.form));
    const auto requireRange = [&](bool isPossible, auto number) {
        if (!isPossible)
            throw Error(fmt::format(fmt::runtime(option.refusal), fmt::arg("value", number),
                                    fmt::arg("low", option.low), fmt::arg("high", option.high),
                                    fmt::arg("what", what)));
    };
    if (const auto *whole = std::get_if<std::int64_t>(&value)) {
        const auto number = static_cast<double>(*whole);
        requireRange(number >= option.low && number <= option.high, *whole);
    } else if (const auto *real = std::get_if<double>(&value)) {
        requireRange(*real > option.low && *real < option.high, *real);
    } else if (const auto *name = std::get_if<std::string>(&value)) {
        parsedChoice(option, *name, what);
    }
}

std::string textOf(const OptionValue &value)
{
    struct Text
    {
        std::string operator()(std::int64_t number) const { return std::to_string(number); }
        std::string operator()(double number) const { return fmt::format("{:.6g}", number); }
        std::string operator()(const std::string &name) const { return name; }
        std::string operator()(const std::vector<std::size_t> &extents) const
        {
            return fmt::format("{}", fmt::join(extents, "x"));
        }
    };
    return std::visit(Text{}, value);
}

std::string standardTextOf(const Option &option)
{
    if (!option.standardName.empty())
        return std::string(option.standardName);
    return option.type == Option::Type::whole ? std::to_string(option.standard)
                                              : std::string(option.standardText);
}

} // namespace gridhelm
