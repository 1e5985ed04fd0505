// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/edit_plan.h"

#include "core/support/error.h"
#include "data/campaign/plan_table.h"

#include <algorithm>
#include <charconv>
#include <vector>

namespace gridhelm::data {

namespace {

/// A text whose parts are named by TOML's lines and columns, both from 1; columns are characters,
/// not bytes.
class PlanText
{
public:
    explicit PlanText(std::string_view text)
        : m_text(text)
        , m_document(parsePlanToml(m_text, "the plan's text"))
    {
    }

    const toml::table &document() const { return m_document; }

    std::size_t offset(toml::source_position position) const
    {
        std::size_t at = lineStart(position.line);
        for (toml::source_index column = 1; column < position.column && at < m_text.size();
             ++column) {
            ++at;
            while (at < m_text.size() && (static_cast<unsigned char>(m_text[at]) & 0xC0) == 0x80)
                ++at;
        }
        return at;
    }

    std::size_t lineStart(toml::source_index line) const
    {
        std::size_t at = 0;
        for (toml::source_index l = 1; l < line; ++l) {
            at = m_text.find('\n', at);
            if (at == std::string::npos)
                return m_text.size();
            ++at;
        }
        return at;
    }

    std::string replaced(std::size_t begin, std::size_t end, std::string_view by) const
    {
        return m_text.substr(0, begin) + std::string(by) + m_text.substr(end);
    }

    /// New lines before the line that begins at `at`.
    std::string withLines(std::size_t at, const std::string &lines) const
    {
        const bool isAfterAll = at == m_text.size() && !m_text.empty() && m_text.back() != '\n';
        return replaced(at, at, (isAfterAll ? "\n" : "") + lines);
    }

    std::size_t skipBlanks(std::size_t at) const
    {
        return std::min(m_text.find_first_not_of(" \t\r\n", at), m_text.size());
    }

    const std::string &text() const { return m_text; }

private:
    std::string m_text;
    toml::table m_document;
};

/// The last line that belongs to a node.
toml::source_index lastLine(const toml::node &node)
{
    auto line = node.source().end.line;
    if (const auto *table = node.as_table()) {
        for (const auto &[key, child] : *table)
            line = std::max({line, key.source().end.line, lastLine(child)});
    } else if (const auto *array = node.as_array()) {
        for (const auto &child : *array)
            line = std::max(line, lastLine(child));
    }
    return line;
}

/// Takes begin .. end out of a list in braces or brackets, with one comma.
std::string withoutElement(const PlanText &plan, std::size_t begin, std::size_t end)
{
    const auto &text = plan.text();
    if (const auto next = plan.skipBlanks(end); next < text.size() && text[next] == ',')
        return plan.replaced(begin, plan.skipBlanks(next + 1), "");
    const auto comma = begin == 0 ? std::string::npos : text.find_last_not_of(" \t\r\n", begin - 1);
    if (comma != std::string::npos && text[comma] == ',')
        begin = comma;
    return plan.replaced(begin, end, "");
}

/// Of a table that stands in lines of its own.
std::string withoutLines(const PlanText &plan, const toml::table &table)
{
    auto begin = plan.lineStart(table.source().begin.line);
    const auto end = plan.lineStart(lastLine(table) + 1);
    if (begin >= 2 && plan.text()[begin - 1] == '\n' && plan.text()[begin - 2] == '\n')
        --begin; // with the empty line before it
    return plan.replaced(begin, end, "");
}

std::string withoutKey(const PlanText &plan, const toml::table &table, std::string_view key)
{
    for (const auto &[name, node] : table) {
        if (name.str() != key)
            continue;
        const auto begin = plan.offset(name.source().begin), end = plan.offset(node.source().end);
        if (table.is_inline())
            return withoutElement(plan, begin, end);
        return plan.replaced(plan.lineStart(name.source().begin.line),
                             plan.lineStart(node.source().end.line + 1), "");
    }
    return plan.text();
}

/// The one that a new key follows, in the order in which people write them.
const toml::node *nodeBefore(const toml::table &table, std::string_view key)
{
    const toml::node *before = nullptr;
    for (const std::string_view other :
         {"name", "unit", "low", "high", "scale", "kind", "points", "command", "result",
          "templates", "environment", "time-limit", "fields"}) {
        if (other == key)
            break;
        if (const auto *node = table.get(other))
            before = node;
    }
    return before;
}

std::string withKey(const PlanText &plan, const toml::table &table, std::string_view key,
                    const std::string &value)
{
    const auto assignment = std::string(key) + " = " + value;
    if (const auto *node = table.get(key))
        return plan.replaced(plan.offset(node->source().begin), plan.offset(node->source().end),
                             value);
    const auto *before = nodeBefore(table, key);
    if (table.is_inline()) {
        if (before) {
            const auto at = plan.offset(before->source().end);
            return plan.replaced(at, at, ", " + assignment);
        }
        const auto at = plan.offset(table.source().begin) + 1; // behind the brace
        return plan.replaced(at, at, table.empty() ? assignment : assignment + ", ");
    }
    const auto line = before ? before->source().end.line : table.source().begin.line;
    return plan.withLines(plan.lineStart(line + 1), assignment + "\n");
}

const toml::array &tablesOf(const PlanText &plan, std::string_view key)
{
    static const toml::array none;
    const auto *list = plan.document().get_as<toml::array>(key);
    return list ? *list : none;
}

/// The table of a parameter, and the list that it stands in.
struct Entry
{
    const toml::array &list;
    const toml::table &table;
};

Entry entryOf(const PlanText &plan, PlanParameter parameter)
{
    const auto &space = tablesOf(plan, "space");
    const auto &list = parameter < space.size() ? space : tablesOf(plan, "parameter");
    const auto index = parameter < space.size() ? parameter : parameter - space.size();
    const auto *table = index < list.size() ? list[index].as_table() : nullptr;
    if (!table)
        throw Error("the plan has no parameter " + std::to_string(parameter + 1)
                    + "; choose one that is there");
    return {list, *table};
}

} // namespace

std::string tomlText(std::string_view text)
{
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            quoted += '\\';
        quoted += static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? ' ' : c;
    }
    return quoted + "\"";
}

std::string tomlNumber(double number)
{
    char digits[32];
    return {digits, std::to_chars(digits, digits + sizeof digits, number).ptr};
}

std::string withParameterKey(std::string_view toml, PlanParameter parameter, std::string_view key,
                             const std::optional<std::string> &value)
{
    const PlanText plan(toml);
    const auto &table = entryOf(plan, parameter).table;
    return value ? withKey(plan, table, key, *value) : withoutKey(plan, table, key);
}

std::string withParameter(std::string_view toml, std::string_view name, std::optional<double> low,
                          std::optional<double> high)
{
    const PlanText plan(toml);
    const auto &list = tablesOf(plan, "parameter");
    std::vector<std::string> keys{"name = " + tomlText(name)};
    if (low)
        keys.push_back("low = " + tomlNumber(*low));
    if (high)
        keys.push_back("high = " + tomlNumber(*high));
    const auto *last = list.empty() ? nullptr : list.back().as_table();
    std::string text;
    if (last && last->is_inline()) {
        for (const auto &key : keys)
            text += (text.empty() ? ", {" : ", ") + key;
        const auto at = plan.offset(last->source().end);
        return plan.replaced(at, at, text + "}");
    }
    text = "\n[[parameter]]\n";
    for (const auto &key : keys)
        text += key + "\n";
    return plan.withLines(last ? plan.lineStart(lastLine(*last) + 1) : plan.text().size(), text);
}

std::string withoutParameter(std::string_view toml, PlanParameter parameter)
{
    const PlanText plan(toml);
    const auto &table = entryOf(plan, parameter).table;
    if (table.is_inline())
        return withoutElement(plan, plan.offset(table.source().begin),
                              plan.offset(table.source().end));
    return withoutLines(plan, table);
}

std::string withTableKey(std::string_view toml, std::string_view table, std::string_view key,
                         const std::optional<std::string> &value)
{
    const PlanText plan(toml);
    const auto *found = plan.document().get_as<toml::table>(table);
    if (!found)
        return value ? plan.withLines(plan.text().size(), "\n[" + std::string(table) + "]\n"
                                                              + std::string(key) + " = " + *value
                                                              + "\n")
                     : plan.text();
    const auto *node = found->get(key);
    if (const auto *inner = node ? node->as_table() : nullptr; inner && !inner->is_inline())
        throw Error("The plan's " + std::string(key)
                    + " stands in a table of its own; change it in the text");
    return value ? withKey(plan, *found, key, *value) : withoutKey(plan, *found, key);
}

std::string withoutTable(std::string_view toml, std::string_view table)
{
    const PlanText plan(toml);
    const auto *found = plan.document().get_as<toml::table>(table);
    if (!found)
        return plan.text();
    if (found->is_inline())
        return withoutKey(plan, plan.document(), table);
    return withoutLines(plan, *found);
}

} // namespace gridhelm::data
