// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/pmm/divided_pmm_stepper.h"

#include "core/execution/crew.h"
#include "core/execution/team.h"
#include "core/solvers/pmm/cpu_pmm_share.h"
#include "core/solvers/pmm/planes_here.h"
#include "core/solvers/pmm/pmm_stepper.h"
#include "core/solvers/pmm/reference_pmm.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

namespace gridhelm::solvers {
namespace {

constexpr auto fastestPartition = PmmPartition::pipelined;

std::vector<double> threadsOf(const std::vector<CpuDevice> &cpus)
{
    std::vector<double> threads;
    for (const auto &cpu : cpus)
        threads.push_back(cpu.threads);
    return threads;
}

/// What all shares hold together, the values without padding that they start from, and those that
/// are shown.
template <typename T>
PmmProblem checked(const PmmProblem &problem, PmmPartition partition, std::size_t devices)
{
    auto part = problem.nodes;
    part[2] = std::max<std::size_t>(part[2] / devices, 1);
    double values = gridValuesPerNode<T>(part);
    if (partition == PmmPartition::repartition) {
        part = problem.nodes;
        part[1] = std::max<std::size_t>(part[1] / devices, 1);
        values += paddedValuesPerNode<T>(part);
    }
    const double grids = variesInSpace(problem) ? 3 : 1;
    requireSoluble(problem, sizeof(T) * static_cast<std::size_t>(std::ceil(grids * values + 2)));
    return problem;
}

template <typename T>
class DividedPmmStepper final : public Stepper
{
public:
    /// `threads`: of the CPU of every share; `cpus`: those of this process.
    DividedPmmStepper(const PmmProblem &problem, const PmmSettings &settings,
                      const std::vector<double> &threads, const std::vector<CpuDevice> &cpus,
                      const ExecutionContext &context)
        : m_partition(settings.partition.value_or(fastestPartition))
        , m_settings(settings)
        , m_run(checked<T>(problem, m_partition, threads.size()), sizeof(T))
        , m_whole(context.cpu())
        , m_slabs(dividedAmongTeam(problem, m_partition, 1, threads, context))
        , m_planes(context.ranks() ? PlanesHere<T>(m_run, context.ranks(), m_slabs.planes)
                                   : PlanesHere<T>(m_run))
        , m_meeting(static_cast<std::ptrdiff_t>(m_slabs.devices()))
    {
        auto *const ranks = m_planes.ranks();
        const auto first = ranks != nullptr ? static_cast<std::size_t>(ranks->number()) : 0;
        const auto all = m_slabs.devices();
        m_shares.resize(ranks != nullptr ? std::min<std::size_t>(all - std::min(first, all), 1)
                                         : all);
        m_largest.resize(m_shares.size());
        if (m_shares.size() > 1)
            m_crew.emplace(m_shares.size());
        // By the threads that will use it, so that its memory is near them.
        forEach([&](std::size_t i) {
            m_shares[i] = std::make_unique<CpuPmmShare<T>>(m_run, m_slabs, first + i, cpus[i]);
        });
        const bool haveCpus = std::reduce(threads.begin(), threads.end()) <= wholeCpu().threads;
        for (const auto &share : m_shares) {
            if (ranks != nullptr)
                share->connect(*ranks);
            else
                share->connect(m_shares, m_meeting, haveCpus);
        }
        restart();
    }

    std::string_view method() const override { return m_run.method(); }
    ComputedOn computedOn() const override { return ComputedOn::cpu(); }

    void advance(std::uint64_t iterations, std::stop_token stop) override
    {
        m_run.advance(iterations, m_settings.stopChange, stop, [this] {
            m_times.clear();
            forEach([this](std::size_t i) { m_largest[i] = m_shares[i]->sweep(); });
            return PmmRun::reportedChange(largestChange());
        });
    }

    StepReport report() const override
    {
        auto result = m_run.report();
        if (m_run.problem().knownSolution)
            result.error = m_planes.largestError(timesHere());
        return result;
    }

    FieldView field() const override { return m_planes.field(timesHere()); }
    double roundOff() const override { return m_planes.roundOff(timesHere()); }
    FieldPart part() const override { return m_planes.part(timesHere()); }

    std::vector<LiveParameter> liveParameters() const override { return m_run.liveParameters(); }

    void setLiveParameter(std::string_view name, double value) override
    {
        if (m_run.setLiveParameter(name, value))
            restart();
    }

private:
    void restart()
    {
        m_times.clear();
        const auto times = startingTimes();
        forEach([&](std::size_t i) { m_shares[i]->restart(times); });
    }

    /// Those of the source, or what may be used of the guess, which takes one device a sweep.
    std::vector<T> startingTimes() const
    {
        const auto &problem = m_run.problem();
        if (!problem.initialGuess)
            return initialTimes<T>(problem);
        const PmmStepper<T> one(problem, {}, ExecutionContext(m_whole));
        const auto times = std::get<std::span<const T>>(one.field().values);
        return {times.begin(), times.end()};
    }

    std::span<const T> timesHere() const
    {
        if (m_times.empty()) {
            m_times.resize(m_planes.count());
            forEach(
                [this](std::size_t i) { m_shares[i]->copyTimes(m_times, m_planes.slab().begin); });
        }
        return m_times;
    }

    /// Of all shares, in the last sweep.
    T largestChange() const
    {
        const T here = m_largest.empty() ? T(0) : *std::ranges::max_element(m_largest);
        return static_cast<T>(m_planes.largest(static_cast<double>(here)));
    }

    /// body(index) for the shares of this process at the same time.
    template <typename Body>
    void forEach(const Body &body) const
    {
        if (m_crew)
            m_crew->run(body);
        else if (!m_shares.empty())
            body(0);
    }

    PmmPartition m_partition;
    PmmSettings m_settings;
    PmmRun m_run;
    CpuDevice m_whole;
    PmmSlabs m_slabs;
    PlanesHere<T> m_planes;
    typename CpuPmmShare<T>::Meeting m_meeting;
    std::vector<std::unique_ptr<CpuPmmShare<T>>> m_shares; ///< of this process
    std::vector<T> m_largest;
    mutable std::optional<Crew> m_crew; ///< one share is moved by whoever calls
    mutable std::vector<T> m_times;     ///< of this process; empty if out of date
};

template <typename T>
std::unique_ptr<Stepper> makeOn(const PmmProblem &problem, const PmmSettings &settings,
                                const ExecutionContext &context)
{
    if (!context.sharesWork())
        return std::make_unique<PmmStepper<T>>(problem, settings, context);
    if (const auto &ranks = context.ranks())
        return std::make_unique<DividedPmmStepper<T>>(problem, settings,
                                                      ranks->numbersOfAll(context.cpu().threads),
                                                      std::vector{context.cpu()}, context);
    const auto cpus = cpusOf(context.team());
    return std::make_unique<DividedPmmStepper<T>>(problem, settings, threadsOf(cpus), cpus,
                                                  context);
}

} // namespace

std::unique_ptr<Stepper> makePmmStepper(const PmmProblem &problem, Precision precision,
                                        const PmmSettings &settings,
                                        const ExecutionContext &context)
{
    return precision == Precision::float32 ? makeOn<float>(problem, settings, context)
                                           : makeOn<double>(problem, settings, context);
}

} // namespace gridhelm::solvers
