// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/dispatch_report.h"

#include "core/dispatch/size_class.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace gridhelm::cli {

using nlohmann::json;

json dispatchReport(dispatch::Dispatcher &dispatcher, const ExecutionContext &context)
{
    json names = json::array();
    for (const auto &candidate : dispatcher.candidates())
        names.push_back(candidate.name);
    const auto file = dispatcher.file(context);
    const auto known = dispatcher.known(context);
    json choices = json::array();
    for (const auto operation : dispatch::operations) {
        const auto classes = dispatch::sizeClasses(operation);
        for (std::size_t i = 0; i < classes.size(); ++i) {
            const auto &each = classes[i];
            json entry = {{"operation", dispatch::nameOf(operation)},
                          {"unit", dispatch::unitOf(operation)},
                          {"up_to", nullptr},
                          {"measured", nullptr},
                          {"seconds", json::object()},
                          {"fastest", nullptr}};
            if (std::isfinite(each.upTo))
                entry["up_to"] = each.upTo;
            if (each.measured)
                entry["measured"] = dispatch::textOf(*each.measured);
            const auto *times = known.find(operation, i);
            for (const auto &time : times ? *times : dispatch::DispatchTable::Times())
                entry["seconds"][time.backend] = time.seconds;
            if (times)
                entry["fastest"] = dispatch::DispatchTable::fastest(*times).backend;
            else if (!each.measured || names.size() == 1)
                entry["fastest"] = names.front();
            choices.push_back(std::move(entry));
        }
    }
    return {{"candidates", std::move(names)},
            {"threads", context.cpu().threads},
            {"file", file.empty() ? json() : json(file.string())},
            {"choices", std::move(choices)}};
}

std::string dispatchText(const json &report)
{
    const auto &names = report["candidates"];
    if (names.size() == 1)
        return fmt::format("\nauto       takes {}: nothing else can compute here\n",
                           names.front().get<std::string>());
    auto text =
        fmt::format("\nauto       takes what was measured to be the fastest with {} "
                    "threads ({})\n\n{:<16} {:>8} {:<24}",
                    report["threads"].get<int>(),
                    report["file"].is_null() ? "not remembered" : report["file"].get<std::string>(),
                    "operation", "up to", "");
    for (const auto &name : names)
        text += fmt::format(" {:>10}", name.get<std::string>());
    text += "  auto takes\n";
    for (const auto &entry : report["choices"]) {
        text += fmt::format(
            "{:<16} {:>8} {:<24}", entry["operation"].get<std::string>(),
            entry["up_to"].is_null() ? "any" : fmt::format("{:g}", entry["up_to"].get<double>()),
            entry["unit"].get<std::string>());
        for (const auto &name : names) {
            const auto found = entry["seconds"].find(name.get<std::string>());
            text += found == entry["seconds"].end()
                        ? fmt::format(" {:>10}", "")
                        : fmt::format(" {:>7.3g} ms", 1e3 * found->get<double>());
        }
        text +=
            fmt::format("  {}\n", entry["fastest"].is_null() ? "not measured yet"
                                                             : entry["fastest"].get<std::string>());
    }
    return text;
}

} // namespace gridhelm::cli
