// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/stencil/stencil_table.h"

#include "core/support/nearest_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace gridhelm::data {

std::string anyOf(const std::vector<std::string> &names)
{
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i)
        text += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + names[i];
    return text;
}

StencilTable::StencilTable(const toml::table &table, std::string name, std::string_view source,
                           std::vector<std::string> keys)
    : m_table(table)
    , m_name(std::move(name))
    , m_source(source)
    , m_keys(std::move(keys))
{
}

std::string StencilTable::title(const std::string &key) const
{
    return m_name.empty() ? key : m_name + " " + key;
}

void StencilTable::requireKnown() const
{
    for (const auto &[key, node] : m_table) {
        const std::string name(key.str());
        if (std::ranges::find(m_keys, name) != m_keys.end())
            continue;
        const auto nearest = nearestName(name, m_keys);
        const auto &begin = key.source().begin;
        throw StencilFileError(fmt::format("{}, line {}, column {}: {} is unknown{}; there are {}",
                                           m_source, begin.line, begin.column, title(name),
                                           nearest.empty() ? "" : " (" + nearest + "?)",
                                           anyOf(m_keys)),
                               static_cast<int>(begin.line), static_cast<int>(begin.column));
    }
}

void StencilTable::fail(const toml::node &node, const std::string &what,
                        const std::string &sentence, std::size_t columnsOn) const
{
    const auto &place = node.source();
    const auto line = static_cast<int>(place.begin.line);
    // What is within a text of several lines is not where it seems to be.
    const bool isOneLine = place.begin.line == place.end.line;
    const auto column = static_cast<int>(place.begin.column + (isOneLine ? columnsOn : 0));
    if (line == 0)
        throw StencilFileError(fmt::format("{}: {} {}", m_source, what, sentence), 0, 0);
    throw StencilFileError(
        fmt::format("{}, line {}, column {}: {} {}", m_source, line, column, what, sentence), line,
        column);
}

void StencilTable::fail(const std::string &key, const std::string &sentence) const
{
    const auto *node = m_table.get(key);
    if (node != nullptr)
        fail(*node, title(key), sentence);
    if (!m_name.empty())
        fail(m_table, m_name, sentence);
    throw StencilFileError(fmt::format("{} {}", m_source, sentence), 0, 0);
}

std::optional<double> StencilTable::number(const std::string &key) const
{
    const auto *node = find(key);
    if (node == nullptr)
        return std::nullopt;
    const auto value = node->value<double>();
    if (!node->is_number() || !value || !std::isfinite(*value))
        fail(key, "is not a finite number; write one without quotes, like 2.5");
    return value;
}

std::optional<int> StencilTable::integer(const std::string &key, int low, int high) const
{
    const auto *node = find(key);
    if (node == nullptr)
        return std::nullopt;
    const auto value = node->value_exact<std::int64_t>();
    if (!value || *value < low || *value > high)
        fail(key, fmt::format("is not a whole number from {} to {}; choose one", low, high));
    return static_cast<int>(*value);
}

std::optional<std::string> StencilTable::text(const std::string &key) const
{
    const auto *node = find(key);
    if (node == nullptr)
        return std::nullopt;
    const auto value = node->value_exact<std::string>();
    if (!value)
        fail(key, "is not text; write it in quotes");
    return value;
}

std::optional<std::string> StencilTable::choice(const std::string &key,
                                                const std::vector<std::string> &choices) const
{
    const auto value = text(key);
    if (value && std::ranges::find(choices, *value) == choices.end())
        fail(key, "is something else than " + anyOf(choices) + "; choose one of them");
    return value;
}

const toml::table *StencilTable::table(const std::string &key) const
{
    const auto *node = find(key);
    if (node != nullptr && !node->is_table())
        fail(key, "is no table; write [" + key + "] above its entries");
    return node != nullptr ? node->as_table() : nullptr;
}

const toml::array *StencilTable::array(const std::string &key, std::size_t fewest, std::size_t most,
                                       const std::string &usage) const
{
    const auto *node = find(key);
    if (node == nullptr)
        return nullptr;
    const auto *list = node->as_array();
    if (list == nullptr || list->size() < fewest || list->size() > most)
        fail(key, usage);
    return list;
}

std::vector<double> StencilTable::numbers(const std::string &key, std::size_t count) const
{
    const auto usage = fmt::format("is no list of {} finite numbers; write it like [{}]", count,
                                   count == 2 ? "0, 2.5" : "0, 2.5, 1");
    const auto *list = array(key, count, count, usage);
    std::vector<double> numbers;
    for (std::size_t i = 0; list != nullptr && i < count; ++i) {
        const auto value = (*list)[i].value<double>();
        if (!(*list)[i].is_number() || !value || !std::isfinite(*value))
            fail((*list)[i], title(key), usage);
        numbers.push_back(*value);
    }
    return numbers;
}

} // namespace gridhelm::data
