// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/execution.h"
#include "app/cli/interruption.h"
#include "app/cli/output.h"
#include "app/cli/solve_help.h"
#include "app/cli/study_console.h"
#include "app/cli/tune_stencil.h"
#include "core/solvers/setup/problem_text.h"
#include "core/stencil/analysis.h"
#include "core/stencil/generate/code.h"
#include "core/support/cache_folder.h"
#include "core/support/error.h"
#include "data/stencil/generated_folder.h"
#include "data/stencil/stencil_file.h"
#include "gpu/stencil/cuda_stencil.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <memory>
#include <optional>

namespace gridhelm::cli {
namespace {

struct GenerateOptions
{
    std::string file;
    std::string into;
    bool tunes = false;
};

nlohmann::json jsonOf(const StencilVariant &variant, bool isGpu)
{
    nlohmann::json result = {{"iterations", variant.target.iterationsPerPass},
                             {"updates_per_second", variant.updatesPerSecond}};
    if (isGpu) {
        result["block"] = variant.target.block;
        result["unknowns"] = variant.target.unknowns;
    } else {
        result["side_by_side"] = variant.target.sideBySide;
    }
    return result;
}

nlohmann::json jsonOf(const StencilTuning &tuning, bool isGpu)
{
    auto tried = nlohmann::json::array();
    for (const auto &variant : tuning.tried)
        tried.push_back(jsonOf(variant, isGpu));
    return {{"before", jsonOf(tuning.before, isGpu)},
            {"best", jsonOf(tuning.best, isGpu)},
            {"variants", tuning.variants},
            {"seconds", tuning.seconds},
            {"tried", tried}};
}

std::string textOf(const StencilTuning &tuning, const stencil::Stencil &stencil)
{
    std::string text;
    for (const auto &variant : tuning.tried)
        text += fmt::format("tried      {}: {:.3g} updates/s\n", textOf(variant, stencil),
                            variant.updatesPerSecond);
    return text
           + fmt::format(
               "tuned      {}: {:.2f} times as fast as before; {} of {} tried in {:.3g} s\n",
               textOf(tuning.best, stencil),
               tuning.best.updatesPerSecond / tuning.before.updatesPerSecond, tuning.tried.size(),
               tuning.variants, tuning.seconds);
}

StencilTuning tuned(const stencil::Stencil &stencil, const GlobalOptions &global)
{
    const auto context = teamContext(global).withFallback(FallbackPolicy::forbidden);
    // Code for several devices is that of one, and one is enough to time it.
    auto ofOne = stencil;
    if (stencil.isForGpu()) {
        if (context.gpus().empty())
            throw Error("--tune times variants, but the stencil is for a GPU and there is none "
                        "here; leave it out, or choose on = \"cpu\"");
        ofOne.target.device = stencil::Target::Device::gpu;
    }
    const Interruption interruption;
    const data::StencilMeans means{&gpu::stencilGpu(), "auto", stencil.isForGpu() ? "gpu" : "cpu",
                                   false, cacheFolder()};
    StencilTuneOptions options;
    options.stop = interruption.token();
    return tuneStencil(ofOne, means, context.withTeam({}), options);
}

/// By the name of the file, which may be somebody else's, if it is plain enough to be typed.
std::filesystem::path usualFolder(const std::string &file)
{
    const auto stem = std::filesystem::path(file).stem().string();
    const bool isPlain = std::ranges::all_of(stem, [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '.';
    });
    if (!isPlain || stem.empty() || stem.front() == '-')
        throw Error(
            "the file's name is no good name for a folder: say where the code is to go with "
            "--into");
    return stem + "-code";
}

void run(const GlobalOptions &global, const GenerateOptions &typed)
{
    auto file = data::readStencil(typed.file);
    auto &stencil = file.stencil;
    const auto bound = spectralBound(stencil);
    if (const auto warning = divergenceWarning(bound); !warning.empty())
        printMessage(fmt::format("Warning: {}.\n", warning));
    const std::filesystem::path folder =
        typed.into.empty() ? usualFolder(typed.file) : std::filesystem::path(typed.into);
    std::optional<StencilTuning> tuning;
    if (typed.tunes) {
        tuning = tuned(stencil, global);
        const auto device = stencil.target.device;
        stencil.target = tuning->best.target;
        stencil.target.device = device;
    }
    const auto files = folderCode(stencil);
    data::writeNewFolder(folder, files);
    const auto products = weightGroups(stencil).size();
    if (global.json) {
        auto names = nlohmann::json::array();
        for (const auto &[name, text] : files)
            names.push_back(name);
        printJson({{"tuning", tuning ? jsonOf(*tuning, stencil.isForGpu()) : nlohmann::json()},
                   {"folder", folder.string()},
                   {"files", names},
                   {"neighbours", stencil.neighbours.size()},
                   {"radius", radiusOf(stencil)},
                   {"products", products},
                   {"symmetric", isSymmetric(stencil)},
                   {"separable", separableFactors(stencil).has_value()},
                   {"spectral_bound", bound.value}});
    } else {
        std::string text = tuning ? textOf(*tuning, stencil) : "";
        text += fmt::format(
            "stencil    {} neighbours, {} points, {}; {} product{} for each value{}\nfolder     "
            "{}\n",
            stencil.neighbours.size(), solvers::describeSize(stencil.points, stencil.dimension),
            solvers::nameOf(stencil.precision), products, products == 1 ? "" : "s",
            separableFactors(stencil) ? "; its weights are separable" : "", folder.string());
        const auto build = shellText(folder / "build");
        text +=
            fmt::format("build it   cmake -S {} -B {} && cmake --build {}\n"
                        "check it   {}\n",
                        shellText(folder), build, build, shellText(folder / "build" / "stencil"));
        printText(text);
    }
    flushOutput();
}

} // namespace

void addGenerateCommand(CLI::App &parent, const GlobalOptions &global)
{
    CLI::App &command = *parent.add_subcommand(
        "generate",
        "Code for any linear stencil in 2 or 3 dimensions: a folder that builds by itself");
    const auto options = std::make_shared<GenerateOptions>();
    command.add_option("FILE", options->file, "The stencil, a TOML file")
        ->required()
        ->type_name("stencil.toml");
    command
        .add_option("--into", options->into,
                    "The folder, new or empty (default: the file's name with -code)")
        ->type_name("FOLDER");
    command.add_flag("--tune", options->tunes,
                     "Try variants of the code on this CPU or GPU, and write the fastest one");
    command.footer(
        "\n"
        + wrapped("The folder needs nothing of Gridhelm: stencil.h and stencil.cpp are the "
                  "stencil, main.cpp checks it against the literal loop and times it "
                  "beside a copy of as many bytes, CMakeLists.txt builds them.")
        + R"(
Examples:
  gridhelm-cli generate stencil.toml --into heat
  gridhelm-cli generate stencil.toml --into heat --tune
  cmake -S heat -B heat/build && cmake --build heat/build
  heat/build/stencil --json)");
    command.callback([&global, options] { run(global, *options); });
}

} // namespace gridhelm::cli
