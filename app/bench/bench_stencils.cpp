// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/device_limits_json.h"
#include "app/bench/limits.h"
#include "app/bench/stencil_rates.h"
#include "app/cli/commands.h"
#include "app/cli/execution.h"
#include "app/cli/output.h"
#include "app/machine/environment.h"
#include "core/stencil/generate/code.h"
#include "core/support/cache_folder.h"
#include "core/support/error.h"
#include "gpu/stencil/cuda_stencil.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace gridhelm::cli {
namespace {

using nlohmann::json;

struct BenchStencilsOptions
{
    std::size_t side2d = 8192;
    std::size_t side3d = 384;
    std::vector<std::string> names;
    bool hasShapes = false;
    bool quick = false;
};

/// Bytes a second of a copy, both ways counted, by whoever computes.
class CopySpeed
{
public:
    CopySpeed(const ExecutionContext &context, bool isGpu)
        : m_context(context)
        , m_isGpu(isGpu)
    {
        measure();
    }
    void measure()
    {
        if (m_isGpu) {
            const auto limits = gpu::measureDeviceLimits(m_context.gpus().front());
            m_bytes = std::max(m_bytes, limits.copyBytesPerSecond);
            return;
        }
        bench::measureLimits(m_cpu, m_context.cpu());
        m_bytes = m_cpu.copy;
    }
    double bytes() const { return m_bytes; }

private:
    const ExecutionContext &m_context;
    bool m_isGpu;
    bench::CpuLimits m_cpu;
    double m_bytes = 0;
};

std::vector<int> passesOf(const stencil::Stencil &stencil, bool isGpu)
{
    std::vector<int> passes;
    for (const int pass : {1, 2, 4, 6, 8}) {
        auto wanted = stencil;
        wanted.target.iterationsPerPass = pass;
        if (!isGpu || iterationsPerGpuPass(wanted) == pass)
            passes.push_back(pass);
    }
    return passes;
}

bool usesGpu(const GlobalOptions &global, const ExecutionContext &context)
{
    if (global.devices.starts_with("gpu") || global.backend == "cuda") {
        if (context.gpus().empty())
            throw Error("there is no GPU to measure; choose the CPU");
        return true;
    }
    return false;
}

std::vector<bench::NamedStencil> chosen(const BenchStencilsOptions &options)
{
    const auto all = options.hasShapes ? bench::shapedStencils(options.side2d, options.side3d)
                                       : bench::exampleStencils(options.side2d, options.side3d);
    if (options.names.empty())
        return all;
    std::vector<bench::NamedStencil> some;
    for (const auto &name : options.names) {
        const auto found = std::ranges::find(all, name, &bench::NamedStencil::name);
        if (found == all.end()) {
            std::string names;
            for (const auto &each : all)
                names += (names.empty() ? "" : ", ") + each.name;
            throw Error(
                fmt::format("there is no stencil \"{}\" here: choose among {}", name, names));
        }
        some.push_back(*found);
    }
    return some;
}

json jsonOf(const bench::NamedStencil &of, const std::vector<bench::StencilRate> &rates,
            double copy)
{
    auto list = json::array();
    for (const auto &rate : rates)
        list.push_back(
            {{"code", rate.code},
             {"iterations_per_pass", rate.iterationsPerPass},
             {"updates_per_second", rate.updatesPerSecond},
             {"to_copy", rate.updatesPerSecond * bench::bytesPerUpdate(of.stencil) / copy},
             {"updates_per_byte_of_copy", rate.updatesPerSecond / copy},
             {"compile_seconds", rate.compileSeconds}});
    return {{"name", of.name},
            {"points", of.stencil.points},
            {"neighbours", of.stencil.neighbours.size()},
            {"bytes_per_update", bench::bytesPerUpdate(of.stencil)},
            {"rates", std::move(list)}};
}

void print(const bench::NamedStencil &of, const std::vector<bench::StencilRate> &rates, double copy)
{
    for (const auto &rate : rates)
        printText(fmt::format(
            "{:<20} {:<24} {:9.3e} updates/s  {:5.2f} of a copy  {:5.2f} times one a pass\n",
            of.name,
            rate.iterationsPerPass > 1
                ? fmt::format("{}, {} a pass", rate.code, rate.iterationsPerPass)
                : rate.code,
            rate.updatesPerSecond, rate.updatesPerSecond * bench::bytesPerUpdate(of.stencil) / copy,
            rate.updatesPerSecond / rates.front().updatesPerSecond));
}

void run(const GlobalOptions &global, const BenchStencilsOptions &options)
{
    const auto context = teamContext(global).withFallback(FallbackPolicy::forbidden);
    const bool isGpu = usesGpu(global, context);
    bench::RateOptions each;
    if (options.quick)
        each = {0.05, 3};
    const data::StencilMeans means{&gpu::stencilGpu(), global.backend, global.devices, false,
                                   cacheFolder()};
    CopySpeed copy(context, isGpu);
    auto rows = json::array();
    for (const auto &of : chosen(options)) {
        std::vector<bench::StencilRate> rates;
        for (const int pass : passesOf(of.stencil, isGpu))
            rates.push_back(generatedRate(of.stencil, pass, means, context, each));
        if (bench::hasBuiltIn(of.stencil)) {
            for (auto &rate : builtInRates(of.stencil, isGpu, context, each))
                rates.push_back(std::move(rate));
        }
        copy.measure();
        rows.push_back(jsonOf(of, rates, copy.bytes()));
        if (!global.json) {
            print(of, rates, copy.bytes());
            flushOutput(); // the next one takes its time
        }
    }
    if (global.json)
        printJson({{"benchmark", "stencils"},
                   {"environment", app::environmentJson(context)},
                   {"devices", global.devices},
                   {"threads", context.cpu().threads},
                   {"copy_bytes_per_second", copy.bytes()},
                   {"stencils", std::move(rows)}});
    else
        printText(fmt::format("copy                 {:.3e} bytes/s, both ways counted{}\n",
                              copy.bytes(), isGpu ? ", one GPU" : ""));
}

} // namespace

void addBenchStencilsCommand(CLI::App &parent, const GlobalOptions &global)
{
    CLI::App &command = *parent.add_subcommand(
        "stencils", "Generated code of stencils, beside a copy and the built-in methods");
    const auto options = std::make_shared<BenchStencilsOptions>();
    command.add_option("NAME", options->names, "Some of them; without a name, all");
    command.add_option("--side", options->side2d, "Points a side in 2D")
        ->check(CLI::Range(std::size_t{64}, std::size_t{1} << 16))
        ->capture_default_str();
    command.add_option("--side-3d", options->side3d, "Points a side in 3D")
        ->check(CLI::Range(std::size_t{16}, std::size_t{2048}))
        ->capture_default_str();
    command.add_flag("--shapes", options->hasShapes,
                     "Stars and boxes of all radii, each neighbour with a weight of its own, as "
                     "publications compare them, instead of the examples");
    command.add_flag("--quick", options->quick, "Short, rough measurements");
    command.footer(R"(
In float. Of each: one iteration a pass through the memory, and several, where the device can; and
the built-in methods tuned and temporal where they do the same. Of several devices the sum is
beside the copy of the first.

Examples:
  gridhelm-cli --devices gpu bench stencils
  gridhelm-cli --devices gpu bench stencils --shapes --json > shapes.json
  gridhelm-cli --devices gpu:all bench stencils 5-point --side 16384
  gridhelm-cli bench stencils 5-point 7-point --side 4096 --side-3d 256 --quick)");
    command.callback([&global, options] { run(global, *options); });
}

} // namespace gridhelm::cli
