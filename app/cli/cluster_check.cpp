// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/cluster/cluster_check.h"
#include "app/cli/commands.h"
#include "app/cli/interrupted.h"
#include "app/cli/interruption.h"
#include "app/cli/output.h"
#include "core/support/clean_text.h"
#include "core/support/error.h"
#include "core/support/parse_numbers.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <map>
#include <memory>
#include <string>

namespace gridhelm::cli {
namespace {

struct CheckOptions
{
    std::string host;
    std::map<std::string, std::string> texts; ///< of [run], by key
    std::string wait = "60";
};

data::SlurmSettings settingsOf(const CheckOptions &options)
{
    auto run = data::slurmRunPlan();
    for (const auto &[key, text] : options.texts)
        if (!text.empty())
            run.settings[key] = text;
    run.settings["host"] = options.host;
    return data::slurmSettings(run);
}

std::string textOf(const data::ClusterCheck &check, const std::string &host)
{
    const auto &facts = check.facts;
    auto text = fmt::format("reached     {}{}\n", host,
                            facts.name.empty() ? "" : ", cluster " + facts.name);
    text += fmt::format("scheduler   {}\n", facts.version);
    text += fmt::format("folder      {}\n", facts.folder);
    text += fmt::format("arrays      of {} runs at most\n", facts.mostInArray);
    text += fmt::format("accounting  {}\n",
                        facts.hasAccounting ? "yes"
                                            : "no: of runs that are killed it may not be told why");
    if (check.hasRun)
        text += fmt::format("a job       ran on {}, and its results were here after {:.1f} s\n",
                            check.node, check.seconds);
    if (!check.log.empty())
        text += "it printed  " + check.log;
    return cleanLines(text);
}

void run(const GlobalOptions &global, const CheckOptions &options)
{
    const Interruption interruption;
    const auto settings = settingsOf(options);
    const auto seconds = parseInteger(options.wait, "--wait");
    if (seconds < 1 || seconds > 86400)
        throw Error("--wait: choose 1 to 86400 seconds");
    const auto check =
        data::checkCluster(settings, std::chrono::seconds(seconds), interruption.token());
    if (interruption.happened())
        throw Interrupted("Interrupted: the job was cancelled");
    if (global.json)
        printJson({{"host", options.host},
                   {"cluster", check.facts.name},
                   {"version", check.facts.version},
                   {"folder", check.facts.folder},
                   {"most_in_array", check.facts.mostInArray},
                   {"accounting", check.facts.hasAccounting},
                   {"has_run", check.hasRun},
                   {"node", check.node},
                   {"seconds", check.seconds},
                   {"log", check.log}});
    else
        printText(textOf(check, options.host));
    if (!check.hasRun)
        throw Error(
            fmt::format("the job {} after {} s, and was cancelled; wait longer (--wait), or "
                        "choose another --partition or --time",
                        check.isQueued ? "was still in the queue" : "had not ended", seconds));
}

} // namespace

void addClusterCheckCommand(CLI::App &parent, const GlobalOptions &global)
{
    CLI::App &command = *parent.add_subcommand(
        "check", "Try everything that jobs on a cluster need, with one trivial job");
    const auto options = std::make_shared<CheckOptions>();
    command.add_option("host", options->host, "As for ssh, or local")
        ->required()
        ->type_name("HOST");
    for (const char *key : {"folder", "partition", "account", "qos", "time", "memory", "modules"})
        command.add_option(std::string("--") + key, options->texts[key], "As in a plan's [run]")
            ->type_name("TEXT");
    command.add_option("--wait", options->wait, "For the job, so many seconds")
        ->type_name("S")
        ->capture_default_str();
    command.footer(R"(
Logs in over ssh, which has to work without a question, looks for Slurm's programs, makes the folder for
runs, hands a job that does nothing over, waits for it, brings its results here and removes them there. What
is missing is said.

Example:
  gridhelm-cli cluster check me@login.cluster --partition short --time 5)");
    command.callback([&global, options] { run(global, *options); });
}

} // namespace gridhelm::cli
