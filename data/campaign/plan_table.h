// SPDX-License-Identifier: GPL-3.0-or-later
//
// A plan's TOML, read key by key, so that what is wrong can be named by line and key.
#pragma once

#include "core/support/error.h"

#include <toml++/toml.h>

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace gridhelm::data {

/// toml::parse() within bounds: a text that is too long, or nested so deeply that the parser would
/// overflow the stack, is refused before it is parsed. Throws PlanError.
toml::table parsePlanToml(std::string_view text, std::string_view source);

/// One table of the file; what is left over at the end is unknown. Everything throws PlanError
/// that names `source`, line, table and key.
class PlanTable
{
public:
    PlanTable(const toml::table &table, std::string name, std::string_view source);

    [[noreturn]] void fail(const std::string &key, const std::string &sentence) const;

    bool has(const std::string &key);
    std::optional<std::string> text(const std::string &key);
    std::optional<double> number(const std::string &key);
    std::optional<int> integer(const std::string &key, int low, int high);
    bool flag(const std::string &key); ///< false if it is not there
    std::vector<std::string> texts(const std::string &key);
    std::vector<double> numbers(const std::string &key); ///< finite ones
    const toml::table *table(const std::string &key);
    /// Written [[key]]; none if it is not there.
    std::vector<const toml::table *> tables(const std::string &key);

    const toml::table &source() const { return m_table; }

    void refuseUnknown() const;

    /// What `read` throws gets the place of the key.
    template <typename Read>
    decltype(auto) at(const std::string &key, Read read) const
    {
        try {
            return read();
        } catch (const Error &error) {
            fail(key, std::string("does not do: ") + error.what());
        }
    }

private:
    const toml::table &m_table;
    std::string m_name;
    std::string_view m_source;
    std::set<std::string> m_known;
};

/// "a, b, c".
std::string joined(const std::vector<std::string> &names);

} // namespace gridhelm::data
