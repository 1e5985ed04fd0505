// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/execution.h"

#include "app/cli/output.h"
#include "app/machine/machine_execution.h"
#include "app/machine/sparse_team.h"
#include "app/machine/tuned_machine.h"
#include "app/ranks/rank_gpu.h"
#include "app/ranks/rank_threads.h"
#include "core/dispatch/dispatching_backend.h"
#include "core/dispatch/dispatching_solvers.h"
#include "core/execution/team.h"
#include "core/solvers/poisson/team.h"
#include "core/support/error.h"
#include "core/support/parse_numbers.h"
#include "gpu/cuda_solvers.h"
#include "gpu/sparse/cuda_backend.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <mutex>
#include <string>
#include <vector>

namespace gridhelm::cli {
namespace {

/// What the user was told.
class ReportedEvents
{
public:
    void add(const ExecutionEvent &event)
    {
        printMessage(fmt::format("gridhelm-cli: {}.\n", event.sentence));
        const std::lock_guard lock(m_mutex);
        m_sentences.push_back(event.sentence);
    }
    std::vector<std::string> sentences() const
    {
        const std::lock_guard lock(m_mutex);
        return m_sentences;
    }

private:
    mutable std::mutex m_mutex;
    std::vector<std::string> m_sentences;
};

ReportedEvents &reportedEvents()
{
    static ReportedEvents events;
    return events;
}

CpuDevice cpuOf(const GlobalOptions &global)
{
    constexpr int most = 1024;
    const int threads = parseInteger(global.threads, "--threads");
    if (threads < 0 || threads > most)
        throw Error(fmt::format("{} threads are not possible: choose 1 to {}, or 0 for all",
                                threads, most));
    if (global.ranks && threads == 0)
        return {app::threadsBesideOthers(*global.ranks), {}};
    return cpuWith(threads);
}

/// Each of several ranks computes on its CPU, or on one GPU.
bool ranksUseGpus(const GlobalOptions &global)
{
    return global.devices == "gpu" || global.backend == "cuda";
}

void requirePossibleForRanks(const GlobalOptions &global)
{
    constexpr auto what = "each process that mpirun starts computes on its CPU, or with --devices "
                          "gpu on one GPU";
    if (global.devices != "auto" && global.devices != "cpu" && global.devices != "gpu")
        throw Error(fmt::format("--devices {}: {}; choose one of these, or start the program "
                                "without mpirun",
                                global.devices, what));
    const bool isKnown =
        global.backend == "auto" || global.backend == "omp" || global.backend == "cuda";
    if (!isKnown || (global.backend == "omp" && global.devices == "gpu")
        || (global.backend == "cuda" && global.devices == "cpu"))
        throw Error(fmt::format("--backend {} with --devices {}: {}; leave --backend out, or start "
                                "the program without mpirun",
                                global.backend, global.devices, what));
}

ExecutionContext contextOfRank(const GlobalOptions &global)
{
    requirePossibleForRanks(global);
    const auto device = ranksUseGpus(global) ? app::gpuOfRank(*global.ranks) : "cpu";
    return app::machineContext(cpuOf(global), device).withRanks(global.ranks);
}

} // namespace

const ExecutionContext &teamContext(const GlobalOptions &global)
{
    static const auto context = [&global] {
        const auto tell = [](const ExecutionEvent &event) { reportedEvents().add(event); };
        // Ranks must agree on how many iterations are done at once, whatever is known where they
        // run.
        if (global.ranks)
            return contextOfRank(global).withEvents(tell);
        return app::withSavedTuning(
            app::machineContext(cpuOf(global), global.devices).withEvents(tell));
    }();
    return context;
}

const ExecutionContext &executionContext(const GlobalOptions &global)
{
    const auto &context = teamContext(global);
    if (!context.team().empty())
        throw Error(fmt::format(
            "--devices {}: this command cannot use several devices, as "
            "eval, export, render, sample, compress, import, refine, suggest, "
            "\"grid interpolate\", \"bench devices\", \"bench team\", \"solve "
            "stencil\" and \"solve pmm\" can, and \"solve jacobi\" and \"solve sor\" with the "
            "methods {}; choose one device",
            global.devices, solvers::namesOf(solvers::divisibleMethods(), "and")));
    return context;
}

StudyDevices studyDevices(const GlobalOptions &global)
{
    const auto &context = teamContext(global);
    const bool namesGpu = global.devices.starts_with("gpu") && global.backend != "omp";
    if (context.team().empty() && !namesGpu && global.backend != "cuda")
        return {context, nullptr};
    auto backend = makeBackend(global);
    context.report(
        {ExecutionEvent::Kind::notice,
         fmt::format("errors are measured, and scalar studies hierarchized, by {}; coefficients of "
                     "snapshots, POD modes and kriging are computed by the CPU",
                     backend->description())});
    return {context.withTeam({}), std::move(backend)};
}

ComputedOn withCpu(ComputedOn where)
{
    where |= ComputedOn::cpu();
    return where;
}

ExecutionContext answersContext(const GlobalOptions &global)
{
    const auto &context = teamContext(global);
    static const bool isSaid = [&] { // once, though a command asks for it several times
        std::string wanted;
        if (!context.team().empty() || global.devices.starts_with("gpu"))
            wanted = "--devices " + global.devices;
        else if (global.backend != "auto" && global.backend != "omp")
            wanted = "--backend " + global.backend;
        if (!wanted.empty())
            context.report(
                {ExecutionEvent::Kind::notice,
                 fmt::format(
                     "{}: analyses (responses, influence, uncertainty, optimization, calibration, "
                     "and percentile maps) are computed by the CPU alone, on all of its threads",
                     wanted)});
        return !wanted.empty();
    }();
    static_cast<void>(isSaid);
    return context.withTeam({});
}

MapExecution mapExecution(const GlobalOptions &global)
{
    const auto &context = teamContext(global);
    const bool usesGpus = global.backend == "auto" || global.backend == "cuda";
    const bool namesGpus = global.devices.find("gpu") != std::string::npos;
    if (!usesGpus && namesGpus)
        throw Error(fmt::format("--backend {} with --devices {}: that back end is the CPU's; leave "
                                "one of them out",
                                global.backend, global.devices));
    if (global.backend == "cuda" && global.devices != "auto" && !namesGpus)
        throw Error(
            fmt::format("--backend cuda with --devices {}: that back end is for GPUs; leave "
                        "one of them out",
                        global.devices));
    if (context.team().size() > 1)
        context.report({ExecutionEvent::Kind::notice,
                        fmt::format("--devices {}: Sobol' maps are made by one device, the first "
                                    "GPU of these, or the CPU",
                                    global.devices)});
    auto alone = context.withTeam({});
    if (!usesGpus)
        return {alone.withGpus(std::vector<GpuDevice>()), false};
    const bool isAskedFor = global.devices.starts_with("gpu") || global.backend == "cuda";
    if (isAskedFor && alone.gpus().empty())
        throw Error("--backend cuda: " + gpu::listDevices().reason);
    return {std::move(alone), isAskedFor};
}

ExecutionContext benchContext(const GlobalOptions &global)
{
    return executionContext(global)
        .withFallback(FallbackPolicy::forbidden)
        .withTuning(std::make_shared<TuningTable>());
}

int threadCount(const GlobalOptions &global)
{
    return teamContext(global).cpu().threads;
}

const std::shared_ptr<dispatch::Dispatcher> &dispatcher(const GlobalOptions &global)
{
    static const auto made = app::makeMachineDispatcher(teamContext(global).withTeam({}));
    return made;
}

std::shared_ptr<const sparse::Backend> makeBackend(const GlobalOptions &global)
{
    const auto &context = teamContext(global);
    if (!context.team().empty())
        return app::makeSparseTeam(context, global.backend);
    if (global.ranks) { // all alike, and no other device takes over for one alone
        if (ranksUseGpus(global))
            return gpu::makeCudaBackend(context);
        return sparse::makeOmpBackend(context);
    }
    if (global.backend == "auto")
        return dispatch::makeDispatchingBackend(dispatcher(global), context);
    if (global.backend == "omp")
        return sparse::makeOmpBackend(context);
    if (global.backend == "reference")
        return sparse::makeReferenceBackend();
    if (global.backend == "cuda")
        return dispatch::makeFailoverBackend(gpu::makeCudaBackend(context), context);
    throw Error(fmt::format("there is no back end \"{}\": use auto, omp, cuda or reference (the "
                            "command \"backends\" describes them)",
                            global.backend));
}

const solvers::SolverBackend &solverBackend(const GlobalOptions &global)
{
    static const auto automatic = dispatch::makeDispatchingSolvers(dispatcher(global));
    static const auto cuda = dispatch::makeFailoverSolvers(gpu::cudaSolvers());
    if (global.ranks) {
        // No other device takes over for one rank alone.
        requirePossibleForRanks(global);
        return ranksUseGpus(global) ? gpu::cudaSolvers() : solvers::ompSolvers();
    }
    if (global.backend == "omp")
        return solvers::ompSolvers();
    if (global.backend == "auto")
        return *automatic;
    if (global.backend == "cuda")
        return *cuda;
    throw Error(
        fmt::format("the solvers have no back end \"{}\": use auto, omp or cuda", global.backend));
}

nlohmann::json executionJson(const GlobalOptions &global, ComputedOn where)
{
    nlohmann::json document = {{"backend", global.backend},
                               {"threads", threadCount(global)},
                               {"computed_on", where.names()},
                               {"events", reportedEvents().sentences()}};
    if (const auto &team = teamContext(global).team(); !team.empty())
        document["devices"] = namesOf(team);
    return document;
}

nlohmann::json ranksJson(const ExecutionContext &context, const std::vector<DeviceShare> &shares)
{
    auto &ranks = *context.ranks();
    const auto threads = ranks.numbersOfAll(context.cpu().threads);
    const auto devices = textsOfAll(ranks, context.gpus().empty() ? nameOf(context.cpu())
                                                                  : nameOf(context.gpus().front()));
    const auto of = shares.empty() ? 0 : shares.front().of;
    auto document = nlohmann::json::array();
    for (std::size_t rank = 0; rank < threads.size(); ++rank) {
        const bool hasShare = rank < shares.size();
        document.push_back({{"host", ranks.hosts()[rank]},
                            {"devices", {devices[rank]}},
                            {"threads", static_cast<int>(threads[rank])},
                            {"begin", hasShare ? shares[rank].begin : of},
                            {"end", hasShare ? shares[rank].end : of}});
    }
    return document;
}

} // namespace gridhelm::cli
