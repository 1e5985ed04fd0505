// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/execution.h"
#include "app/cli/interrupted.h"
#include "app/cli/interruption.h"
#include "app/cli/output.h"
#include "app/cli/solve_help.h"
#include "app/cli/solve_task.h"
#include "core/solvers/problem_in_words.h"
#include "core/solvers/setup/problem_text.h"
#include "core/stencil/analysis.h"
#include "core/stencil/stencil_stepper.h"
#include "core/support/cache_folder.h"
#include "core/support/error.h"
#include "data/stencil/stencil_file.h"
#include "data/stencil/stencil_solver.h"
#include "data/support/count_text.h"
#include "gpu/stencil/cuda_stencil.h"

#include <fmt/format.h>

#include <memory>
#include <utility>

namespace gridhelm::cli {
namespace {

struct SolveStencilOptions
{
    std::string file;
    bool literal = false;
    RunOptions run;
    SolveOutputOptions output;
};

nlohmann::json settingsOf(const stencil::Stencil &stencil, const std::string &file,
                          const stencil::SpectralBound &bound)
{
    const auto separable = separableFactors(stencil);
    return {{"solver", "stencil"},
            {"file", file},
            {"points", stencil.points},
            {"dimension", stencil.dimension},
            {"spacing", stencil.spacing},
            {"neighbours", stencil.neighbours.size()},
            {"radius", radiusOf(stencil)},
            {"products", weightGroups(stencil).size()},
            {"symmetric", isSymmetric(stencil)},
            {"separable", separable.has_value()},
            {"spectral_bound", bound.value},
            {"precision", solvers::nameOf(stencil.precision)},
            {"source_factor", stencil.source.factor}};
}

data::PreparedStencil prepared(const GlobalOptions &global, const stencil::Stencil &stencil,
                               bool isLiteral, const ExecutionContext &context,
                               const std::stop_token &stop)
{
    const data::StencilMeans means{&gpu::stencilGpu(), global.backend, global.devices, isLiteral,
                                   cacheFolder()};
    auto result = prepareStencil(stencil, means, context, stop);
    if (stop.stop_requested())
        throw Interrupted("Stopped before the first iteration; nothing was written");
    if (!result.whyLiteral.empty())
        printMessage(
            fmt::format("The literal loop computes, more slowly: {}.\n", result.whyLiteral));
    return result;
}

void run(const GlobalOptions &global, const SolveStencilOptions &typed)
{
    const auto interruption = std::make_shared<const Interruption>(); // compiling takes seconds
    static_cast<void>(solverBackend(global)); // refuses those that there are not
    const auto &context = teamContext(global);
    auto file = data::readStencil(typed.file);
    auto &stencil = file.stencil;
    auto cpu = context.cpu();
    if (stencil.target.threads > 0 && global.threads == "0")
        cpu = cpuWith(std::min(stencil.target.threads, cpu.threads));
    const auto bound = spectralBound(stencil, cpu);
    if (const auto warning = divergenceWarning(bound); !warning.empty())
        printMessage(fmt::format("Warning: {}.\n", warning));
    SolveTask task;
    task.title = fmt::format("stencil    {}, {} points, {}",
                             data::countText(stencil.neighbours.size(), "neighbour"),
                             solvers::describeSize(stencil.points, stencil.dimension),
                             solvers::nameOf(stencil.precision));
    task.settings = settingsOf(stencil, typed.file, bound);
    task.output = solveOutput(typed.output, {2, 0.5}, nullptr);
    const auto code =
        prepared(global, stencil, typed.literal, context.on(cpu), interruption->token());
    task.interruption = interruption;
    task.settings["compiler"] = code.compiler;
    task.settings["compile_seconds"] = code.seconds;
    task.settings["code"] = code.code;
    task.settings["iterations_per_pass"] = code.iterationsPerPass;
    if (!code.whyLiteral.empty())
        task.settings["why_literal"] = code.whyLiteral;
    task.solver = stencilCase(stencil, typed.run.setup, code.makeStepper);
    task.solver.backend = code.backend;
    task.solver.threads = code.threads;
    task.solver.shares = code.shares;
    task.pin = typed.run.pin;
    solve(global, task);
}

} // namespace

void addSolveStencilCommand(CLI::App &parent, const GlobalOptions &global)
{
    CLI::App &command = *parent.add_subcommand(
        "stencil", "Any linear stencil in 2 or 3 dimensions, from a file, by generated code");
    const auto options = std::make_shared<SolveStencilOptions>();
    command.add_option("FILE", options->file, "The stencil, a TOML file")
        ->required()
        ->type_name("stencil.toml");
    command.add_flag("--literal", options->literal,
                     "Compute by the definition, word for word, instead of generated code");
    addRunOptions(command, options->run, "iterations");
    addSolveOutputOptions(command, options->output);
    command.footer(
        "\n"
        + wrapped(
            "It iterates u' = sum of w_d u(p + d) + s f for all points p at once. The neighbours d "
            "and their weights w, the source f with its factor s, what is beyond the sides, "
            "precision and start are in the file; docs/solvers/stencils.md has all keys.")
        + "\n"
        + wrapped("The code is made from the file's numbers and compiled here by c++, g++ or "
                  "clang++; it is kept for the next time. No text of the file gets into it, "
                  "so that a file from somebody else needs no trust. Without a compiler the "
                  "literal loop computes.")
        + "\n"
        + wrapped("With --devices gpu (or on = \"gpu\" in the file) a GPU computes; its code is "
                  "compiled by NVRTC, a part of NVIDIA's CUDA toolkit. Several devices share the "
                  "grid with --devices gpu:all, gpu:0,1, gpu+cpu, cpu/2 (or on = \"several\", "
                  "\"both\"): each has some rows, or planes in 3D.")
        + helpOf({solvers::Quantity::residual, solvers::Quantity::change}) + R"(
A stencil.toml:
  points = [512, 512]
  neighbours = [[-1, 0, 0.25], [1, 0, 0.25], [0, -1, 0.25], [0, 1, 0.25]]
  [source]
  factor = 0.25
  spike = [0.5, 0.5]

Examples:
  gridhelm-cli solve stencil stencil.toml --iterations 2000 --picture u.png
  gridhelm-cli solve stencil stencil.toml --until change=1e-6 --save u.vti --json
  gridhelm-cli solve stencil stencil.toml --at "500:source factor=0.1"
  gridhelm-cli --devices gpu solve stencil stencil.toml --iterations 100000
  gridhelm-cli --devices gpu:all solve stencil stencil.toml --iterations 100000)");
    command.callback([&global, options] { run(global, *options); });
}

} // namespace gridhelm::cli
