// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/frame_cases.h"
#include "app/cli/commands.h"
#include "app/cli/execution.h"
#include "app/cli/interrupted.h"
#include "app/cli/interruption.h"
#include "app/cli/output.h"
#include "app/cli/study_console.h"
#include "app/machine/environment.h"
#include "core/support/bytes_text.h"
#include "core/support/error.h"
#include "core/support/html_page.h"
#include "core/support/html_text.h"
#include "core/support/parse_numbers.h"
#include "core/support/svg_plots.h"
#include "data/compress/quantise_modes.h"
#include "gpu/sparse/cuda_backend.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <string>

namespace gridhelm::cli {
namespace {

using nlohmann::json;

struct BenchFrameOptions
{
    std::string study;
    std::string field;
    std::string error = "0.1%";
    std::string folder = std::filesystem::temp_directory_path().string();
    std::string html;
    bool kriging = false;
    bool quick = false;
};

std::string textOfGpu(const json &gpu)
{
    auto text = fmt::format("by {}, which reads {:.0f} GB/s at best; ms until the values are the "
                            "CPU's, and in the GPU alone\n{:20} {:>10} {:>9} {:>9} {:>8} {:>7} "
                            "{:>9}\n",
                            gpu["name"].get<std::string>(),
                            gpu["limits"]["read_gbytes_per_second"].get<double>(), "form", "reads",
                            "ms", "alone", "GB/s", "of best", "error");
    for (const auto &form : gpu["forms"])
        text += fmt::format(
            "{:20} {:>10} {:9.3f} {:9.4f} {:8.1f} {:6.0f}% {:8.3g}%\n",
            form["form"].get<std::string>(), bytesText(form["picture_bytes"].get<double>()),
            1e3 * form["frame"]["seconds"].get<double>(),
            1e3 * form["device"]["seconds"].get<double>(),
            1e-9 * form["device"]["per_second"].get<double>(),
            100 * form["share_of_read"].get<double>(), 100 * form["error"].get<double>());
    return text + "zstd and zfp are the CPU's alone\n";
}

/// Error (in percent) against bytes of all rows, of all forms together.
std::string pageOf(const json &result)
{
    std::vector<PlotSeries> series;
    for (const auto &curve : result["curves"]) {
        PlotSeries of;
        of.name = curve["form"].get<std::string>();
        of.colour = static_cast<int>(series.size()) % plotColours;
        for (const auto &point : curve["points"]) {
            constexpr double smallest = 1e-6; // of an error in percent that a logarithm shows
            of.points.push_back({std::log2(point["bytes"].get<double>() / 1024),
                                 std::max(100 * point["error"].get<double>(), smallest)});
        }
        std::ranges::sort(of.points, {}, &PlotPoint::x);
        series.push_back(std::move(of));
    }
    const auto title = fmt::format(
        "Error against bytes: {}, {} snapshots of {} values", result["field"].get<std::string>(),
        result["snapshots"].get<std::uint64_t>(), result["values"].get<std::uint64_t>());
    std::string list;
    for (const auto &of : series)
        list += fmt::format("<li><svg width=\"24\" height=\"10\"><line class=\"series c{}\" "
                            "x1=\"0\" y1=\"5\" x2=\"24\" y2=\"5\"/></svg> {}</li>\n",
                            of.colour, htmlText(of.name));
    return htmlPageHead(title, "bench frame") + "<h1>" + htmlText(title) + "</h1>\n"
           + linePlot(series, "Error at random points against the size of all rows",
                      "KiB, as a power of 2", "error, %")
           + "<ul>\n" + list + "</ul>\n" + std::string(htmlPageEnd);
}

std::string textOf(const json &result)
{
    auto text = fmt::format(
        "{}: {} snapshots of {} values, {} as float32; {:.3g} % allowed, errors at {} random "
        "points, {} threads\n{:20} {:>6} {:>10} {:>8} {:>9} {:>8} {:>8} {:>9}\n",
        result["field"].get<std::string>(), result["snapshots"].get<std::uint64_t>(),
        result["values"].get<std::uint64_t>(), bytesText(result["snapshot_bytes"].get<double>()),
        100 * result["allowed"].get<double>(), result["places"].get<std::size_t>(),
        result["threads"].get<int>(), "form", "rows", "bytes", "fewer", "ms", "faster", "GB/s",
        "error");
    for (const auto &form : result["forms"]) {
        const auto &frame = form["frame"];
        text += fmt::format(
            "{:20} {:6} {:>10} {:7.1f}x {:9.3f} {:7.2f}x {:8.1f} {:8.3g}%\n",
            form["form"].get<std::string>(), form["rows"].get<std::uint64_t>(),
            bytesText(form["bytes"].get<double>()), form["snapshots_to_bytes"].get<double>(),
            1e3 * frame["seconds"].get<double>(), form["speedup"].get<double>(),
            1e-9 * frame["per_second"].get<double>(), 100 * form["error"].get<double>());
    }
#ifndef GRIDHELM_HAS_ZFP
    text += "zfp is left out: this program was built without libzfp-dev\n";
#endif
    text += fmt::format("a picture from float32 rows reads {} of them\n",
                        result["active_rows"].get<std::uint64_t>());
    return result.contains("gpu") ? text + textOfGpu(result["gpu"]) : text;
}

void run(const GlobalOptions &global, const BenchFrameOptions &options)
{
    const bool isPercent = options.error.ends_with('%');
    const double number = parseReal(
        isPercent ? options.error.substr(0, options.error.size() - 1) : options.error, "--error");
    bench::FrameBenchOptions bench;
    bench.allowed = isPercent ? number / 100 : number;
    if (!(bench.allowed >= data::smallestAddedError && bench.allowed < 1))
        throw Error("--error cannot be " + options.error + ": choose a fraction above 0, 0.1% say");
    bench.study = options.study;
    bench.field = options.field;
    bench.folder = options.folder;
    bench.volumes = meshFiles().volumes;
    bench.context = benchContext(global);
    if (global.devices.starts_with("gpu") || global.backend == "cuda")
        bench.gpu = gpu::makeCudaBackend(bench.context);
    bench.withKriging = options.kriging;
    bench.withCurves = !options.html.empty();
    if (bench.withCurves)
        requireWritable(options.html);
    if (options.quick) {
        bench.places = 5;
        bench.measure = {0.01, 3, 1};
    }
    const Interruption interruption;
    bench.checkpoint = [&] {
        if (interruption.happened())
            throw Interrupted("Interrupted: the benchmark's files have been removed");
    };
    const auto result = bench::benchFrame(bench);
    if (bench.withCurves)
        writeText(options.html, pageOf(result));
    if (global.json)
        printJson({{"benchmark", "frame"},
                   {"environment", app::environmentJson(bench.context)},
                   {"study", options.study},
                   {"frame", result}});
    else
        printText(textOf(result));
}

} // namespace

void addBenchFrameCommand(CLI::App &parent, const GlobalOptions &global)
{
    auto options = std::make_shared<BenchFrameOptions>();
    CLI::App &command = *parent.add_subcommand(
        "frame", "Bytes and time of a picture: rows, POD modes, both quantised, zstd, zfp");
    command.add_option("study", options->study, "A study of a sparse grid")
        ->required()
        ->check(CLI::ExistingFile)
        ->type_name("STUDY");
    command.add_option("--field", options->field, "The first by default")->type_name("NAME");
    command.add_option("--error", options->error, "What quantised POD modes may add")
        ->type_name("E")
        ->capture_default_str();
    command.add_option("--folder", options->folder, "For a copy of the study")
        ->type_name("DIR")
        ->capture_default_str();
    command
        .add_option("--html", options->html,
                    "A page with a plot of error against bytes; takes several times as long")
        ->type_name("FILE.html");
    command.add_flag("--kriging", options->kriging,
                     "Kriging of the same snapshots, too: POD modes as float32 and quantised; it "
                     "is fitted first");
    command.add_flag("--quick", options->quick, "To see that it works: times mean little");
    command.footer(R"(
All forms are measured in turns, at points that change. Quantised rows and zfp get the coarsest
tolerance whose error is not above that of quantised POD modes; zstd, float32 rows and modes are as
they are. SZ3 is no package of Debian 12, and so is not compared. zstd and zfp are unpacked to
memory for every picture. The study is not changed.
With --devices gpu the same rows are combined by a GPU, too.

Examples:
  gridhelm-cli bench frame cavity.gridhelm --threads 2
  gridhelm-cli bench frame plate.gridhelm --error 0.3% --json
  gridhelm-cli bench frame plate.gridhelm --kriging
  gridhelm-cli bench frame cavity.gridhelm --devices gpu   # by the first GPU, beside the CPU
  gridhelm-cli bench frame plate.gridhelm --html bytes.html)");
    command.callback([&global, options] { run(global, *options); });
}

} // namespace gridhelm::cli
