// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/pmm/cuda_pmm_stepper.h"

#include "core/execution/team.h"
#include "core/solvers/pmm/pmm_stepper.h"
#include "core/solvers/pmm/source_times.h"
#include "core/support/error.h"
#include "gpu/support/on_gpu.h"
#include "gpu/support/peer_copy.h"
#include "gpu/support/require_gpu.h"

#include <algorithm>
#include <limits>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

namespace gridhelm::gpu {
namespace {

using solvers::PmmProblem;

constexpr int firstSubSweep = subSweepsPerSweep;

template <typename T>
PmmProblem checked(const PmmProblem &problem)
{
    solvers::requireSoluble(problem, sizeof(T)); // the field is what the CPU holds
    constexpr std::size_t most = std::numeric_limits<int>::max() / 8;
    for (auto nodes : problem.nodes) {
        if (nodes > most)
            throw BackendError("the back end cuda takes up to " + std::to_string(most)
                               + " nodes in one direction, not " + std::to_string(nodes)
                               + "; choose fewer nodes, or the back end omp");
    }
    return problem;
}

/// One, the team, or that of this rank.
std::vector<GpuDevice> gpusFor(const ExecutionContext &context)
{
    return context.team().empty() ? std::vector{requireGpu(context)} : gpusOf(context.team());
}

} // namespace

template <typename T>
CudaPmmStepper<T>::CudaPmmStepper(const PmmProblem &problem, const solvers::PmmSettings &settings,
                                  const ExecutionContext &context, const CudaPmmChoices &choices)
    : m_cpu(context.cpu())
    , m_run(std::make_unique<solvers::PmmRun>(checked<T>(problem), sizeof(T)))
    , m_settings(settings)
    , m_exchangesForX(choices.exchangeForX)
{
    if (settings.partition == solvers::PmmPartition::pipelined)
        throw Error("the back end cuda has no partition pipelined: a GPU takes as long for a part "
                    "of a plane as for a whole one; choose repartition, or the back end omp");
    const auto gpus = gpusFor(context);
    m_gpu = gpus.front();
    makeShares(gpus, context, choices);
    restart();
}

template <typename T>
CudaPmmStepper<T>::~CudaPmmStepper()
{
    for (const auto &share : m_shares)
        share->waitUntilIdle();
    if (m_peers) {
        const OnGpu scope(*m_gpu);
        m_peers.reset(); // before the memory that they reach
    }
}

template <typename T>
void CudaPmmStepper<T>::makeShares(const std::vector<GpuDevice> &gpus,
                                   const ExecutionContext &context, const CudaPmmChoices &choices)
{
    const auto &ranks = context.ranks();
    const std::vector<double> equal(ranks ? static_cast<std::size_t>(ranks->count()) : gpus.size(),
                                    1);
    auto slabs = solvers::dividedAmongTeam(m_run->problem(), solvers::PmmPartition::repartition,
                                           brickEdge, equal, context);
    if (slabs.devices() == 1)
        slabs.rows.clear();
    m_dividesAgain = slabs.devices() > 1;
    for (std::size_t i = 0; i < slabs.devices(); ++i)
        m_parts.emplace_back(m_run->problem().nodes, slabs, i, sizeof(T));
    const OnGpu scope(gpus.front());
    m_abandonment.emplace();
    if (ranks) {
        m_planes.emplace(*m_run, ranks, slabs.planes);
        m_peers = std::make_unique<PeerRanks>(ranks, gpus.front());
        const auto number = static_cast<std::size_t>(ranks->number());
        doneByAll(ranks.get(), [&] {
            if (number < slabs.devices())
                makeShare(slabs, number, gpus.front(), choices);
        });
        return;
    }
    m_planes.emplace(*m_run);
    for (std::size_t i = 0; i < slabs.devices(); ++i) {
        for (std::size_t j = 0; j < slabs.devices(); ++j) {
            if (!letReach(gpus[i], gpus[j]))
                throw BackendError(nameOf(gpus[i]) + " does not reach the memory of "
                                   + nameOf(gpus[j])
                                   + ", as it has to where they share the marching method; "
                                     "choose one of them");
        }
        makeShare(slabs, i, gpus[i], choices);
    }
}

template <typename T>
void CudaPmmStepper<T>::makeShare(const solvers::PmmSlabs &slabs, std::size_t index,
                                  const GpuDevice &gpu, const CudaPmmChoices &choices)
{
    const OnGpu scope(gpu);
    m_shares.push_back(std::make_unique<CudaPmmShare<T>>(*m_run, slabs, index, gpu, choices));
}

/// Each share with the memory of all.
template <typename T>
void CudaPmmStepper<T>::connect()
{
    std::vector<PmmShareMemory<T>> memory;
    for (const auto &share : m_shares)
        memory.push_back(share->memory());
    if (m_peers)
        memory = reachedMemory(memory.empty() ? PmmShareMemory<T>() : memory.front());
    std::vector<ReachedPmmShare<T>> all;
    for (std::size_t i = 0; i < m_parts.size(); ++i)
        all.push_back({m_parts[i], memory[i]});
    each([&](CudaPmmShare<T> &share) { share.connect(all, m_abandonment->flag()); });
}

/// Of each rank.
template <typename T>
std::vector<PmmShareMemory<T>> CudaPmmStepper<T>::reachedMemory(const PmmShareMemory<T> &mine) const
{
    const OnGpu scope(*m_gpu);
    const auto reached =
        m_peers->reach({mine.planes, mine.rows, mine.planeCoefficients[0],
                        mine.planeCoefficients[1], mine.rowCoefficients[0], mine.rowCoefficients[1],
                        mine.halos, mine.progressBeyond, mine.changes, mine.outcome});
    std::vector<PmmShareMemory<T>> memory;
    for (const auto &a : reached) {
        const auto times = [&](std::size_t i) { return static_cast<T *>(a[i]); };
        memory.push_back({times(0),
                          times(1),
                          {times(2), times(3)},
                          {times(4), times(5)},
                          times(6),
                          static_cast<unsigned *>(a[7]),
                          static_cast<int *>(a[8]),
                          static_cast<MarchOutcome *>(a[9])});
    }
    return memory;
}

template <typename T>
void CudaPmmStepper<T>::meet()
{
    if (!m_peers) {
        CudaPmmShare<T>::meet(m_shares);
    } else if (m_dividesAgain) {
        const OnGpu scope(*m_gpu);
        m_peers->meet(m_shares.empty() ? nullptr : &m_shares.front()->stream());
    }
}

template <typename T>
template <typename Do>
void CudaPmmStepper<T>::each(Do action) const
{
    for (const auto &share : m_shares) {
        const OnGpu scope(share->gpu());
        action(*share);
    }
}

template <typename T>
ComputedOn CudaPmmStepper<T>::computedOn() const
{
    ComputedOn where;
    for (const auto &share : m_shares)
        where |= ComputedOn::gpu(share->gpu().index);
    return where;
}

template <typename T>
void CudaPmmStepper<T>::restart()
{
    m_fieldIsPresent = false;
    if (m_failure && m_peers)
        std::rethrow_exception(m_failure); // which the other ranks may not know of
    if (std::exchange(m_failure, nullptr)) // in whichever sub-sweep
        each([](CudaPmmShare<T> &share) {
            share.emptyHalos(0);
            share.emptyHalos(1);
        });
    each([](CudaPmmShare<T> &share) { share.clear(); });
    connect();
    if (m_dividesAgain && solvers::variesInSpace(m_run->problem())) {
        meet();
        each([](CudaPmmShare<T> &share) { share.sendMedium(); });
        meet();
    }
    m_subSweep = firstSubSweep;
    if (m_run->problem().initialGuess)
        setGuess();
    else
        setSources();
    each([](CudaPmmShare<T> &share) { share.setOutcome({0, firstSubSweep}); });
}

template <typename T>
void CudaPmmStepper<T>::setSources()
{
    std::vector<PmmSourceNode<T>> nodes;
    for (const auto &source : solvers::sourceTimes(m_run->problem()))
        nodes.push_back({source.node, static_cast<T>(source.time)});
    std::sort(nodes.begin(), nodes.end(), [](const auto &a, const auto &b) {
        return std::tie(a.node, a.time) < std::tie(b.node, b.time);
    });
    each([&](CudaPmmShare<T> &share) { share.setSources(nodes, firstSubSweep); });
}

/// With the source. What may be started from takes one sweep to find out, which the CPU does.
template <typename T>
void CudaPmmStepper<T>::setGuess()
{
    const solvers::PmmStepper<T> start(m_run->problem(), {}, ExecutionContext(m_cpu));
    m_guessStretch = start.guessStretch();
    const auto times = std::get<std::span<const T>>(start.field().values);
    each([&](CudaPmmShare<T> &share) { share.setTimes(times, firstSubSweep); });
}

template <typename T>
void CudaPmmStepper<T>::advance(std::uint64_t iterations, std::stop_token stop)
{
    m_run->advance(iterations, m_settings.stopChange, stop, [this] {
        m_fieldIsPresent = false;
        return sweep();
    });
}

template <typename T>
void CudaPmmStepper<T>::subSweeps(std::size_t axis)
{
    for (int sense : {1, -1}) {
        meet();
        const SubSweepCount count{m_subSweep, m_beginning};
        // Also if one of the shares fails: others may have begun.
        ++m_subSweep;
        m_beginning += progressOf(static_cast<int>(m_run->problem().nodes[axis]));
        each([&](CudaPmmShare<T> &share) { share.subSweep(axis, sense, count); });
    }
}

template <typename T>
double CudaPmmStepper<T>::sweep()
{
    if (m_failure)
        std::rethrow_exception(m_failure);
    try {
        enqueueSweep();
        awaitAll();
    } catch (...) {
        m_failure = std::current_exception();
        abandon();
        throw;
    }
    double largest = 0;
    each([&](CudaPmmShare<T> &share) { largest = std::max(largest, share.largestChange()); });
    return solvers::PmmRun::reportedChange(static_cast<T>(m_planes->largest(largest)));
}

template <typename T>
void CudaPmmStepper<T>::enqueueSweep()
{
    using Share = CudaPmmShare<T>;
    each([](Share &share) { share.beginSweep(); });
    if (m_dividesAgain) {
        // What the slabs of rows have not seen: the four sub-sweeps since they were marched
        // through, or the source.
        meet();
        each([this](Share &share) { share.sendRows(m_subSweep - 5); });
    }
    subSweeps(2);
    if (m_dividesAgain) {
        meet();
        each([this](Share &share) { share.sendPlanes(m_subSweep - 3); });
    }
    subSweeps(1);
    if (m_exchangesForX) // the same for the copy with x and y exchanged
        each([this](Share &share) { share.exchangeForX(m_subSweep - 5); });
    subSweeps(0);
    if (m_exchangesForX)
        each([this](Share &share) { share.exchangeBack(m_subSweep - 3); });
    each([](Share &share) { share.endSweep(); });
}

/// Not one after the other: the first may be waiting for one that has failed.
template <typename T>
void CudaPmmStepper<T>::awaitAll() const
{
    if (m_shares.size() < 2)
        return; // largestChange() waits
    for (bool areIdle = false; !areIdle; std::this_thread::yield()) {
        areIdle = true;
        each([&](const CudaPmmShare<T> &share) { areIdle = share.isIdle() && areIdle; });
    }
}

template <typename T>
void CudaPmmStepper<T>::abandon() noexcept
{
    m_abandonment->raise();
    for (const auto &share : m_shares)
        share->waitUntilIdle();
    m_abandonment->lower();
}

template <typename T>
std::span<const T> CudaPmmStepper<T>::timesHere() const
{
    const auto count = m_planes->count();
    if (!m_fieldIsPresent) {
        const OnGpu scope(*m_gpu);
        m_field.reserve(count);
        each([&](const CudaPmmShare<T> &share) {
            share.copyTimes(m_field.values().first(count), m_planes->slab().begin);
        });
        m_fieldIsPresent = true;
    }
    return {m_field.data(), count};
}

template <typename T>
solvers::FieldView CudaPmmStepper<T>::field() const
{
    return m_planes->field(timesHere());
}

template <typename T>
solvers::FieldPart CudaPmmStepper<T>::part() const
{
    return m_planes->part(timesHere());
}

template <typename T>
solvers::StepReport CudaPmmStepper<T>::report() const
{
    auto result = m_run->report();
    if (m_run->problem().knownSolution)
        result.error = m_planes->largestError(timesHere());
    return result;
}

template <typename T>
void CudaPmmStepper<T>::setLiveParameter(std::string_view name, double value)
{
    if (m_run->setLiveParameter(name, value))
        restart();
}

template class CudaPmmStepper<float>;
template class CudaPmmStepper<double>;

} // namespace gridhelm::gpu
