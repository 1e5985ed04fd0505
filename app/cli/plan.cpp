// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "app/cli/study_console.h"
#include "core/support/error.h"
#include "data/campaign/fill_step.h"
#include "data/campaign/plan_cost.h"
#include "data/campaign/point_table.h"
#include "data/campaign/study_plan.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <memory>

namespace gridhelm::cli {
namespace {

struct PlanOptions
{
    std::string plan;
    std::string out;
    std::string csv;
    std::string update;
    bool dryRun = false;
};

nlohmann::json costJson(const data::PlanCost &cost)
{
    return {{"points", cost.points}, {"jobs", cost.jobs}, {"bytes", cost.bytes}};
}

/// Every point in storage order, or every run, in the parameters' units.
void writePoints(const data::Plan &plan, const std::string &path)
{
    const auto &space = plan.description.space;
    OutputFile file(path);
    TextSink sink(&file);
    sink.write(data::pointCsvHeader(space));
    if (plan.runs > 0) {
        for (const auto &place : data::firstPlaces(space, plan.runs))
            sink.write(data::pointCsvRow(place));
    } else {
        const sparse::SparseGrid grid(space.shape(plan.description.level));
        for (std::uint64_t point = 0; point < grid.points(); ++point)
            sink.write(data::pointCsvRow(space.valuesAt(grid, point)));
    }
    sink.close();
    file.commit();
}

/// Older versions had a mesh end at 0.9999999999999999.
void takeRoundOff(double &mine, double theirs)
{
    if (std::abs(mine - theirs) <= 1e-14 * std::abs(theirs))
        mine = theirs;
}

/// Caps and level may differ: the study may have grown.
void requireSameParameters(const data::Plan &plan, const data::Study &study)
{
    const auto &ours = plan.description.space, &theirs = study.description().space;
    const auto differ = [](const std::string &what) {
        throw Error("The plan does not belong to the study: " + what
                    + "; make a new study with: gridhelm-cli plan");
    };
    if (plan.description.kind != study.description().kind)
        differ("one of them is scalar, the other is not");
    if (plan.description.design != study.description().design)
        differ(plan.runs > 0
                   ? "it is space-filling, and the study's runs are at the points of a grid"
                   : "the study's runs are scattered, so its plan says design = "
                     "\"space-filling\" and how many they shall be");
    if (ours.dimension() != theirs.dimension())
        differ(fmt::format("it has {}, the study has {}",
                           countText(static_cast<std::uint64_t>(ours.dimension()), "parameter"),
                           theirs.dimension()));
    for (std::size_t t = 0; t < ours.parameters().size(); ++t) {
        auto mine = ours[t];
        mine.levelCap = theirs[t].levelCap;
        mine.isDense = theirs[t].isDense; // not so in studies of older versions
        mine.degree = theirs[t].degree;   // compress may have changed it
        takeRoundOff(mine.low, theirs[t].low);
        takeRoundOff(mine.high, theirs[t].high);
        if (mine != theirs[t])
            differ("the parameter " + mine.name + " is another one (" + theirs[t].name
                   + "), or has another range, unit, scale, kind or boundary basis");
    }
}

void update(const GlobalOptions &global, const PlanOptions &options)
{
    const auto plan = data::readPlan(options.plan);
    auto writer = data::StudyWriter::open(options.update);
    requireSameParameters(plan, writer);
    const bool hasJobs = plan.runs == 0;
    std::uint64_t done = hasJobs ? 0 : writer.trainingRuns().size();
    for (const auto &job : writer.jobs())
        done += job.state == data::JobState::done ? 1 : 0;
    std::string note;
    setPlan(writer, plan, note);
    closeStudy(writer);
    printNote(note);
    if (global.json)
        printJson({{"study", options.update}, {"jobs_kept", done}});
    else
        printText(fmt::format("{} of {} follow this plan from now on; {} that were done before "
                              "stay as they are\nnext: gridhelm-cli run {} --retry-failed\n",
                              hasJobs ? "jobs" : "runs", options.update,
                              countText(done, hasJobs ? "job" : "run"), shellText(options.update)));
}

/// What it takes, and what other grids would.
std::string costsText(const data::Plan &plan, nlohmann::json &document)
{
    const auto &space = plan.description.space;
    const int level = plan.description.level;
    const auto cost = data::costOf(plan, space, level);
    document["now"] = costJson(cost);
    const std::string unknown =
        cost.bytes == 0 ? "  (bytes: known after the first run)\n" : std::string();
    if (plan.runs > 0) {
        document["design"] = "space-filling";
        document["runs"] = plan.runs;
        return fmt::format("space-filling: {}\n{}", data::costText(cost), unknown);
    }
    document["design"] = "regular";
    document["level"] = level;
    auto text = fmt::format("level {}: {}\n{}", level, data::costText(cost), unknown);
    const auto other = [&](const std::string &what, const ParameterSpace &wider, int n) {
        try {
            const auto more = data::costOf(plan, wider, n);
            text += fmt::format("{}: {}\n", what, data::costText(more));
            document["growing"].push_back({{"what", what}, {"cost", costJson(more)}});
        } catch (const Error &) {
            text += what + ": more than can be counted\n";
        }
    };
    if (level < 30)
        other(fmt::format("level {} would be", level + 1), space, level + 1);
    for (std::size_t t = 0; t < space.parameters().size(); ++t) {
        const bool isDense = space[t].isDense;
        if (!isDense && (!space[t].levelCap || *space[t].levelCap >= level))
            continue;
        std::vector<int> caps;
        for (const auto &parameter : space.parameters())
            caps.push_back(parameter.levelCap.value_or(30));
        ++caps[t];
        const auto what =
            isDense ? fmt::format("{} values of {} would be",
                                  valuesOfCap(space[t].usedTreatment(), caps[t]), space[t].name)
                    : fmt::format("cap {} for {} would be", caps[t], space[t].name);
        other(what, space.withLevelCaps(caps), level);
    }
    return text;
}

void runPlan(const GlobalOptions &global, const PlanOptions &options)
{
    if (!options.update.empty()) {
        update(global, options);
        return;
    }
    const auto plan = data::readPlan(options.plan);
    auto out = std::filesystem::path(options.out);
    if (out.empty())
        out = std::filesystem::path(options.plan).filename().replace_extension(".gridhelm");

    nlohmann::json document;
    auto text = costsText(plan, document);
    if (!options.csv.empty()) {
        writePoints(plan, options.csv);
        text += "points written to " + options.csv + "\n";
        document["csv"] = options.csv;
    }
    if (options.dryRun) {
        text += "nothing was made (--dry-run)\n";
    } else {
        std::string note;
        auto writer = data::createStudy(out, plan, note);
        closeStudy(writer);
        printNote(note);
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
    const auto options = std::make_shared<PlanOptions>();
    command.add_option("plan", options->plan, "The plan")->required()->type_name("FILE.toml");
    command
        .add_option("--out", options->out,
                    "The study to make; by default the plan's name with .gridhelm, here")
        ->type_name("FILE");
    command.add_option("--csv", options->csv, "Write the wanted points, one a line")
        ->type_name("FILE");
    auto *dryRun = command.add_flag("--dry-run", options->dryRun, "Only say what it would take");
    command
        .add_option("--update", options->update,
                    "Let the jobs of this study follow the plan, after you have corrected it")
        ->type_name("STUDY")
        ->excludes("--out")
        ->excludes("--csv")
        ->excludes(dryRun);
    command.footer(R"(
A plan, whole:
  [[parameter]]
  name = "Re"              # ranges of a built-in simulation may be left out
  low = 100
  high = 1000
  [[parameter]]
  name = "t"               # also: unit, scale, kind = "time-like", treatment, degree, cap, times
  [grid]
  level = 4                # or design = "adaptive": few points, more by "refine" where the error is
  [simulation]
  builtin = "cavity"       # cavity, cavity3d, plate or folds; resolution, options, fixed

Few runs, without a time-like parameter: no grid, but a space-filling design of any number of
runs, and kriging:
  [grid]
  design = "space-filling" # "regular" by default
  runs = 51                # instead of the level

Or any program of yours, which works in a folder of its own for each job:
  [simulation]
  command = ["/home/me/solve", "case.in", "--times", "{times}"]   # or one text, for the shell
  templates = ["case.in"]  # files or folders beside the plan, copied there
  result = "out_{t}.vti"   # a file for each time, or a series (.pvd, .series); * and ? are allowed,
                           # and the number may be written in any way: out_0.6.vti, out_6e-01.vti
  time-limit = 600         # seconds; also: environment = {NAME = "value"}, fields = ["p"]
Placeholders are {Re}, the name of any parameter, in templates, command, environment and result; {job}
and {dir}, the job's name and folder. A run delivers all values of the time-like parameter: {times}
are those that are wanted, {last} is the last of them, and {t} is for the result alone. They cost no
run: there are 33 of them, evenly spread over the range, ends included, unless the parameter says
otherwise (times = 17, say; 2^k + 1 are possible). A command that has output times of its own says how
many of such times are among them. An argument
"{times}" of a command that is a list becomes as many arguments, one for each time; elsewhere {times}
is one text, with spaces between.

If runs have meshes of their own (otherwise that is an error):
  [mesh]
  kind = "moving"          # the same cells, whose nodes move; "background": the shape changes (a
  points = [65, 65]        # hole grows), all onto a regular grid of so many points; "resampled":
                           # other meshes of the same body, onto the first one's

Or files that exist already: leave [simulation] out, then see gridhelm-cli import --help.

With space in the grid (a scalar study: one value at each point, sampled from the results, which
have to be images); fine meshes of smooth fields take far less room then:
  [study]
  kind = "scalar"
  [[space]]                # one for each direction of the mesh: x, y, z
  name = "px"              # also: low, high, unit, treatment, degree, cap

Examples:
  gridhelm-cli plan cavity.toml --dry-run
  gridhelm-cli plan cavity.toml --out cavity.gridhelm --csv points.csv
  gridhelm-cli plan cavity.toml --update cavity.gridhelm     # a corrected command, say)");
    command.callback([&global, options] { runPlan(global, *options); });
}

} // namespace gridhelm::cli
