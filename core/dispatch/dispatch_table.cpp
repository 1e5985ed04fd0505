// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/dispatch/dispatch_table.h"

#include "core/dispatch/size_class.h"
#include "core/support/error.h"
#include "core/support/output_file.h"
#include "core/support/private_folder.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <stdexcept>

namespace gridhelm::dispatch {
namespace {

using nlohmann::json;

constexpr const char *title = "gridhelm: seconds of each back end, measured on this machine";

json jsonOf(const Machine &machine)
{
    json parts = json::array();
    for (const auto &part : machine.parts)
        parts.push_back({{"backend", part.backend}, {"hardware", part.hardware}});
    return {{"program", machine.program}, {"threads", machine.threads}, {"parts", parts}};
}

/// Throws if they are not what they should be.
DispatchTable::Times timesFrom(const json &seconds, const Machine &machine)
{
    DispatchTable::Times times;
    for (const auto &part : machine.parts) {
        const double value = seconds.at(part.backend).get<double>();
        if (!std::isfinite(value) || value < 0)
            throw std::domain_error("a time that is none");
        times.push_back({part.backend, value});
    }
    return times;
}

DispatchTable mapFrom(const json &entries, const Machine &machine)
{
    DispatchTable map;
    for (const auto &entry : entries) {
        const auto operation = operationNamed(entry.at("operation").get<std::string>());
        const auto work = entry.at("work").get<std::string>();
        auto times = timesFrom(entry.at("seconds"), machine);
        if (!operation)
            continue;
        const auto classes = sizeClasses(*operation);
        for (std::size_t i = 0; i < classes.size(); ++i) {
            if (classes[i].measured && textOf(*classes[i].measured) == work)
                map.set(*operation, i, times);
        }
    }
    return map;
}

} // namespace

const DispatchTable::Times *DispatchTable::find(Operation operation, std::size_t sizeClass) const
{
    const auto found = m_entries.find({operation, sizeClass});
    return found == m_entries.end() ? nullptr : &found->second;
}

void DispatchTable::set(Operation operation, std::size_t sizeClass, Times times)
{
    m_entries.insert_or_assign({operation, sizeClass}, std::move(times));
}

void DispatchTable::completeFrom(const DispatchTable &other)
{
    m_entries.insert(other.m_entries.begin(), other.m_entries.end());
}

const DispatchTable::Time &DispatchTable::fastest(const Times &times)
{
    constexpr double noise = 1.03;
    const double least = std::ranges::min_element(times, {}, &Time::seconds)->seconds;
    return *std::ranges::find_if(times,
                                 [&](const Time &time) { return time.seconds <= noise * least; });
}

std::optional<DispatchTable> readMap(const std::filesystem::path &path, const Machine &machine)
{
    std::error_code unknown;
    if (!std::filesystem::exists(path, unknown) && !unknown)
        return std::nullopt;
    std::ifstream file(path, std::ios::binary);
    const auto problem = [&](const char *what) {
        return Error(path.string() + ", which says what computes fastest here, " + what);
    };
    if (!file)
        throw problem("cannot be read");
    try {
        const auto document = json::parse(file);
        if (document.at("title") != title)
            throw problem("is another program's file");
        if (document.at("machine") != jsonOf(machine))
            throw problem("is of another machine or another version of this program");
        return mapFrom(document.at("entries"), machine);
    } catch (const json::exception &) {
        throw problem("is damaged");
    } catch (const std::domain_error &) {
        throw problem("is damaged");
    }
}

void writeMap(const std::filesystem::path &path, const Machine &machine, const DispatchTable &map)
{
    json entries = json::array();
    for (const auto operation : operations) {
        const auto classes = sizeClasses(operation);
        for (std::size_t i = 0; i < classes.size(); ++i) {
            const auto *times = map.find(operation, i);
            if (!times || !classes[i].measured)
                continue;
            json seconds = json::object();
            for (const auto &time : *times)
                seconds[time.backend] = time.seconds;
            entries.push_back({{"operation", nameOf(operation)},
                               {"work", textOf(*classes[i].measured)},
                               {"seconds", std::move(seconds)}});
        }
    }
    (void)makePrivateFolder(path.parent_path()); // what is wrong with it is said by the file
    const json document = {
        {"title", title}, {"machine", jsonOf(machine)}, {"entries", std::move(entries)}};
    writeTextFile(path, document.dump(1) + "\n");
}

} // namespace gridhelm::dispatch
