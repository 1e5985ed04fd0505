// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/execution.h"
#include "app/cli/next_step.h"
#include "app/cli/output.h"
#include "app/cli/study_console.h"
#include "app/cli/study_report.h"
#include "app/cli/study_steps.h"
#include "core/modes/modes.h"
#include "core/sparse/dimension_basis.h"
#include "core/support/bytes_text.h"
#include "core/support/error.h"
#include "core/support/parse_numbers.h"
#include "data/campaign/surrogate_name.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>

namespace gridhelm::cli {
namespace {

struct CompressOptions
{
    std::string study;
    std::string holdOuts = "0";
    std::string degree;
    bool allowMissing = false;
    bool raw = false;
    bool dropSnapshots = false;
    bool withModes = false;
    std::string modes;     ///< share of the energy; empty: as the error asks for
    std::optional<std::string> error; ///< none: as it is
    std::string surrogate; ///< empty: as it is
    std::vector<std::string> fields;
    bool keepGoing = false;
    bool trust = false;
    std::string on;
};

/// How many snapshots are missing, and which command brings them.
std::string missingText(const data::Study &study)
{
    const auto missing = std::ranges::count(study.pointsWithSnapshots(), false);
    return fmt::format("{} MISSING; they come with: {}",
                       countText(static_cast<std::uint64_t>(missing), "grid point"),
                       nextStep(study));
}

/// What went wrong with hold-outs; all else is in the study.
[[noreturn]] void throwHoldOutsFailed(const data::CampaignReport &report)
{
    if (report.stopped)
        throw Error(data::stoppedText(report, "validation run")
                    + "; the coefficients are stored all the same: correct what is wrong, then "
                      "repeat the command, or repeat it with --keep-going");
    throw Error(fmt::format(
        "{} failed ({}); the coefficients are stored all the same, and errors are measured at the "
        "validation points that are there: correct what is wrong, then repeat the command",
        countText(report.failed, "validation run"), report.firstFailure));
}

const char *nameOf(data::RowForm form)
{
    switch (form) {
    case data::RowForm::fewBitModes:
        return "modes_in_few_bits";
    case data::RowForm::fewBitRows:
        return "rows_in_few_bits";
    case data::RowForm::modes:
        return "modes";
    case data::RowForm::rows:
        return "float32_rows";
    }
    return "";
}

/// [{"field", "taken": "float32_rows", "picture_bytes": of each form that is near enough}].
nlohmann::json formsJson(const data::Study &study, const std::vector<data::FormChoice> &forms)
{
    auto list = nlohmann::json::array();
    for (const auto &of : forms) {
        nlohmann::json bytes = {{"float32_rows", of.rows}};
        if (of.fewBitModes > 0)
            bytes["modes_in_few_bits"] = of.fewBitModes;
        if (of.fewBitRows > 0)
            bytes["rows_in_few_bits"] = of.fewBitRows;
        if (of.modes > 0)
            bytes["modes"] = of.modes;
        list.push_back({{"field", study.fields()[of.field].name},
                        {"taken", nameOf(of.taken)},
                        {"picture_bytes", bytes}});
    }
    return list;
}

/// No cut: as the error of the surrogate asks for.
data::ModesStep modesOf(const std::string &text)
{
    if (text.empty())
        return {};
    if (text == "none")
        return {std::nullopt, true};
    const double cut = parseReal(text, "--modes");
    if (!(cut >= modes::smallestCut && cut < 1))
        throw Error(
            fmt::format("--modes cannot be {}: choose the fraction of the energy that may be cut, "
                        "{:g} to less than 1 (1e-9 is a relative error of 3e-5), or none",
                        text, modes::smallestCut));
    return {cut};
}

/// NaN, which nothing allows, of what is no number.
double realOf(const std::string &text)
{
    try {
        return parseReal(text, "--error");
    } catch (const Error &) {
        return std::numeric_limits<double>::quiet_NaN();
    }
}

data::AddedErrorStep errorOf(const std::string &text)
{
    if (text == "half")
        return {0, true};
    const bool isPercent = text.ends_with('%');
    const double number = realOf(isPercent ? text.substr(0, text.size() - 1) : text);
    const double allowed = isPercent ? number / 100 : number;
    if (allowed != 0 && !(allowed >= data::smallestAddedError && allowed < 1))
        throw Error(fmt::format("--error cannot be \"{}\": choose what may be added to the error, "
                                "{:g} % to less than 100 %, half (of the error that was measured), "
                                "or 0 for exact storage",
                                text, 100 * data::smallestAddedError));
    return {allowed, false};
}

CompressStep stepOf(const GlobalOptions &global, const CompressOptions &options)
{
    CompressStep step;
    const int holdOuts = parseInteger(options.holdOuts, "--holdout");
    if (holdOuts < 0 || holdOuts > 100000)
        throw Error("--holdout cannot be " + options.holdOuts + "; choose 0 to 100000");
    step.holdOuts = static_cast<std::size_t>(holdOuts);
    if (!options.degree.empty())
        step.degrees = sparse::parseDegrees(options.degree);
    step.allowMissing = options.allowMissing;
    step.raw = options.raw;
    step.keepGoing = options.keepGoing;
    if (options.withModes)
        step.modes = modesOf(options.modes);
    if (options.error)
        step.error = errorOf(*options.error);
    if (options.withModes && !options.modes.empty() && step.error && step.error->isAny())
        throw Error(fmt::format("--modes {} and --error {} both say how many POD modes there are; "
                                "leave one of them out",
                                options.modes, *options.error));
    if (!options.surrogate.empty())
        step.surrogate =
            data::SurrogateStep{data::surrogateKindOf(options.surrogate), options.fields};
    else if (!options.fields.empty())
        throw Error("--field says which fields --surrogate is for: give it, or leave --field out");
    const auto devices = studyDevices(global);
    step.context = devices.context;
    step.backend = devices.backend;
    return step;
}

/// What was done.
std::string textOf(const data::Study &study, const data::CompressStepReport &report,
                   std::uint64_t freed)
{
    const auto &done = report.compress;
    auto text = data::compressText(done) + "\n";
    if (done.provisional > 0)
        text += fmt::format("{} provisional: snapshots below are missing\n", done.provisional);
    if (done.waiting > 0)
        text += fmt::format("{} waiting for snapshots below them (--allow-missing takes them "
                            "all the same)\n",
                            done.waiting);
    if (done.missing > 0)
        text += missingText(study) + "\n";
    if (report.holdOuts.done > 0)
        text += fmt::format("{} made\n", countText(report.holdOuts.done, "validation snapshot"));
    if (freed > 0)
        text += fmt::format("snapshots dropped: {} less; with them go, for good, other degrees and "
                            "choosing one, check beside snapshots (it measures beside "
                            "coefficients), and exact responses; kriging and comparing surrogates "
                            "go on with what coefficients rebuild\n",
                            bytesText(static_cast<double>(freed)));
    if (report.withoutModes > 0)
        text += fmt::format("POD modes of {} taken away: coefficients replace them\n",
                            countText(report.withoutModes, "field"));
    if (report.modes.fields > 0)
        text += fmt::format("POD modes of {} made\n", countText(report.modes.fields, "field"));
    if (report.quantised > 0)
        text += fmt::format("POD modes of {} quantised\n", countText(report.quantised, "field"));
    if (report.quantisedRows > 0)
        text +=
            fmt::format("coefficients of {} quantised\n", countText(report.quantisedRows, "field"));
    if (report.exactRows > 0)
        text += fmt::format("coefficients of {} are exact again\n",
                            countText(report.exactRows, "field"));
    for (const auto &choice : report.forms)
        text += data::formText(study, choice) + "\n";
    if (report.kriging.fields > 0)
        text += fmt::format("kriging of {} made\n", countText(report.kriging.fields, "field"));
    if (report.chosen > 0)
        text += fmt::format("surrogate of {} chosen\n", countText(report.chosen, "field"));
    if (const auto zero = report.modes.zero + report.kriging.zero; zero > 0)
        text +=
            fmt::format("{} everywhere 0, which needs no POD modes\n", countText(zero, "field"));
    if (!report.note.empty())
        text += report.note + "\n";
    return text;
}

void runCompress(const GlobalOptions &global, const CompressOptions &options)
{
    const auto step = stepOf(global, options);
    auto writer = data::StudyWriter::open(options.study);
    if (writer.fields().empty())
        throw Error("There is nothing to compress, for the study has no results yet; they come "
                    "with: "
                    + nextStep(writer));
    const auto report = compressStep(writer, step, {options.trust, !global.json, options.on});
    std::uint64_t freed = 0;
    std::string notice;
    if (options.dropSnapshots) {
        freed = writer.dropSnapshots();
        notice = writer.compactIfWorthwhile(0);
    } else if (report.modes.fields + report.forms.size() + report.quantised + report.quantisedRows
                   + report.exactRows + report.kriging.fields + report.withoutModes
               > 0) {
        notice = writer.compactIfWorthwhile(); // exact modes have made place for what was taken
    }
    printNote(notice);
    closeStudy(writer);

    const auto study = openStudy(options.study);
    const auto &done = report.compress;
    if (global.json) {
        printJson({{"computed", done.computed},
                   {"recomputed", done.recomputed},
                   {"provisional", done.provisional},
                   {"waiting", done.waiting},
                   {"missing", done.missing},
                   {"hold_outs_made", report.holdOuts.done},
                   {"hold_outs_failed", report.holdOuts.failed},
                   {"hold_outs_not_begun", report.holdOuts.notBegun},
                   {"snapshot_bytes_dropped", freed},
                   {"notice", notice},
                   {"modes_made", report.modes.fields},
                   {"modes_taken_away", report.withoutModes},
                   {"quantised", report.quantised},
                   {"quantised_rows", report.quantisedRows},
                   {"exact_again", report.exactRows},
                   {"forms", formsJson(study, report.forms)},
                   {"kriging_made", report.kriging.fields},
                   {"surrogates_chosen", report.chosen},
                   {"study", infoJson(study)},
                   {"execution", executionJson(global, withCpu(report.computedOn))}});
    } else {
        printText(textOf(study, report, freed) + infoText(study));
    }
    if (report.holdOuts.failed > 0)
        throwHoldOutsFailed(report.holdOuts);
    if (done.missing > 0 && done.computed + done.recomputed + report.holdOuts.done == 0
        && report.kriging.fields + report.chosen == 0)
        throw Error("Nothing could be computed: " + missingText(study));
}

} // namespace

void addCompressCommand(CLI::App &parent, const GlobalOptions &global)
{
    CLI::App &command = *parent.add_subcommand(
        "compress",
        "Turn a study's snapshots into hierarchical surpluses (coefficients), measure the error");
    const auto options = std::make_shared<CompressOptions>();
    command.add_option("study", options->study, "The study")->required()->type_name("STUDY");
    command
        .add_option(
            "--holdout", options->holdOuts,
            "Measure the error at K validation points off the grid; runs those that are missing")
        ->type_name("K")
        ->capture_default_str();
    command
        .add_option("--degree", options->degree,
                    "Compress all snapshots again, with functions of another degree, without any "
                    "run: "
                        + sparse::degreeHelp() + "; one for all, or one per parameter")
        ->type_name("P[,...]");
    command.add_flag("--allow-missing", options->allowMissing,
                     "Go on where snapshots are missing, as if their coefficients were 0");
    command.add_flag("--raw", options->raw, "Store coefficients without zstd: faster, larger");
    command.add_flag("--drop-snapshots", options->dropSnapshots,
                     "Delete snapshots that the coefficients have replaced");
    const auto *modes =
        command
            .add_option("--modes", options->modes,
                        "Store POD modes, too, and evaluate by them: all but this fraction of the "
                        "energy (default: 1e-9, or less where a tenth of the leave-one-out error "
                        "asks for it); none takes them away, and coefficients replace them")
            ->type_name("[ENERGY|none]")
            ->expected(0, 1);
    command
        .add_option("--error", options->error,
                    "Quantise POD modes (or coefficients, where a picture reads less of them) as "
                    "coarsely as this allows, and evaluate by them: what may be added to the error "
                    "of any snapshot and validation point, 0.3% say, relative to the field; half, "
                    "of the error that was measured; or 0, exact ones, as without this option")
        ->type_name("E");
    command
        .add_option("--surrogate", options->surrogate,
                    "What fields are evaluated by from now on: sparse-grid (the coefficients), or "
                    "kriging of the POD modes of all snapshots, for which missing ones are no "
                    "obstacle, or auto: for each field the one with the smaller error, with the "
                    "degree of the smallest, now and when there are new runs")
        ->type_name("KIND");
    command
        .add_option("--field", options->fields,
                    "Of --surrogate: this field alone (may be repeated)")
        ->type_name("NAME")
        ->expected(1)
        ->take_all();
    command.add_flag("--keep-going", options->keepGoing, keepGoingHelp);
    command.add_option("--on", options->on, std::string(onHelp) + "; of --holdout")
        ->type_name("PLACE");
    command.add_flag("--trust", options->trust, trustHelp);
    command.footer(R"(
May be called while jobs are still waiting, and again whenever there is more. The exit code is not 0
if a validation run has failed, or if nothing could be computed because snapshots are missing.
POD modes are the few fields of which all snapshots are combinations: a picture then costs its
modes, however many runs there are. No run is needed for them, the coefficients stay, and errors are
measured with them. When more is compressed later, they are made again.
With --error as few POD modes are kept, quantised as coarsely, as are within it at all snapshots and
validation points, which is measured after they are written; where snapshots are no combinations of
a few modes, quantised coefficients are kept instead, or, where a picture reads so few of them that
it is quicker, coefficients as they are, unless --modes is given, too; what a picture reads in each
form is printed. Coefficients and snapshots stay, so that it can be done again with another error,
or with 0, which leaves exact POD modes (--modes none takes these away as well).
Kriging (a Gaussian process for each POD mode) is for few runs, and for those that are not at all
points of the grid. Its kernel, mean and warping are chosen by the leave-one-out error, which "info"
prints. It is made again when there are more runs; --surrogate sparse-grid goes back.
--surrogate auto leaves the finest runs out of both kinds, and takes the one with the smaller error
there (or at five or more training runs off the grid, where there are so many). Validation points
are not used for the choice, unless they show a large error of the chosen one and a small one of the
other: then the other one is taken, which is printed. What was chosen by hand stays until auto is
asked for again. A degree that is given beside it stays, too.
Validation errors are the ones to believe: range corners and face centres are among their points,
the others are round numbers. Validation points whose runs failed are missing, which the errors
tell.

Examples:
  gridhelm-cli compress cavity.gridhelm --holdout 23
  gridhelm-cli compress cavity.gridhelm --holdout 23 --keep-going
  gridhelm-cli compress cavity.gridhelm --holdout 23 --devices gpu:all   # measure errors there
  gridhelm-cli compress cavity.gridhelm --modes
  gridhelm-cli compress cavity.gridhelm --error half
  gridhelm-cli compress cavity.gridhelm --error 0.3%
  gridhelm-cli compress cavity.gridhelm --surrogate kriging --field velocity
  gridhelm-cli compress cavity.gridhelm --surrogate auto
  gridhelm-cli compress cavity.gridhelm --allow-missing
  gridhelm-cli compress cavity.gridhelm --degree 3    # validation errors are measured again)");
    command.callback([&global, options, modes] {
        options->withModes = modes->count() > 0;
        runCompress(global, *options);
    });
}

} // namespace gridhelm::cli
