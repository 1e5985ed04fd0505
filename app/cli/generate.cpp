// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "app/cli/solve_help.h"
#include "core/solvers/setup/problem_text.h"
#include "core/stencil/analysis.h"
#include "core/stencil/generate/code.h"
#include "core/support/error.h"
#include "data/stencil/generated_folder.h"
#include "data/stencil/stencil_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <memory>

namespace gridhelm::cli {
namespace {

struct GenerateOptions
{
    std::string file;
    std::string into;
};

void run(const GlobalOptions &global, const GenerateOptions &typed)
{
    const auto file = data::readStencil(typed.file);
    const auto &stencil = file.stencil;
    const auto bound = spectralBound(stencil);
    if (const auto warning = divergenceWarning(bound); !warning.empty())
        printMessage(fmt::format("Warning: {}.\n", warning));
    const std::filesystem::path folder =
        typed.into.empty() ? std::filesystem::path(typed.file).stem().string() + "-code"
                           : typed.into;
    const auto files = folderCode(stencil);
    data::writeNewFolder(folder, files);
    const auto products = weightGroups(stencil).size();
    if (global.json) {
        auto names = nlohmann::json::array();
        for (const auto &[name, text] : files)
            names.push_back(name);
        printJson({{"folder", folder.string()},
                   {"files", names},
                   {"neighbours", stencil.neighbours.size()},
                   {"radius", radiusOf(stencil)},
                   {"products", products},
                   {"symmetric", isSymmetric(stencil)},
                   {"separable", separableFactors(stencil).has_value()},
                   {"spectral_bound", bound.value}});
    } else {
        std::string text = fmt::format(
            "stencil    {} neighbours, {} points, {}; {} product{} for each value{}\nfolder     "
            "{}\n",
            stencil.neighbours.size(), solvers::describeSize(stencil.points, stencil.dimension),
            solvers::nameOf(stencil.precision), products, products == 1 ? "" : "s",
            separableFactors(stencil) ? "; its weights are separable" : "", folder.string());
        text += fmt::format("build it   cmake -S {0} -B {0}/build && cmake --build {0}/build\n"
                            "check it   {0}/build/stencil\n",
                            folder.string());
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
    command.footer(
        "\n"
        + wrapped("The folder needs nothing of Gridhelm: stencil.h and stencil.cpp are the "
                  "stencil, main.cpp checks it against the literal loop and times it "
                  "beside a copy of as many bytes, CMakeLists.txt builds them.")
        + R"(
Examples:
  gridhelm-cli generate stencil.toml --into heat
  cmake -S heat -B heat/build && cmake --build heat/build
  heat/build/stencil --json)");
    command.callback([&global, options] { run(global, *options); });
}

} // namespace gridhelm::cli
