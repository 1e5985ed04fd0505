// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reports come from elsewhere: nothing of them is believed before it has been looked at.
#include "app/bench/machine/machine_json.h"
#include "core/support/clean_text.h"
#include "core/support/error.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <set>
#include <string>
#include <tuple>
#include <utility>

namespace gridhelm::bench {

using nlohmann::json;

namespace {

constexpr std::size_t mostBytes = std::size_t{16} << 20;
constexpr std::size_t mostCases = 20000, mostDevices = 200, mostFailures = 20000;
constexpr std::size_t mostLetters = 500;
/// Rates and times of any machine; ratios of them stay numbers.
constexpr double largest = 1e30, smallest = 1e-30;

/// One document, and how to complain about it.
class Reader
{
public:
    explicit Reader(std::string name)
        : m_name(std::move(name))
    {
    }

    [[noreturn]] void refuse(const std::string &why) const
    {
        throw Error(fmt::format("{} is no report of a machine ({}): make one with \"bench machine "
                                "--json\"",
                                m_name, why));
    }

    const json &at(const json &object, const char *key) const
    {
        const auto found = object.find(key);
        if (found == object.end())
            refuse(fmt::format("\"{}\" is missing", key));
        return *found;
    }

    double number(const json &object, const char *key, double low, double high) const
    {
        const auto &value = at(object, key);
        const double number =
            value.is_number() ? value.get<double>() : std::numeric_limits<double>::quiet_NaN();
        if (!(number >= low && number <= high))
            refuse(fmt::format("\"{}\" is no number from {:g} to {:g}", key, low, high));
        return number;
    }

    int integer(const json &object, const char *key, int low, int high) const
    {
        const double value = number(object, key, low, high);
        if (value != std::floor(value))
            refuse(fmt::format("\"{}\" is no whole number", key));
        return static_cast<int>(value);
    }

    bool flag(const json &object, const char *key) const
    {
        const auto &value = at(object, key);
        if (!value.is_boolean())
            refuse(fmt::format("\"{}\" is neither true nor false", key));
        return value.get<bool>();
    }

    std::string text(const json &object, const char *key) const
    {
        return textOf(at(object, key), key);
    }

    const json &list(const json &object, const char *key, std::size_t most) const
    {
        const auto &value = at(object, key);
        if (!value.is_array() || value.size() > most)
            refuse(fmt::format("\"{}\" is no list of at most {}", key, most));
        return value;
    }

    const json &object(const json &value, const char *what) const
    {
        if (!value.is_object())
            refuse(fmt::format("{} is no object", what));
        return value;
    }

    /// As one line that no terminal obeys.
    std::string textOf(const json &value, const char *key) const
    {
        if (!value.is_string() || value.get_ref<const std::string &>().size() > mostLetters)
            refuse(fmt::format("\"{}\" is no text of at most {} letters", key, mostLetters));
        return cleanLine(value.get_ref<const std::string &>());
    }

private:
    std::string m_name;
};

MeasuredDevice deviceOf(const Reader &read, const json &document)
{
    read.object(document, "a device");
    const auto rate = [&](const char *key) { return 1e9 * read.number(document, key, 0, 1e20); };
    return {read.text(document, "name"),    read.text(document, "hardware"),
            rate("read_gbytes_per_second"), rate("write_gbytes_per_second"),
            rate("copy_gbytes_per_second"), rate("float_gflops_per_second"),
            rate("link_gbytes_per_second"), read.text(document, "why_no_joules")};
}

MeasuredCase caseOf(const Reader &read, const json &document)
{
    read.object(document, "a case");
    MeasuredCase each{};
    const auto operation = operationClassNamed(read.text(document, "operation"));
    if (!operation)
        read.refuse("an \"operation\" is unknown");
    each.operation = *operation;
    each.dimension = read.integer(document, "dimension", 1, 32);
    each.size = read.integer(document, "size", 0, 100);
    each.work = read.text(document, "work");
    each.device = read.text(document, "device");
    each.isTuned = read.flag(document, "tuned");
    each.perSecond = read.number(document, "per_second", smallest, largest);
    each.seconds = read.number(document, "seconds", smallest, largest);
    each.spread = read.number(document, "spread", 0, largest);
    each.repeats = read.integer(document, "repeats", 1, std::numeric_limits<int>::max());
    each.limit = read.text(document, "limit");
    each.share = read.number(document, "share_of_limit", 0, largest);
    each.gigabytesPerSecond = read.number(document, "gbytes_per_second", 0, largest);
    each.gigaflopsPerSecond = read.number(document, "gflops_per_second", 0, largest);
    each.error = read.at(document, "error").is_null() ? std::numeric_limits<double>::infinity()
                                                      : read.number(document, "error", 0, largest);
    if (document.contains("joules"))
        each.joules = read.number(document, "joules", 0, largest);
    return each;
}

/// Names are told apart, and cases name a device.
void requireDistinct(const Reader &read, const MachineReport &report)
{
    std::set<std::string> devices;
    for (const auto &device : report.devices) {
        if (!devices.insert(device.name).second)
            read.refuse("two devices have one name");
    }
    std::set<std::tuple<OperationClass, std::string, std::string, bool>> cases;
    for (const auto &each : report.cases) {
        if (!devices.contains(each.device))
            read.refuse("a case is of a device that is not listed");
        if (!cases.emplace(each.operation, each.work, each.device, each.isTuned).second)
            read.refuse("a case is there twice");
    }
}

json parsed(const Reader &read, std::string_view document)
{
    try {
        return json::parse(document);
    } catch (
        const json::exception &error) { // "[json.exception.parse_error.101] parse error at ..."
        constexpr std::size_t letters = 150; // it quotes what it has read last
        const std::string why = error.what();
        const auto begin = why.find("] ");
        read.refuse("it is no JSON: "
                    + cleanLine(why.substr(begin == std::string::npos ? 0 : begin + 2, letters)));
    }
}

} // namespace

MachineReport machineReportOf(std::string_view document, const std::string &name)
{
    const Reader read(name);
    if (document.size() > mostBytes)
        read.refuse(fmt::format("it has more than {} MiB", mostBytes >> 20));
    const auto root = parsed(read, document);
    read.object(root, "it");
    if (read.text(root, "benchmark") != "machine")
        read.refuse("it is of another benchmark");
    if (const int format = read.integer(root, "format", 1, 1000000); format != machineFormat)
        throw Error(
            fmt::format("{} has format {}, and this program knows {}: measure both machines "
                        "with the same version",
                        name, format, machineFormat));
    MachineReport report;
    report.machine = read.text(root, "machine");
    report.commit = read.text(root, "commit");
    report.version = read.text(root, "version");
    report.threads = read.integer(root, "threads", 1, 1000000);
    report.isQuick = read.flag(root, "quick");
    report.isInterrupted = read.flag(root, "interrupted");
    report.leftOut = read.integer(root, "left_out", 0, std::numeric_limits<int>::max());
    report.seconds = read.number(root, "seconds", 0, largest);
    for (const auto &device : read.list(root, "devices", mostDevices))
        report.devices.push_back(deviceOf(read, device));
    for (const auto &each : read.list(root, "cases", mostCases)) {
        report.cases.push_back(caseOf(read, each));
        report.isTuned = report.isTuned || report.cases.back().isTuned;
    }
    for (const auto &failure : read.list(root, "failures", mostFailures))
        report.failures.push_back(read.textOf(failure, "failures"));
    requireDistinct(read, report);
    return report;
}

MachineReport readMachineReport(const std::string &path)
{
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored))
        throw Error(fmt::format("there is no file {}: name one that \"bench machine --json\" has "
                                "written",
                                path));
    if (!std::filesystem::is_regular_file(path, ignored)) // one that never ends, or a folder
        throw Error(
            fmt::format("{} is no file: name one that \"bench machine --json\" has written", path));
    std::ifstream file(path, std::ios::binary);
    std::string document(mostBytes + 1, '\0');
    file.read(document.data(), static_cast<std::streamsize>(document.size()));
    if (file.bad() || (!file && !file.eof()))
        throw Error(fmt::format("{} cannot be read: check its permissions", path));
    document.resize(static_cast<std::size_t>(file.gcount()));
    return machineReportOf(document, path);
}

} // namespace gridhelm::bench
