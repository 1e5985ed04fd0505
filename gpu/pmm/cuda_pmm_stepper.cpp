// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/pmm/cuda_pmm_stepper.h"

#include "core/solvers/pmm/pmm_stepper.h"
#include "core/solvers/pmm/source_times.h"
#include "core/support/error.h"
#include "gpu/support/require_gpu.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <tuple>
#include <variant>

namespace gridhelm::gpu {
namespace {

using solvers::PmmProblem;

/// Bytes of a varying medium, or of a result, that are on their way at once.
constexpr std::size_t slabBytes = std::size_t{64} << 20;

/// Bricks that never changed, seen from the first sub-sweep, and those of the source.
constexpr int never = 0;
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

std::array<std::size_t, 3> bricksOf(const std::array<std::size_t, 3> &nodes)
{
    std::array<std::size_t, 3> result{};
    std::transform(nodes.begin(), nodes.end(), result.begin(),
                   [](std::size_t n) { return (n + brickEdge - 1) / brickEdge; });
    return result;
}

std::size_t tilesOf(const std::array<std::size_t, 3> &n)
{
    return std::max({maxTiles(n[0], n[1]), maxTiles(n[0], n[2]), maxTiles(n[1], n[2])});
}

PmmNodeValues upload(const solvers::NodeValues &values, double scale, std::size_t first,
                     std::size_t count, DeviceBuffer<double> &buffer, cudaStream_t stream)
{
    if (const double *same = std::get_if<double>(&values))
        return {nullptr, scale * *same};
    buffer.reserve(count);
    const double *source = std::get<std::vector<double>>(values).data() + first;
    check(cudaMemcpyAsync(buffer.data(), source, count * sizeof(double), cudaMemcpyHostToDevice,
                          stream),
          "take the speed and the advection");
    return {buffer.data(), scale};
}

} // namespace

template <typename T>
CudaPmmStepper<T>::CudaPmmStepper(const PmmProblem &problem, const solvers::PmmSettings &settings,
                                  const ExecutionContext &context, const CudaPmmChoices &choices)
    : CudaPmmStepper(OnGpu(requireGpu(context)), problem, settings, context, choices)
{
}

template <typename T>
CudaPmmStepper<T>::CudaPmmStepper(const OnGpu &, const PmmProblem &problem,
                                  const solvers::PmmSettings &settings,
                                  const ExecutionContext &context, const CudaPmmChoices &choices)
    : m_gpu(requireGpu(context))
    , m_cpu(context.cpu())
    , m_run(checked<T>(problem), sizeof(T))
    , m_settings(settings)
    , m_choices(choices)
    , m_alongX{PmmLayout(problem.nodes, sizeof(T)), {0, 1, 2}, {}, {}}
    , m_alongY{PmmLayout({problem.nodes[1], problem.nodes[0], problem.nodes[2]}, sizeof(T)),
               {1, 0, 2},
               {},
               {}}
    , m_bricks(bricksOf(problem.nodes))
    , m_changes(m_bricks[0] * m_bricks[1] * m_bricks[2])
    , m_progress(tilesOf(problem.nodes))
    , m_outcome(1)
    , m_outcomeHere(1)
{
    for (Layout *layout : {&m_alongX, &m_alongY})
        layout->times = DeviceBuffer<T>(layout->layout.size());
    restart();
}

template <typename T>
void CudaPmmStepper<T>::restart()
{
    m_fieldIsPresent = false;
    setMedium();
    for (const Layout *layout : {&m_alongX, &m_alongY})
        fillAll(layout->times, solvers::unreachedTime<T>, m_stream);
    fillAll(m_changes, never, m_stream);
    check(cudaMemsetAsync(m_progress.data(), 0, m_progress.bytes(), m_stream), "fill its memory");
    m_beginning = 0;
    m_subSweep = firstSubSweep;
    if (m_run.problem().initialGuess)
        setGuess();
    else
        setSources();
    *m_outcomeHere.data() = {0, firstSubSweep};
    check(cudaMemcpyAsync(m_outcome.data(), m_outcomeHere.data(), m_outcome.bytes(),
                          cudaMemcpyHostToDevice, m_stream),
          "take the source");
    m_stream.wait("take the source");
}

template <typename T>
void CudaPmmStepper<T>::setSources()
{
    std::vector<PmmSourceNode<T>> nodes;
    for (const auto &source : solvers::sourceTimes(m_run.problem()))
        nodes.push_back({source.node, static_cast<T>(source.time)});
    std::sort(nodes.begin(), nodes.end(), [](const auto &a, const auto &b) {
        return std::tie(a.node, a.time) < std::tie(b.node, b.time);
    });
    const DeviceBuffer<PmmSourceNode<T>> sources{std::span<const PmmSourceNode<T>>(nodes)};
    placeSources(sources, nodes.size(), m_alongX.times.data(), m_alongX.layout,
                 {m_bricks, m_changes.data()}, firstSubSweep, m_stream);
    m_stream.wait("take the source");
}

/// With the source. What may be started from takes one sweep to find out, which the CPU does.
template <typename T>
void CudaPmmStepper<T>::setGuess()
{
    const solvers::PmmStepper<T> start(m_run.problem(), {}, ExecutionContext(m_cpu));
    m_guessStretch = start.guessStretch();
    const auto times = std::get<std::span<const T>>(start.field().values);
    const DeviceBuffer<T> packed(std::min(times.size(), slabBytes / sizeof(T)));
    for (std::size_t first = 0; first < times.size(); first += packed.size()) {
        const std::size_t values = std::min(packed.size(), times.size() - first);
        check(cudaMemcpyAsync(packed.data(), times.data() + first, values * sizeof(T),
                              cudaMemcpyHostToDevice, m_stream),
              "take the initial guess");
        unpackTimes(packed.data(), first, values, m_alongX.times.data(), m_alongX.layout, m_stream);
    }
    fillAll(m_changes, firstSubSweep, m_stream); // each of them may lower others
    m_stream.wait("take the initial guess");
}

template <typename T>
void CudaPmmStepper<T>::setMedium()
{
    const auto &problem = m_run.problem();
    if (!solvers::variesInSpace(problem))
        return;
    const std::size_t count = m_run.isAnisotropic() ? 2 : 1;
    for (Layout *layout : {&m_alongX, &m_alongY}) {
        while (layout->coefficients.size() > count)
            layout->coefficients.pop_back();
        while (layout->coefficients.size() < count)
            layout->coefficients.emplace_back(layout->layout.size());
    }

    PmmMediumSlab slab;
    slab.spacing = problem.spacing;
    slab.anisotropic = m_run.isAnisotropic();
    for (double component : problem.direction)
        slab.directionSquare += component * component;
    DeviceBuffer<double> speed, advection;
    const std::size_t perPlane = problem.nodes[0] * problem.nodes[1];
    const std::size_t planesPerSlab =
        std::max<std::size_t>(slabBytes / (sizeof(double) * perPlane), 1);
    for (std::size_t plane = 0; plane < problem.nodes[2]; plane += planesPerSlab) {
        const std::size_t planes = std::min(planesPerSlab, problem.nodes[2] - plane);
        const std::size_t first = plane * perPlane, nodes = planes * perPlane;
        slab.speed = upload(problem.speed, problem.speedScale, first, nodes, speed, m_stream);
        if (slab.anisotropic)
            slab.advection = upload(problem.advection, problem.advectionScale, first, nodes,
                                    advection, m_stream);
        setCoefficients(slab, plane, planes, m_alongX.layout, m_alongX.coefficients[0].data(),
                        count > 1 ? m_alongX.coefficients[1].data() : nullptr, m_stream);
    }
    fillAll(m_changes, never + 1, m_stream); // all of them are new
    for (std::size_t c = 0; c < count; ++c)
        exchangeXY(m_alongX.coefficients[c].data(), m_alongX.layout,
                   m_alongY.coefficients[c].data(), m_alongY.layout, 0,
                   {m_bricks, m_changes.data()}, never, m_stream);
    m_stream.wait("take the speed and the advection");
}

template <typename T>
void CudaPmmStepper<T>::advance(std::uint64_t iterations, std::stop_token stop)
{
    const OnGpu scope(m_gpu);
    m_run.advance(iterations, m_settings.stopChange, stop, [this] {
        m_fieldIsPresent = false;
        return sweep();
    });
}

template <typename T>
double CudaPmmStepper<T>::sweep()
{
    check(
        cudaMemsetAsync(&m_outcome.data()->largestChange, 0, sizeof(unsigned long long), m_stream),
        "fill its memory");
    for (int sense : {1, -1})
        subSweep(m_alongX, 2, 1, sense);
    for (int sense : {1, -1})
        subSweep(m_alongX, 1, 2, sense);
    if (m_choices.exchangeForX) {
        // What the copy has not seen: the four sub-sweeps since it was marched through, or the
        // source.
        exchange(m_alongX, m_alongY, m_subSweep - 5);
        for (int sense : {1, -1})
            subSweep(m_alongY, 1, 2, sense);
        exchange(m_alongY, m_alongX, m_subSweep - 3);
    } else {
        for (int sense : {1, -1})
            subSweep(m_alongX, 0, 2, sense);
    }
    check(cudaMemcpyAsync(m_outcomeHere.data(), m_outcome.data(), m_outcome.bytes(),
                          cudaMemcpyDeviceToHost, m_stream),
          "tell the largest change");
    m_stream.wait("propagate the front");
    const double largest = std::bit_cast<double>(m_outcomeHere.data()->largestChange);
    return solvers::PmmRun::reportedChange(static_cast<T>(largest));
}

template <typename T>
void CudaPmmStepper<T>::exchange(const Layout &from, const Layout &to, int changedAfter)
{
    exchangeXY(from.times.data(), from.layout, to.times.data(), to.layout,
               static_cast<int>(from.axes[0]), {m_bricks, m_changes.data()}, changedAfter,
               m_stream);
}

/// Of the layout's axes 1 and 2 (or, uncoalesced, 0), one is the normal and the other counts rows.
template <typename T>
void CudaPmmStepper<T>::subSweep(const Layout &layout, std::size_t normalAxis, std::size_t rowAxis,
                                 int sense)
{
    const std::size_t lineAxis = 3 - normalAxis - rowAxis;
    const std::array<std::size_t, 3> axes{lineAxis, rowAxis, normalAxis};
    const std::array<std::ptrdiff_t, 3> strides{
        1, static_cast<std::ptrdiff_t>(layout.layout.rowStride),
        static_cast<std::ptrdiff_t>(layout.layout.planeStride)};
    const std::array<std::ptrdiff_t, 3> brickStrides{
        1, static_cast<std::ptrdiff_t>(m_bricks[0]),
        static_cast<std::ptrdiff_t>(m_bricks[0] * m_bricks[1])};
    const auto &points = layout.layout.points;

    MarchPlanes<T> planes;
    planes.width = static_cast<int>(points[lineAxis]);
    planes.rows = static_cast<int>(points[rowAxis]);
    planes.planes = static_cast<int>(points[normalAxis]);
    planes.columnStride = strides[lineAxis];
    planes.rowStride = strides[rowAxis];
    planes.planeStride = sense * strides[normalAxis];
    planes.backwards = sense < 0;
    const auto first = sense > 0 ? 0 : (planes.planes - 1) * strides[normalAxis];
    planes.times = layout.times.data() + first;
    for (std::size_t c = 0; c < layout.coefficients.size(); ++c)
        planes.coefficients[c] = layout.coefficients[c].data() + first;
    planes.changes = m_changes.data();
    MarchMedium<T> medium;
    medium.anisotropic = m_run.isAnisotropic();
    for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t axis = layout.axes[axes[i]];
        planes.bricks[i] = static_cast<int>(m_bricks[axis]);
        planes.brickStrides[i] = brickStrides[axis];
        medium.direction[i] = static_cast<T>(m_run.problem().direction[axis]);
    }
    medium.direction[2] *= static_cast<T>(sense);
    const auto constant = m_run.coefficientsAt(0);
    medium.constant = {static_cast<T>(constant[0]), static_cast<T>(constant[1])};
    planes.subSweep = m_subSweep++;
    planes.skips = m_choices.skipsUnchangedTiles;
    planes.progress = m_progress.data();
    planes.beginning = m_beginning;
    m_beginning += progressOf(planes.planes);
    planes.outcome = m_outcome.data();
    march(planes, medium, m_choices.launchPerPlane, m_stream);
}

template <typename T>
std::span<const T> CudaPmmStepper<T>::times() const
{
    const std::size_t count = m_run.problem().count();
    if (!m_fieldIsPresent) {
        const OnGpu scope(m_gpu);
        m_field.reserve(count);
        const std::size_t slab = std::min(count, slabBytes / sizeof(T));
        const DeviceBuffer<T> packed(slab);
        for (std::size_t first = 0; first < count; first += slab) {
            const std::size_t values = std::min(slab, count - first);
            packTimes(m_alongX.times.data(), m_alongX.layout, first, values, packed.data(),
                      m_stream);
            check(cudaMemcpyAsync(m_field.data() + first, packed.data(), values * sizeof(T),
                                  cudaMemcpyDeviceToHost, m_stream),
                  "deliver the times");
        }
        m_stream.wait("deliver the times");
        m_fieldIsPresent = true;
    }
    return {m_field.data(), count};
}

template <typename T>
solvers::FieldView CudaPmmStepper<T>::field() const
{
    const auto &problem = m_run.problem();
    return {problem.nodes, problem.origin, problem.spacing, times()};
}

template <typename T>
solvers::StepReport CudaPmmStepper<T>::report() const
{
    auto result = m_run.report();
    if (m_run.problem().knownSolution)
        result.error = solvers::largestError(m_run.problem(), times());
    return result;
}

template <typename T>
void CudaPmmStepper<T>::setLiveParameter(std::string_view name, double value)
{
    if (!m_run.setLiveParameter(name, value))
        return;
    const OnGpu scope(m_gpu);
    restart();
}

template class CudaPmmStepper<float>;
template class CudaPmmStepper<double>;

} // namespace gridhelm::gpu
