// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/solve_task.h"

#include "app/cli/execution.h"
#include "app/cli/interruption.h"
#include "app/cli/output.h"
#include "app/machine/environment.h"
#include "core/execution/pin_threads.h"
#include "core/solvers/field_layers.h"
#include "core/solvers/field_pieces.h"
#include "core/support/error.h"
#include "core/support/parse_numbers.h"
#include "core/support/system_info.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <initializer_list>
#include <string_view>
#include <utility>
#include <vector>

namespace gridhelm::cli {
namespace {

/// Returns the names of the files. Of ranks the first one writes, what it gets from all.
nlohmann::json writeFiles(const SolveTask &task, const solvers::Stepper &stepper,
                          const RunResult &result, Ranks *ranks)
{
    nlohmann::json files = nlohmann::json::object();
    const auto &output = task.output;
    const bool savesPieces = solvers::isPieceIndex(output.save);
    if (savesPieces)
        solvers::saveFieldPieces(output.save, task.solver.fieldName, stepper.part(), output.layers);
    solvers::FieldView field;
    if ((!output.save.empty() && !savesPieces) || !output.picture.empty())
        field = stepper.field();
    doneByFirst(ranks, [&] {
        if (!output.save.empty() && !savesPieces)
            solvers::saveField(output.save, task.solver.fieldName, field, output.layers);
        if (!output.save.empty())
            files["save"] = output.save;
        if (!output.picture.empty()) {
            const auto slice = solvers::sliceOf(field, output.slice);
            drawSolution(slice, output.bands, result.history, task.solver.shown,
                         task.solver.plan.unit)
                .writePng(output.picture);
            files["picture"] = output.picture;
        }
        if (!output.history.empty()) {
            writeText(output.history, solvers::csvOf(result.history));
            files["history"] = output.history;
        }
    });
    return files;
}

nlohmann::json jsonOf(const std::vector<DeviceShare> &shares)
{
    auto list = nlohmann::json::array();
    for (const auto &share : shares) {
        list.push_back({{"device", share.device},
                        {"layers", share.layers},
                        {"begin", share.begin},
                        {"end", share.end},
                        {"transfer", nullptr},
                        {"idle", nullptr}});
        if (share.times) {
            list.back()["transfer"] = share.times->transfer;
            list.back()["idle"] = share.times->idle;
        }
    }
    return list;
}

std::string whoComputes(const solvers::SolverCase &solver, const ComputedOn &where,
                        const Ranks *ranks)
{
    if (solver.threads == 0 && where == ComputedOn::cpu())
        return fmt::format("the CPU in place of {}", solver.backend);
    if (solver.threads == 0)
        return ranks != nullptr
                   ? fmt::format("{} ranks, a GPU each ({})", ranks->count(), solver.backend)
                   : solver.backend;
    const auto threads = fmt::format("{} thread{}", solver.threads, solver.threads == 1 ? "" : "s");
    return ranks != nullptr ? fmt::format("{} ranks of {}", ranks->count(), threads) : threads;
}

/// That each rank can write its piece, and no other file goes there.
void requirePieces(const SolveOutput &output, Ranks *ranks)
{
    const auto number = ranks != nullptr ? static_cast<std::size_t>(ranks->number()) : 0;
    doneByAll(ranks, [&] {
        const auto piece = solvers::pathOfPiece(output.save, number);
        requireWritable(piece);
        for (const auto &other : {output.picture, output.history}) {
            if (!other.empty()
                && std::filesystem::path(other).lexically_normal() == piece.lexically_normal())
                throw Error(fmt::format("{} is a piece of {}: give the other file another name",
                                        other, output.save));
        }
    });
}

/// A file that is not called what is in it is opened by nothing.
void requireEnding(std::string_view option, const std::filesystem::path &file,
                   std::string_view what, std::initializer_list<std::string_view> endings)
{
    if (!file.empty() && std::ranges::find(endings, file.extension().string()) == endings.end())
        throw Error(fmt::format("{} writes {}: give {} a name that ends in {}", option, what,
                                file.string(), fmt::join(endings, " or ")));
}

} // namespace

void addSolveOutputOptions(CLI::App &command, SolveOutputOptions &options)
{
    command
        .add_option(
            "--save", options.save,
            "Save the field as VTK image data, which ParaView opens; FILE.pvti: in pieces, one "
            "for each process of mpirun")
        ->type_name("FILE.vti");
    command
        .add_option("--picture", options.picture,
                    "Draw the field and, beside it, how the run converged")
        ->type_name("FILE.png");
    command.add_option("--slice", options.slice, "The plane of a 3D field that is drawn")
        ->type_name("AXIS=0..1");
    command.add_option("--history", options.history, "Write all figures of the run, by iteration")
        ->type_name("FILE.csv");
}

SolveOutput solveOutput(const SolveOutputOptions &options, const solvers::SliceChoice &defaultSlice,
                        Ranks *ranks)
{
    SolveOutput output{options.save, options.picture, options.history, defaultSlice, {}, {}};
    if (options.slice)
        output.slice = solvers::parseSlice(*options.slice, "--slice");
    if (options.layers) {
        constexpr int most = 10000;
        output.layers = parseInteger(*options.layers, "--layers");
        if (*output.layers < 1 || *output.layers > most)
            throw Error(fmt::format("--layers: {} layers are not possible: choose 1 to {}",
                                    *output.layers, most));
    }
    doneByFirst(ranks, [&] {
        for (const auto *name : {&output.save, &output.picture, &output.history}) {
            if (!name->empty())
                requireWritable(*name);
        }
        requireEnding("--save", output.save, "VTK image data", {".vti", ".pvti"});
        requireEnding("--picture", output.picture, "a PNG", {".png"});
    });
    if (solvers::isPieceIndex(output.save))
        requirePieces(output, ranks);
    return output;
}

void solve(const GlobalOptions &global, const SolveTask &task)
{
    const auto interruption =
        task.interruption ? task.interruption : std::make_shared<const Interruption>();
    std::optional<PinnedThreads> pinned;
    if (task.pin && task.solver.threads > 0)
        pinned.emplace(CpuDevice{task.solver.threads});
    auto *ranks = global.ranks.get();
    const auto runOf = [&](solvers::Stepper &stepper) {
        return runSolver(stepper, task.solver.plan, interruption->token(),
                         pinned ? &*pinned : nullptr, ranks);
    };
    std::optional<RunResult> cold; // its stepper's memory is free before the warm one wants some
    if (task.cold)
        cold = runOf(*task.cold->makeStepper());
    const auto stepper = task.solver.makeStepper();
    const RunResult result = runOf(*stepper);
    const auto shares = solvers::timedShares(task.solver, *stepper);
    const auto files = writeFiles(task, *stepper, result, ranks);

    if (global.json) {
        auto document = jsonOf(result, task.solver.plan);
        document["method"] = stepper->method();
        document["settings"] = task.settings;
        document["settings"]["backend"] = task.solver.backend;
        document["settings"]["threads"] = task.solver.threads;
        document["settings"]["pinned"] = pinned.has_value();
        document["execution"] = executionJson(global, stepper->computedOn());
        if (ranks != nullptr)
            document["execution"]["ranks"] = ranksJson(teamContext(global), *task.solver.shares);
        document["environment"] = app::environmentJson(teamContext(global));
        if (!shares.empty())
            document["shares"] = jsonOf(shares);
        if (cold)
            document["cold"] = comparisonJson(*cold, result, task.solver.plan);
        document["files"] = files;
        printJson(document);
    } else {
        std::string text = fmt::format("{}, {}{}\n", task.title,
                                       whoComputes(task.solver, stepper->computedOn(), ranks),
                                       pinned ? ", pinned" : "");
        text += summaryOf(result, task.solver.plan, task.solver.unknowns, task.isWarm);
        if (cold)
            text += comparisonText(*cold, result, task.solver.plan);
        for (const auto &share : shares)
            text += fmt::format("{:<10} {}\n", &share == shares.data() ? "devices" : "",
                                describe(share));
        for (const auto &file : files.items())
            text += fmt::format("{:<10} {}\n", file.key(), file.value().get<std::string>());
        printText(text);
    }
    flushOutput();
    if (const int code = exitCodeOf(result, task.solver.plan))
        throw EarlyEnd{code};
}

void addPrecisionOption(CLI::App &command, std::string &precision)
{
    command.add_option("--precision", precision, "float or double")
        ->type_name("TYPE")
        ->capture_default_str();
}

} // namespace gridhelm::cli
