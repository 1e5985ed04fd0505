// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stencil/divided_iterations.h"

#include "core/execution/crew.h"
#include "core/solvers/local_messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <exception>
#include <mutex>
#include <optional>
#include <utility>

namespace gridhelm::stencil {
namespace {

using solvers::LocalMessages;
using solvers::Slab;

bool isRing(const Stencil &stencil)
{
    return stencil.isPeriodic(layerAxis(stencil));
}

std::size_t haloOf(const Stencil &stencil, std::uint64_t depth)
{
    return static_cast<std::size_t>(depth) * static_cast<std::size_t>(radiusOf(stencil));
}

/// Whether neighbours' halos come from one slab each, and no layer is twice in a piece.
bool hasRoom(const Stencil &stencil, const std::vector<Slab> &slabs, std::size_t halo)
{
    return std::ranges::all_of(slabs, [&](const Slab &slab) {
        return slab.size() >= halo
               && (!isRing(stencil) || slab.size() + 2 * halo <= layersOf(stencil));
    });
}

/// Layers that are computed twice, at each end of a slab, are at most so many of 100 of its own.
constexpr std::size_t slabsPerHalo = 50;
constexpr std::uint64_t deepest = 32;

/// If there is room for so much.
std::uint64_t suitingDepth(const Stencil &stencil, const std::vector<Slab> &slabs)
{
    const auto radius = static_cast<std::size_t>(ghostsOf(stencil));
    const auto smallest = std::ranges::min_element(slabs, {}, &Slab::size)->size();
    const auto pass = static_cast<std::uint64_t>(stencil.target.iterationsPerPass);
    const auto depth = std::clamp<std::uint64_t>(smallest / (slabsPerHalo * radius), 1, deepest);
    return (depth + pass - 1) / pass * pass; // shallower passes would be wasted
}

/// A slab with its halos, in layers of the piece.
struct Window
{
    Slab slab;
    std::size_t below = 0; ///< layers of halo
    std::size_t above = 0;

    std::ptrdiff_t first() const
    {
        return static_cast<std::ptrdiff_t>(slab.begin) - static_cast<std::ptrdiff_t>(below);
    }
    std::size_t layers() const { return below + slab.size() + above; }
    Layers own() const { return {below, slab.size()}; }
};

/// Between one part and the next one, the last and the first included where the grid is a ring.
template <typename T>
class Border
{
public:
    Border(std::size_t lower, std::size_t upper, bool isWithinGroup, std::size_t layerValues)
        : m_lower(lower)
        , m_upper(upper)
        , m_layerValues(layerValues)
    {
        if (!isWithinGroup)
            m_messages.emplace();
    }

    std::size_t lower() const { return m_lower; }
    std::size_t upper() const { return m_upper; }

    /// The other one's edge, and its own: of parts that one thread moves.
    void exchange(StencilPart<T> &lower, const Window &ofLower, StencilPart<T> &upper,
                  const Window &ofUpper)
    {
        const Layers low = highEdge(ofLower, ofUpper.below), high = lowEdge(ofUpper, ofLower.above);
        carry(lower, low, upper, 0);
        carry(upper, high, lower, ofLower.below + ofLower.slab.size());
    }
    /// Of parts that two threads move: first all that one sends, then all that it receives.
    bool isBetweenThreads() const { return m_messages.has_value(); }
    void sendUp(const StencilPart<T> &lower, const Window &window, std::size_t layers)
    {
        send(0, lower, highEdge(window, layers));
    }
    void sendDown(const StencilPart<T> &upper, const Window &window, std::size_t layers)
    {
        send(1, upper, lowEdge(window, layers));
    }
    void receiveBelow(StencilPart<T> &upper, const Window &window)
    {
        receive(1, upper, {0, window.below});
    }
    void receiveAbove(StencilPart<T> &lower, const Window &window)
    {
        receive(0, lower, {window.below + window.slab.size(), window.above});
    }
    void abandon()
    {
        if (m_messages)
            m_messages->abandon();
    }

private:
    static Layers highEdge(const Window &window, std::size_t layers)
    {
        return {window.below + window.slab.size() - layers, layers};
    }
    static Layers lowEdge(const Window &window, std::size_t layers)
    {
        return {window.below, layers};
    }
    void carry(StencilPart<T> &from, const Layers &layers, StencilPart<T> &to, std::size_t at)
    {
        if (from.send(layers, to, at))
            return;
        auto &values = m_buffers[0];
        values.resize(layers.count * m_layerValues);
        from.read(layers, values.data());
        to.write({at, layers.count}, values.data());
    }
    void send(int party, const StencilPart<T> &part, const Layers &layers)
    {
        auto &values = m_buffers[static_cast<std::size_t>(party)];
        values.resize(layers.count * m_layerValues);
        part.read(layers, values.data());
        m_messages->party(party)->send(1 - party, bytesOf(values.data(), values.size()));
    }
    void receive(int party, StencilPart<T> &part, const Layers &layers)
    {
        auto &values = m_buffers[static_cast<std::size_t>(2 + party)];
        values.resize(layers.count * m_layerValues);
        auto &messages = *m_messages->party(party);
        messages.receive(1 - party, writableBytesOf(values.data(), values.size()));
        messages.await(1 - party);
        part.write(layers, values.data());
    }

    std::size_t m_lower, m_upper;
    std::size_t m_layerValues;
    std::optional<LocalMessages> m_messages; ///< the lower part's thread is party 0
    std::array<std::vector<T>, 4> m_buffers; ///< sent by each party, received by each
};

template <typename T>
class DividedIterations final : public StencilIterations<T>
{
public:
    DividedIterations(const Stencil &stencil, const std::vector<StencilMember<T>> &members,
                      const StencilDivision &division)
        : m_stencil(stencil)
        , m_depth(division.depth)
        , m_left(division.depth)
        , m_parts(division.slabs.size())
    {
        for (std::size_t i = 0; i < m_parts.size(); ++i)
            m_groups.push_back(members[i].group);
        const auto halo = haloOf(stencil, m_depth);
        const bool isClosed = isRing(stencil);
        for (const auto &slab : division.slabs)
            m_windows.push_back({slab, isClosed || slab.hasLower() ? halo : 0,
                                 isClosed || slab.hasUpper() ? halo : 0});
        for (std::size_t i = 0; i + (isClosed ? 0 : 1) < m_parts.size(); ++i) {
            const auto next = (i + 1) % m_parts.size();
            m_borders.push_back(std::make_unique<Border<T>>(i, next, m_groups[i] == m_groups[next],
                                                            valuesOfLayer(stencil)));
        }
        const auto groups = *std::ranges::max_element(m_groups) + 1;
        m_crew.emplace(groups);
        // By the threads that will use them, so that their memory is near.
        onParts([&](std::size_t i) {
            m_parts[i] =
                members[i].make(StencilPiece(stencil, m_windows[i].first(), m_windows[i].layers()));
        });
    }
    ~DividedIterations() override
    {
        m_crew->run([&](std::size_t group) {
            forEachOf(group, [&](std::size_t i) { m_parts[i].reset(); });
        });
    }

    std::string_view method() const override { return m_parts.front()->method(); }
    ComputedOn computedOn() const override
    {
        ComputedOn all;
        for (const auto &part : m_parts)
            all |= part->computedOn();
        return all;
    }

    double advance(std::uint64_t iterations, T factor) override
    {
        std::vector<double> largest(m_parts.size(), 0.0);
        const auto before = m_left;
        std::uint64_t after = before;
        onGroups([&](std::size_t group) {
            auto left = before;
            // The last one alone: it is what the change is of.
            for (auto rest = iterations; rest > 0;) {
                if (left == 0) {
                    exchange(group);
                    left = m_depth;
                }
                const auto count = rest > 1 ? std::min(rest - 1, left) : 1;
                forEachOf(group, [&](std::size_t i) { m_parts[i]->iterate(count, factor); });
                rest -= count;
                left -= count;
            }
            forEachOf(group, [&](std::size_t i) {
                largest[i] = m_parts[i]->lastChange(m_windows[i].own()).largest;
            });
            if (group == m_groups.front())
                after = left;
        });
        m_left = after;
        return *std::ranges::max_element(largest);
    }

    double residual(T factor) override
    {
        std::vector<double> squares(m_parts.size(), 0.0);
        const bool needsEdges = m_left == 0;
        onGroups([&](std::size_t group) {
            if (needsEdges)
                exchange(group);
            forEachOf(group, [&](std::size_t i) {
                squares[i] = m_parts[i]->nextChange(m_windows[i].own(), factor).squared;
            });
        });
        if (needsEdges)
            m_left = m_depth;
        double sum = 0;
        for (const double square : squares)
            sum += square;
        return std::sqrt(sum);
    }

    void copyTo(std::vector<T> &values) const override
    {
        values.resize(m_stencil.count());
        for (std::size_t i = 0; i < m_parts.size(); ++i)
            m_parts[i]->read(m_windows[i].own(),
                             values.data() + m_windows[i].slab.begin * valuesOfLayer(m_stencil));
    }

private:
    /// Those of one group; borders to others, through messages.
    void exchange(std::size_t group)
    {
        for (const auto &border : m_borders) {
            const auto low = border->lower(), high = border->upper();
            if (!border->isBetweenThreads()) {
                if (m_groups[low] == group)
                    border->exchange(*m_parts[low], m_windows[low], *m_parts[high],
                                     m_windows[high]);
                continue;
            }
            if (m_groups[low] == group)
                border->sendUp(*m_parts[low], m_windows[low], m_windows[high].below);
            if (m_groups[high] == group)
                border->sendDown(*m_parts[high], m_windows[high], m_windows[low].above);
        }
        for (const auto &border : m_borders) {
            if (!border->isBetweenThreads())
                continue;
            const auto low = border->lower(), high = border->upper();
            if (m_groups[low] == group)
                border->receiveAbove(*m_parts[low], m_windows[low]);
            if (m_groups[high] == group)
                border->receiveBelow(*m_parts[high], m_windows[high]);
        }
    }

    template <typename Body>
    void forEachOf(std::size_t group, const Body &body)
    {
        for (std::size_t i = 0; i < m_parts.size(); ++i) {
            if (m_groups[i] == group)
                body(i);
        }
    }
    template <typename Body>
    void onParts(const Body &body)
    {
        onGroups([&](std::size_t group) { forEachOf(group, body); });
    }
    /// If one group fails, those that wait for it do, too, and what is thrown is its own exception.
    template <typename Body>
    void onGroups(const Body &body)
    {
        std::mutex mutex;
        std::exception_ptr failure;
        m_crew->run([&](std::size_t group) {
            try {
                body(group);
            } catch (...) {
                const std::lock_guard lock(mutex);
                if (!failure)
                    failure = std::current_exception();
                for (const auto &border : m_borders)
                    border->abandon();
            }
        });
        if (failure)
            std::rethrow_exception(failure);
    }

    const Stencil &m_stencil;
    std::uint64_t m_depth;
    std::uint64_t m_left; ///< iterations until halos are needed
    std::vector<std::size_t> m_groups;
    std::vector<Window> m_windows;
    std::vector<std::unique_ptr<StencilPart<T>>> m_parts;
    std::vector<std::unique_ptr<Border<T>>> m_borders;
    std::optional<Crew> m_crew;
};

} // namespace

StencilDivision dividedLayers(const Stencil &stencil, const std::vector<double> &weights,
                              std::uint64_t depth)
{
    const auto radius = static_cast<std::size_t>(ghostsOf(stencil));
    auto some = weights;
    StencilDivision division{solvers::divided(layersOf(stencil), radius, some), 1};
    while (division.slabs.size() > 1 && !hasRoom(stencil, division.slabs, haloOf(stencil, 1))) {
        some.resize(division.slabs.size() - 1);
        division.slabs = solvers::divided(layersOf(stencil), radius, some);
    }
    division.depth = depth > 0 ? depth : suitingDepth(stencil, division.slabs);
    // In whole passes, as long as there is room for one.
    const auto pass = static_cast<std::uint64_t>(stencil.target.iterationsPerPass);
    while (division.depth > 1 && !hasRoom(stencil, division.slabs, haloOf(stencil, division.depth)))
        division.depth -= division.depth > pass ? (division.depth - 1) % pass + 1 : 1;
    return division;
}

template <typename T>
std::unique_ptr<StencilIterations<T>>
makeDividedIterations(const Stencil &stencil, const std::vector<StencilMember<T>> &members,
                      const StencilDivision &division, const ExecutionContext &context)
{
    const auto *layers = nameOfLayers(stencil);
    if (division.slabs.size() < members.size())
        context.report(
            {ExecutionEvent::Kind::notice,
             fmt::format("{} of {} devices compute: the grid has only {} {}", division.slabs.size(),
                         members.size(), layersOf(stencil), layers)});
    solvers::reportShares(division.slabs, layers, context);
    if (division.slabs.size() == 1)
        return members.front().make(StencilPiece(stencil));
    return std::make_unique<DividedIterations<T>>(stencil, members, division);
}

template <typename T>
double measuredSpeed(const Stencil &stencil, const MakeStencilPart<T> &make)
{
    constexpr double enough = 0.02; // seconds
    constexpr std::uint64_t most = 1 << 16;
    const auto radius = static_cast<std::size_t>(ghostsOf(stencil));
    const auto layers = std::min(layersOf(stencil), std::max(layersOf(stencil) / 8, 16 * radius));
    const auto part = make(StencilPiece(stencil, 0, layers));
    const auto secondsOf = [&](std::uint64_t iterations) {
        const auto begin = std::chrono::steady_clock::now();
        part->iterate(iterations, T(0));
        std::vector<T> value(valuesOfLayer(stencil));
        part->read({0, 1}, value.data()); // when all is done
        const std::chrono::duration<double> since = std::chrono::steady_clock::now() - begin;
        return since.count();
    };
    secondsOf(1);
    for (std::uint64_t iterations = 1;; iterations *= 2) {
        const double seconds = secondsOf(iterations);
        if (seconds >= enough || iterations >= most)
            return static_cast<double>(layers * iterations) / std::max(seconds, 1e-9);
    }
}

template std::unique_ptr<StencilIterations<float>>
makeDividedIterations(const Stencil &, const std::vector<StencilMember<float>> &,
                      const StencilDivision &, const ExecutionContext &);
template std::unique_ptr<StencilIterations<double>>
makeDividedIterations(const Stencil &, const std::vector<StencilMember<double>> &,
                      const StencilDivision &, const ExecutionContext &);
template double measuredSpeed(const Stencil &, const MakeStencilPart<float> &);
template double measuredSpeed(const Stencil &, const MakeStencilPart<double> &);

} // namespace gridhelm::stencil
