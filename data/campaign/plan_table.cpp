// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/plan_table.h"

#include "data/campaign/plan_error.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace gridhelm::data {

namespace {

/// Of brackets and braces, and of the parts of a dotted key. No plan needs more than three; the
/// parser calls itself, and so do destructors, for each.
constexpr int deepest = 32;

/// Steps over a text as TOML's parser sees it: strings and comments are one step.
class Nesting
{
public:
    explicit Nesting(std::string_view text)
        : m_text(text)
    {
    }

    /// From 1; 0: nothing in the text is too deep.
    int lineThatIsTooDeep()
    {
        int depth = 0, dots = 0;
        while (m_at < m_text.size()) {
            const char c = m_text[m_at];
            if (c == '"' || c == '\'') {
                skipString(c);
                continue;
            }
            ++m_at;
            if (c == '#')
                m_at = std::min(m_text.find('\n', m_at), m_text.size());
            else if (c == '\n')
                ++m_line;
            if (c == '[' || c == '{')
                ++depth;
            else if (c == ']' || c == '}')
                depth = std::max(0, depth - 1);
            // Dots of one key stand together, but for blanks and strings.
            dots = c == '.' ? dots + 1 : c == '\n' || c == '=' || c == ',' ? 0 : dots;
            if (depth > deepest || dots > deepest)
                return m_line;
        }
        return 0;
    }

private:
    void skipString(char quote)
    {
        const std::string three(3, quote);
        const bool isLong = m_text.substr(m_at, 3) == three;
        m_at += isLong ? 3 : 1;
        for (; m_at < m_text.size(); ++m_at) {
            const char c = m_text[m_at];
            if (c == '\\' && quote == '"' && m_at + 1 < m_text.size()) {
                ++m_at;
                m_line += m_text[m_at] == '\n';
            } else if (c == '\n') {
                if (!isLong)
                    return; // an error there, for the parser
                ++m_line;
            } else if (c == quote && (!isLong || m_text.substr(m_at, 3) == three)) {
                m_at += isLong ? 3 : 1;
                for (int more = 0;
                     isLong && more < 2 && m_text.substr(m_at, 1) == three.substr(1, 1); ++more)
                    ++m_at; // up to two quotes may stand before the three that end it
                return;
            }
        }
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    int m_line = 1;
};

} // namespace

toml::table parsePlanToml(std::string_view text, std::string_view source)
{
    if (text.size() > largestPlanText)
        throw PlanError(
            std::string(source) + " is larger than a plan can be (1 MiB); name a TOML file", 0);
    if (const int line = Nesting(text).lineThatIsTooDeep(); line > 0)
        throw PlanError(std::string(source) + ", line " + std::to_string(line)
                            + ", is nested too deeply (at most " + std::to_string(deepest)
                            + " brackets, or parts of a dotted key); write it flatter",
                        line);
    try {
        return toml::parse(text, source);
    } catch (const toml::parse_error &error) {
        const auto line = error.source().begin.line;
        throw PlanError(std::string(source) + ", line " + std::to_string(line)
                            + ", is not valid TOML: " + std::string(error.description())
                            + "; correct it (texts stand in quotes, tables in brackets)",
                        static_cast<int>(line));
    }
}

PlanTable::PlanTable(const toml::table &table, std::string name, std::string_view source)
    : m_table(table)
    , m_name(std::move(name))
    , m_source(source)
{
}

void PlanTable::fail(const std::string &key, const std::string &sentence) const
{
    const toml::node *node = key.empty() ? nullptr : m_table.get(key);
    const auto line = (node ? node->source() : m_table.source()).begin.line;
    throw PlanError(std::string(m_source) + (line > 0 ? ", line " + std::to_string(line) : "")
                        + ": " + (key.empty() ? m_name : m_name + " " + key) + " " + sentence,
                    static_cast<int>(line));
}

bool PlanTable::has(const std::string &key)
{
    m_known.insert(key);
    return m_table.contains(key);
}

std::optional<std::string> PlanTable::text(const std::string &key)
{
    if (!has(key))
        return std::nullopt;
    const auto value = m_table.get(key)->value_exact<std::string>();
    if (!value)
        fail(key, "is not text; write it in quotes");
    if (value->find('\0') != std::string::npos)
        fail(key, "contains a zero byte; take it out");
    return value;
}

std::optional<double> PlanTable::number(const std::string &key)
{
    if (!has(key))
        return std::nullopt;
    const auto &node = *m_table.get(key);
    if (!node.is_number() || !std::isfinite(*node.value<double>()))
        fail(key, "is not a finite number; write one without quotes, like 2.5");
    return node.value<double>();
}

std::optional<int> PlanTable::integer(const std::string &key, int low, int high)
{
    if (!has(key))
        return std::nullopt;
    const auto value = m_table.get(key)->value_exact<std::int64_t>();
    if (!value || *value < low || *value > high)
        fail(key, "is not a whole number from " + std::to_string(low) + " to "
                      + std::to_string(high) + "; choose one");
    return static_cast<int>(*value);
}

bool PlanTable::flag(const std::string &key)
{
    if (!has(key))
        return false;
    const auto value = m_table.get(key)->value_exact<bool>();
    if (!value)
        fail(key, "is neither true nor false; write one of them without quotes");
    return *value;
}

std::vector<std::string> PlanTable::texts(const std::string &key)
{
    if (!has(key))
        return {};
    const auto *list = m_table.get_as<toml::array>(key);
    std::vector<std::string> all;
    for (std::size_t i = 0; list && i < list->size(); ++i) {
        const auto value = (*list)[i].value_exact<std::string>();
        if (!value || value->find('\0') != std::string::npos) {
            list = nullptr;
            break;
        }
        all.push_back(*value);
    }
    if (!list)
        fail(key, "is no list of texts; write it like [\"a\", \"b\"]");
    return all;
}

std::vector<double> PlanTable::numbers(const std::string &key)
{
    if (!has(key))
        return {};
    const auto *list = m_table.get_as<toml::array>(key);
    std::vector<double> all;
    for (std::size_t i = 0; list && i < list->size(); ++i) {
        const auto value = (*list)[i].value<double>();
        if (!(*list)[i].is_number() || !value || !std::isfinite(*value)) {
            list = nullptr;
            break;
        }
        all.push_back(*value);
    }
    if (!list)
        fail(key, "is no list of finite numbers; write it like [0, 2.5]");
    return all;
}

const toml::table *PlanTable::table(const std::string &key)
{
    if (!has(key))
        return nullptr;
    const auto *found = m_table.get_as<toml::table>(key);
    if (!found)
        fail(key, "is no table; write it like {name = value}, or as [" + key + "]");
    return found;
}

void PlanTable::refuseUnknown() const
{
    for (const auto &[key, node] : m_table) {
        const std::string name(key.str());
        if (!m_known.contains(name))
            fail(name, "is unknown; there are: " + joined({m_known.begin(), m_known.end()}));
    }
}

std::vector<const toml::table *> PlanTable::tables(const std::string &key)
{
    std::vector<const toml::table *> tables;
    if (!has(key))
        return tables;
    const auto *list = m_table.get_as<toml::array>(key);
    for (std::size_t i = 0; list && i < list->size(); ++i)
        tables.push_back((*list)[i].as_table());
    if (!list || std::ranges::find(tables, nullptr) != tables.end())
        fail(key, "is no list of tables; write [[" + key + "]], in two brackets");
    return tables;
}

std::string joined(const std::vector<std::string> &names)
{
    std::string list;
    for (const auto &name : names)
        list += (list.empty() ? "" : ", ") + name;
    return list;
}

} // namespace gridhelm::data
