// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/execution.h"
#include "app/cli/interrupted.h"
#include "app/cli/interruption.h"
#include "app/cli/output.h"
#include "app/cli/solve_help.h"
#include "app/cli/study_console.h"
#include "core/solvers/setup/problem_text.h"
#include "core/stencil/analysis.h"
#include "core/stencil/generate/code.h"
#include "core/stencil/generate/folder_limits.h"
#include "core/stencil/stencil_data.h"
#include "core/support/cache_folder.h"
#include "core/support/error.h"
#include "data/stencil/generated_folder.h"
#include "data/stencil/stencil_file.h"
#include "data/stencil/tune_stencil.h"
#include "gpu/stencil/cuda_stencil.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace gridhelm::cli {
namespace {

struct GenerateOptions
{
    std::string file;
    std::optional<std::string> into;
    bool tunes = false;
};

using data::StencilTuning;
using data::StencilVariant;
using stencil::Target;

nlohmann::json jsonOf(const StencilVariant &variant)
{
    const auto &target = variant.target;
    nlohmann::json result = {{"iterations", target.iterationsPerPass},
                             {"updates_per_second", variant.updatesPerSecond}};
    if (target.device == Target::Device::cpu) {
        result["side_by_side"] = target.sideBySide;
    } else {
        result["block"] = target.block;
        result["unknowns"] = target.unknowns;
    }
    if (!variant.whyNot.empty())
        result["left_out"] = variant.whyNot;
    return result;
}

nlohmann::json jsonOf(const StencilTuning &tuning)
{
    auto tried = nlohmann::json::array();
    for (const auto &variant : tuning.tried)
        tried.push_back(jsonOf(variant));
    return {{"before", jsonOf(tuning.before)},
            {"best", jsonOf(tuning.best)},
            {"variants", tuning.variants},
            {"seconds", tuning.seconds},
            {"tried", tried}};
}

std::string textOf(const StencilTuning &tuning)
{
    std::string text;
    for (const auto &variant : tuning.tried)
        text += variant.whyNot.empty()
                    ? fmt::format("tried      {}: {:.3g} updates/s\n", textOf(variant),
                                  variant.updatesPerSecond)
                    : fmt::format("left out   {}: {}\n", textOf(variant), variant.whyNot);
    const auto gain =
        tuning.before.whyNot.empty()
            ? fmt::format("{:.2f} times as fast as before",
                          tuning.best.updatesPerSecond / tuning.before.updatesPerSecond)
            : std::string("the file's own cannot be used here");
    return text
           + fmt::format("tuned      {}: {}; {} of {} tried in {:.3g} s\n", textOf(tuning.best),
                         gain, tuning.tried.size(), tuning.variants, tuning.seconds);
}

/// Of code for GPUs and the CPU both, in their order; else of one of them.
struct TunedTarget
{
    Target target;
    std::vector<StencilTuning> tunings;
};

/// Code for several devices is that of one, and one of a kind is enough to time it.
TunedTarget tuned(const stencil::Stencil &stencil, const GlobalOptions &global)
{
    const auto context = teamContext(global).withFallback(FallbackPolicy::forbidden).withTeam({});
    const Interruption interruption;
    TunedTarget result{stencil.target, {}};
    const auto tune = [&](Target::Device device, bool keepsPasses) {
        auto ofOne = stencil;
        ofOne.target = result.target;
        ofOne.target.device = device;
        const data::StencilMeans means{&gpu::stencilGpu(), "auto",
                                       device == Target::Device::gpu ? "gpu" : "cpu", false,
                                       cacheFolder()};
        auto tuning = tuneStencil(ofOne, means, context,
                                  {.keepsPasses = keepsPasses, .stop = interruption.token()});
        if (tuning.isStopped)
            throw Interrupted("Stopped; nothing was written");
        result.target = tuning.best.target;
        result.tunings.push_back(std::move(tuning));
    };
    if (stencil.isForGpu()) {
        if (context.gpus().empty())
            throw Error("--tune times variants, but the stencil is for a GPU and there is none "
                        "here; leave it out, or choose on = \"cpu\"");
        tune(Target::Device::gpu, false);
    }
    const bool isForBoth = stencil.target.device == Target::Device::both;
    if (isForBoth || !stencil.isForGpu())
        tune(Target::Device::cpu, isForBoth); // the GPUs make most of it: passes are theirs
    result.target.device = stencil.target.device;
    return result;
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
    if (typed.into && typed.into->empty())
        throw Error("--into names no folder; give it a name, or leave --into out");
    const std::filesystem::path folder =
        typed.into ? std::filesystem::path(*typed.into) : usualFolder(typed.file);
    requireFolderCode(stencil); // before anything that takes long
    data::requireNewFolder(folder);
    constexpr std::size_t mostToLookAt = 100'000'000; // a second or two
    if (stencil.count() <= mostToLookAt)
        requireFinite(stencil, teamContext(global).cpu());
    std::vector<StencilTuning> tunings;
    if (typed.tunes) {
        auto tuning = tuned(stencil, global);
        stencil.target = tuning.target;
        tunings = std::move(tuning.tunings);
    }
    const auto files = folderCode(stencil);
    data::writeNewFolder(folder, files);
    const auto products = weightGroups(stencil).size();
    if (global.json) {
        auto names = nlohmann::json::array();
        for (const auto &[name, text] : files)
            names.push_back(name);
        const auto tuningOr = [&](std::size_t index) {
            return index < tunings.size() ? jsonOf(tunings[index]) : nlohmann::json();
        };
        printJson({{"tuning", tuningOr(0)},
                   {"tuning_of_cpu_beside", tuningOr(1)},
                   {"folder", folder.string()},
                   {"files", names},
                   {"neighbours", stencil.neighbours.size()},
                   {"radius", radiusOf(stencil)},
                   {"products", products},
                   {"symmetric", isSymmetric(stencil)},
                   {"separable", separableFactors(stencil).has_value()},
                   {"spectral_bound", bound.value}});
    } else {
        std::string text;
        for (const auto &tuning : tunings)
            text += textOf(tuning);
        text += fmt::format(
            "stencil    {}, {} points, {}; {} product{} for each value{}\nfolder     {}\n",
            countText(stencil.neighbours.size(), "neighbour"),
            solvers::describeSize(stencil.points, stencil.dimension),
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
    command.add_flag(
        "--tune", options->tunes,
        "Try variants of the code on this CPU or GPU, and write the fastest one; of code for "
        "both, the GPU's first, then what the CPU's has beside it");
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
