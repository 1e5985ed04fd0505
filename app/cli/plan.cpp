// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "app/cli/study_console.h"
#include "core/support/error.h"
#include "data/campaign/plan_cost.h"
#include "data/study/study_writer.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace gridhelm::cli {
namespace {

struct Options
{
    std::string plan;
    std::string out;
    std::string csv;
    bool dryRun = false;
};

std::string costText(const data::PlanCost &cost)
{
    auto text = fmt::format("{}, {}", countText(cost.points, "point"), countText(cost.jobs, "job"));
    if (cost.bytes > 0)
        text += fmt::format(", about {}", bytesText(cost.bytes));
    return text;
}

nlohmann::json costJson(const data::PlanCost &cost)
{
    return {{"points", cost.points}, {"jobs", cost.jobs}, {"bytes", cost.bytes}};
}

/// Every point in storage order, in the parameters' units.
void writePoints(const data::Plan &plan, const std::string &path)
{
    const auto &space = plan.description.space;
    const sparse::SparseGrid grid(space.shape(plan.description.level));
    OutputFile file(path);
    TextSink sink(&file);
    std::string line;
    for (const auto &parameter : space.parameters())
        line += (line.empty() ? "" : ",") + parameter.name;
    sink.write(line + "\n");
    for (std::uint64_t point = 0; point < grid.points(); ++point) {
        line.clear();
        for (double value : space.valuesAt(grid, point))
            line += fmt::format("{}{}", line.empty() ? "" : ",", value);
        sink.write(line + "\n");
    }
    sink.close();
    file.commit();
}

void run(const GlobalOptions &global, const Options &options)
{
    const auto plan = data::readPlan(options.plan);
    const auto &space = plan.description.space;
    const int level = plan.description.level;
    const auto cost = data::costOf(plan, space, level);
    auto out = std::filesystem::path(options.out);
    if (out.empty())
        out = std::filesystem::path(options.plan).filename().replace_extension(".gridhelm");

    std::string text = fmt::format("level {}: {}\n", level, costText(cost));
    nlohmann::json document{{"level", level}, {"now", costJson(cost)}};
    if (cost.bytes == 0)
        text += "  (bytes: known after the first run)\n";
    const auto other = [&](const std::string &what, const ParameterSpace &wider, int n) {
        try {
            const auto more = data::costOf(plan, wider, n);
            text += fmt::format("{}: {}\n", what, costText(more));
            document["growing"].push_back({{"what", what}, {"cost", costJson(more)}});
        } catch (const Error &) {
            text += what + ": more than can be counted\n";
        }
    };
    if (level < 30)
        other(fmt::format("level {} would be", level + 1), space, level + 1);
    for (std::size_t t = 0; t < space.parameters().size(); ++t) {
        if (!space[t].levelCap || *space[t].levelCap >= level)
            continue;
        std::vector<int> caps;
        for (const auto &parameter : space.parameters())
            caps.push_back(parameter.levelCap.value_or(30));
        ++caps[t];
        other(fmt::format("cap {} for {} would be", caps[t], space[t].name),
              space.withLevelCaps(caps), level);
    }
    if (!options.csv.empty()) {
        writePoints(plan, options.csv);
        text += "points written to " + options.csv + "\n";
        document["csv"] = options.csv;
    }
    if (options.dryRun) {
        text += "nothing was made (--dry-run)\n";
    } else {
        auto writer = data::StudyWriter::create(out, plan.description);
        writer.close();
        document["study"] = out.string();
        const bool runs = !std::holds_alternative<std::monostate>(plan.simulation);
        text += fmt::format("made the study {}\nnext: gridhelm-cli {}\n", out.string(),
                            runs ? "run " + shellText(out)
                                 : "import " + shellText(out) + " --table params.csv");
    }
    if (global.json)
        printJson(document);
    else
        printText(text);
}

} // namespace

void addPlanCommand(CLI::App &parent, const GlobalOptions &global)
{
    CLI::App &command = *parent.add_subcommand(
        "plan", "Make a study from a plan (a TOML file): parameters, grid, simulation");
    const auto options = std::make_shared<Options>();
    command.add_option("plan", options->plan, "The plan")->required()->type_name("FILE.toml");
    command
        .add_option("--out", options->out,
                    "The study to make; by default the plan's name with .gridhelm, here")
        ->type_name("FILE");
    command.add_option("--csv", options->csv, "Write the wanted points, one a line")
        ->type_name("FILE");
    command.add_flag("--dry-run", options->dryRun, "Only say what it would take");
    command.footer(R"(
A plan, whole:
  [[parameter]]
  name = "Re"              # ranges of a built-in simulation may be left out
  low = 100
  high = 1000
  [[parameter]]
  name = "t"               # also: unit, scale, kind = "time-like", treatment, cap
  [grid]
  level = 4
  [simulation]
  builtin = "cavity"       # cavity, cavity3d, plate or folds; resolution, options, fixed

Or any program of yours, which works in a folder of its own for each job:
  [simulation]
  command = ["/home/me/solve", "--reynolds", "{Re}", "--times", "{times}"]
  templates = ["case.in"]  # copied there, with {Re}, {times}, {last}, {job}, {dir} filled in
  result = "out_{t}.vti"   # or one series; * and ? are understood
  time-limit = 600         # seconds; also: environment = {NAME = "value"}, fields = ["p"]

With space in the grid (a scalar study: one value at each point, sampled from the results, which
have to be images); fine meshes of smooth fields take far less room then:
  [study]
  kind = "scalar"
  [[space]]                # one for each direction of the mesh: x, y, z
  name = "px"              # also: low, high, unit, treatment, cap

Examples:
  gridhelm-cli plan cavity.toml --dry-run
  gridhelm-cli plan cavity.toml --out cavity.gridhelm --csv points.csv)");
    command.callback([&global, options] { run(global, *options); });
}

} // namespace gridhelm::cli
