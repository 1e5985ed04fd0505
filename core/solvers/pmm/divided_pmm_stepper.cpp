// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/pmm/divided_pmm_stepper.h"

#include "core/execution/crew.h"
#include "core/execution/team.h"
#include "core/solvers/pmm/cpu_pmm_share.h"
#include "core/solvers/pmm/pmm_stepper.h"
#include "core/solvers/pmm/reference_pmm.h"

#include <algorithm>
#include <cmath>
#include <numeric>
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
    DividedPmmStepper(const PmmProblem &problem, const PmmSettings &settings,
                      const std::vector<CpuDevice> &cpus, const ExecutionContext &context)
        : m_partition(settings.partition.value_or(fastestPartition))
        , m_settings(settings)
        , m_run(checked<T>(problem, m_partition, cpus.size()), sizeof(T))
        , m_whole(context.cpu())
        , m_slabs(dividedAmongTeam(problem, m_partition, 1, threadsOf(cpus), context))
        , m_meeting(static_cast<std::ptrdiff_t>(m_slabs.devices()))
        , m_shares(m_slabs.devices())
        , m_largest(m_slabs.devices())
        , m_crew(m_slabs.devices())
    {
        // By the threads that will use it, so that its memory is near them.
        m_crew.run([&](std::size_t i) {
            m_shares[i] = std::make_unique<CpuPmmShare<T>>(m_run, m_slabs, i, cpus[i]);
        });
        const auto threads = threadsOf(cpus);
        const bool haveCpus = std::reduce(threads.begin(), threads.end()) <= wholeCpu().threads;
        for (const auto &share : m_shares)
            share->connect(m_shares, m_meeting, haveCpus);
        restart();
    }

    std::string_view method() const override { return m_run.method(); }
    ComputedOn computedOn() const override { return ComputedOn::cpu(); }

    void advance(std::uint64_t iterations, std::stop_token stop) override
    {
        m_run.advance(iterations, m_settings.stopChange, stop, [this] {
            m_field.clear();
            m_crew.run([this](std::size_t i) { m_largest[i] = m_shares[i]->sweep(); });
            return PmmRun::reportedChange(*std::ranges::max_element(m_largest));
        });
    }

    StepReport report() const override
    {
        auto result = m_run.report();
        if (m_run.problem().knownSolution)
            result.error = largestError(m_run.problem(), std::span<const T>(times()));
        return result;
    }

    FieldView field() const override
    {
        const auto &problem = m_run.problem();
        return {problem.nodes, problem.origin, problem.spacing, std::span<const T>(times())};
    }

    std::vector<LiveParameter> liveParameters() const override { return m_run.liveParameters(); }

    void setLiveParameter(std::string_view name, double value) override
    {
        if (m_run.setLiveParameter(name, value))
            restart();
    }

private:
    void restart()
    {
        m_field.clear();
        const auto times = startingTimes();
        m_crew.run([&](std::size_t i) { m_shares[i]->restart(times); });
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

    const std::vector<T> &times() const
    {
        if (m_field.empty()) {
            m_field.resize(m_run.problem().count());
            m_crew.run([this](std::size_t i) { m_shares[i]->copyTimes(m_field); });
        }
        return m_field;
    }

    PmmPartition m_partition;
    PmmSettings m_settings;
    PmmRun m_run;
    CpuDevice m_whole;
    PmmSlabs m_slabs;
    typename CpuPmmShare<T>::Meeting m_meeting;
    std::vector<std::unique_ptr<CpuPmmShare<T>>> m_shares;
    std::vector<T> m_largest;
    mutable Crew m_crew;
    mutable std::vector<T> m_field; ///< empty if out of date
};

template <typename T>
std::unique_ptr<Stepper> makeOn(const PmmProblem &problem, const PmmSettings &settings,
                                const ExecutionContext &context)
{
    if (context.team().empty())
        return std::make_unique<PmmStepper<T>>(problem, settings, context);
    return std::make_unique<DividedPmmStepper<T>>(problem, settings, cpusOf(context.team()),
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
