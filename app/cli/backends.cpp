// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/dispatch_report.h"
#include "app/cli/execution.h"
#include "app/cli/output.h"
#include "core/support/bytes_text.h"
#include "core/support/system_info.h"
#include "gpu/device_info.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace gridhelm::cli {
namespace {

std::string memoryOf(std::uint64_t bytes)
{
    return memoryText(static_cast<double>(bytes));
}

nlohmann::json describeBackends(const ExecutionContext &context)
{
    nlohmann::json list = nlohmann::json::array();
    for (const auto &backend : {sparse::makeReferenceBackend(), sparse::makeOmpBackend(context)})
        list.push_back({{"name", backend->name()},
                        {"compiled", true},
                        {"available", true},
                        {"description", backend->description()}});

    const gpu::DeviceList gpus = gpu::listDevices();
    nlohmann::json devices = nlohmann::json::array();
    for (const gpu::Device &device : gpus.devices)
        devices.push_back(
            {{"name", device.name},
             {"memory_bytes", device.memoryBytes},
             {"compute_capability",
              fmt::format("{}.{}", device.computeCapabilityMajor, device.computeCapabilityMinor)}});
    list.push_back(
        {{"name", "cuda"},
         {"compiled", gpu::isBuilt()},
         {"available", !gpus.devices.empty()},
         {"description",
          gpus.devices.empty() ? gpus.reason : fmt::format("{} CUDA devices", gpus.devices.size())},
         {"devices", std::move(devices)}});
    return list;
}

void run(const GlobalOptions &global, bool measure)
{
    const auto &context = executionContext(global);
    const nlohmann::json backends = describeBackends(context);
    if (measure)
        dispatcher(global)->measureAll(context);
    const nlohmann::json choice = dispatchReport(*dispatcher(global), context);
    const SystemInfo system = querySystemInfo();
    if (global.json) {
        printJson({{"backends", backends},
                   {"auto", choice},
                   {"system",
                    {{"cpu", system.cpuName},
                     {"threads", system.threadCount},
                     {"last_level_cache_bytes", system.lastLevelCacheBytes},
                     {"physical_memory_bytes", system.physicalMemoryBytes},
                     {"available_memory_bytes", system.availableMemoryBytes}}}});
        return;
    }
    for (const auto &backend : backends) {
        printText(fmt::format("{:<10} {:<14} {}\n", backend["name"].get<std::string>(),
                              backend["available"].get<bool>() ? "available" : "not available",
                              backend["description"].get<std::string>()));
        for (const auto &device : backend.value("devices", nlohmann::json::array()))
            printText(fmt::format("{:<25} {}, {}, compute capability {}\n", "",
                                  device["name"].get<std::string>(),
                                  memoryOf(device["memory_bytes"].get<std::uint64_t>()),
                                  device["compute_capability"].get<std::string>()));
    }
    printText(fmt::format("\nmachine    {}, {} threads, {} last-level cache, {} memory "
                          "({} available)\n",
                          system.cpuName, system.threadCount, memoryOf(system.lastLevelCacheBytes),
                          memoryOf(system.physicalMemoryBytes),
                          memoryOf(system.availableMemoryBytes)));
    printText(dispatchText(choice));
}

} // namespace

void addBackendsCommand(CLI::App &parent, const GlobalOptions &global)
{
    CLI::App &command =
        *parent.add_subcommand("backends", "List what can compute here, and why the rest cannot");
    const auto measure = std::make_shared<bool>(false);
    command.add_flag("--measure", *measure,
                     "Measure again which back end is the fastest for what: some seconds");
    command.footer(R"(
--backend auto takes the fastest back end for each operation and size. That is measured when it is
needed for the first time, and remembered for this machine, this number of threads and this version of
the program.

Examples:
  gridhelm-cli backends
  gridhelm-cli backends --json
  gridhelm-cli backends --measure --threads 2)");
    command.callback([&global, measure] { run(global, *measure); });
}

} // namespace gridhelm::cli
