// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/tuning_file.h"

#include "core/support/error.h"
#include "core/support/private_file.h"
#include "core/support/private_folder.h"
#include "core/support/system_info.h"
#include "core/support/text_hash.h"
#include "core/support/version.h"
#include "core/tuning/cpu_cases.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <utility>

namespace gridhelm::tuning {
namespace {

using nlohmann::json;

constexpr const char *title = "gridhelm: constants of kernels, tuned for this machine";
constexpr std::size_t mostBytes = std::size_t{1} << 20;

/// Changes with whatever can be tuned.
std::string versionOf(std::span<const TunableOperation *const> operations)
{
    TextHash hash;
    for (const auto *operation : operations) {
        hash.add(operation->name);
        for (const auto *constant : operation->constants) {
            hash.add(constant->name);
            hash.add(std::to_string(constant->compiledIn));
            for (const int value : constant->values)
                hash.add(std::to_string(value));
        }
    }
    return fmt::format("{} {}", versionString(), hash.text());
}

json jsonOf(const TunedMachine &machine)
{
    return {
        {"kernels", machine.kernels}, {"hardware", machine.hardware}, {"threads", machine.threads}};
}

double positive(const json &value)
{
    const auto number = value.get<double>();
    if (!std::isfinite(number) || number < 0)
        throw std::domain_error("a number that is none");
    return number;
}

int integer(const json &value)
{
    const auto number = value.get<std::int64_t>();
    if (!value.is_number_integer() || !std::in_range<int>(number))
        throw std::domain_error("a number that is none");
    return static_cast<int>(number);
}

/// Throws if it is not what it should be. Constants are looked at where they are used.
TuningEntry entryFrom(const json &entry)
{
    TuningEntry read;
    read.key = {entry.at("operation").get<std::string>(), entry.at("device").get<std::string>(),
                entry.at("value_bytes").get<std::size_t>(), entry.at("size_class").get<int>()};
    read.work = entry.at("work").get<std::string>();
    for (const auto &[name, value] : entry.at("constants").items())
        read.constants[name] = integer(value);
    read.gain = positive(entry.at("gain"));
    read.seconds = positive(entry.at("seconds"));
    return read;
}

json jsonOf(const TuningEntry &entry)
{
    return {{"operation", entry.key.operation},
            {"device", entry.key.device},
            {"value_bytes", entry.key.valueBytes},
            {"size_class", entry.key.sizeClass},
            {"work", entry.work},
            {"constants", entry.constants},
            {"gain", entry.gain},
            {"seconds", entry.seconds}};
}

} // namespace

TunedMachine tunedMachine(const ExecutionContext &context)
{
    return tunedMachine(cpuOperations(), querySystemInfo().cpuName, context.cpu().threads);
}

TunedMachine tunedMachine(std::span<const TunableOperation *const> operations, std::string hardware,
                          int threads)
{
    return {versionOf(operations), std::move(hardware), threads};
}

TuningEntry entryOf(const TunedCase &tuned)
{
    TuningEntry entry{tuned.tuned.key, dispatch::textOf(tuned.tuned.work)};
    entry.seconds = tuned.seconds;
    entry.gain = tuned.isKept ? tuned.gain : 1;
    // Also compiled-in ones: they are better here than those of another size.
    entry.constants =
        constantsOf(*tuned.tuned.operation, tuned.isKept ? tuned.best : tuned.compiledIn);
    return entry;
}

std::vector<TuningEntry> merged(std::vector<TuningEntry> entries,
                                const std::vector<TuningEntry> &present)
{
    for (const auto &each : present) {
        if (std::ranges::find(entries, each.key, &TuningEntry::key) == entries.end())
            entries.push_back(each);
    }
    return entries;
}

TuningTable tableOf(const std::vector<TuningEntry> &entries)
{
    TuningTable table;
    for (const auto &entry : entries) {
        for (const auto &[name, value] : entry.constants)
            table.set(entry.key, name, value);
    }
    return table;
}

std::filesystem::path tuningFile(const std::filesystem::path &folder, const TunedMachine &machine)
{
    if (folder.empty())
        return {};
    TextHash hash;
    hash.add(machine.hardware);
    hash.add(std::to_string(machine.threads));
    return folder / fmt::format("tuning-{}.json", hash.text());
}

std::optional<std::vector<TuningEntry>> readTuning(const std::filesystem::path &path,
                                                   const TunedMachine &machine)
{
    const std::string what = "the table of tuned constants";
    const auto text = readPrivateFile(path, mostBytes, what);
    if (!text)
        return std::nullopt;
    const auto problem = [&](const char *why) {
        return Error(fmt::format("{}, {}, {}", path.string(), what, why));
    };
    try {
        const auto document = json::parse(*text);
        if (document.at("title") != title)
            throw problem("is another program's file");
        if (document.at("machine") != jsonOf(machine))
            throw problem("is of another machine or another version of this program");
        std::vector<TuningEntry> entries;
        for (const auto &entry : document.at("entries"))
            entries.push_back(entryFrom(entry));
        return entries;
    } catch (const json::exception &) {
        throw problem("is damaged");
    } catch (const std::domain_error &) {
        throw problem("is damaged");
    }
}

void writeTuning(const std::filesystem::path &path, const TunedMachine &machine,
                 const std::vector<TuningEntry> &entries)
{
    auto list = json::array();
    for (const auto &entry : entries)
        list.push_back(jsonOf(entry));
    (void)makePrivateFolder(path.parent_path()); // what is wrong with it is said by the file
    const json document = {
        {"title", title}, {"machine", jsonOf(machine)}, {"entries", std::move(list)}};
    writePrivateFile(path, document.dump(1) + "\n");
}

} // namespace gridhelm::tuning
