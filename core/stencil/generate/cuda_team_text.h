// SPDX-License-Identifier: GPL-3.0-or-later
//
// What generated CUDA code has on the host if several devices share the grid: all GPUs, or these
// and the CPU.
#pragma once

#include <string_view>

namespace gridhelm::stencil {

/// In the place of cudaHostEnd; after class Memory.
inline constexpr std::string_view cudaTeamText =
    R"(// ---- several devices ---------------------------------------------------------------------------

// Each has some layers (rows in 2D, planes in 3D) and, for some iterations, those of its neighbours:
// what is wrong at the ends of what it has comes one radius nearer with each of them.
constexpr int axis = stencil::dimension - 1;
constexpr bool isRing = @RING@;
constexpr bool hasCpu = @HASCPU@;
constexpr double partOfGpus = @PARTITION@; // of the layers

struct Piece
{
    Index begin, end; // its own layers
    Index halo; // of a neighbour, at each end where there is one
    bool hasLower, hasUpper;

    Index below() const { return hasLower ? halo : 0; }
    Index above() const { return hasUpper ? halo : 0; }
    Index layers() const { return below() + end - begin + above(); }
};

struct Division
{
    std::vector<Piece> pieces;
    Index depth = 1; // iterations between two exchanges
};

bool hasRoom(const Division &division, Index layers, Index halo)
{
    for (const Piece &piece : division.pieces) {
        const Index own = piece.end - piece.begin;
        if (own < halo || (isRing && own + 2 * halo > layers))
            return false;
    }
    return true;
}

// `gpus` equal parts, and one for the CPU if it has one.
Division divided(Index layers, int gpus)
{
    for (int count = gpus + (hasCpu ? 1 : 0);; --count) {
        Division division;
        Index smallest = layers;
        for (int p = 0; p < count; ++p) {
            const auto upTo = [&](int parts) {
                if (parts == count)
                    return layers;
                const double ofGpus = hasCpu ? partOfGpus * parts / gpus : double(parts) / count;
                return static_cast<Index>(std::lround(static_cast<double>(layers) * ofGpus));
            };
            division.pieces.push_back({upTo(p), upTo(p + 1), 0, isRing || p > 0,
                                       isRing || p + 1 < count});
            smallest = std::min(smallest, upTo(p + 1) - upTo(p));
        }
        if (count == 1) {
            division.pieces[0].hasLower = division.pieces[0].hasUpper = false;
            return division;
        }
        if (!hasRoom(division, layers, radius))
            continue;
        // Layers that are computed twice are a 50th of a part, or less.
        // It is whole passes, as long as there is room for one.
        constexpr Index pass = stencil::iterationsPerPass;
        division.depth = std::min<Index>(std::max<Index>(smallest / (50 * radius), 1), 32);
        division.depth = (division.depth + pass - 1) / pass * pass;
        while (!hasRoom(division, layers, division.depth * radius))
            division.depth -= division.depth > pass ? (division.depth - 1) % pass + 1 : 1;
        for (Piece &piece : division.pieces)
            piece.halo = division.depth * radius;
        return division;
    }
}

// A piece of a run's grids in the host's memory.
class HostPiece
{
public:
    HostPiece(const Run &whole, const Piece &piece)
        : run(whole)
    {
        const Index layers = whole.points[axis];
        run.points[axis] = piece.layers();
        m_first = piece.begin - piece.below();
        m_layers = layers;
        m_stride = axis == 2 ? whole.planeStride : whole.rowStride;
        m_before = stencil::lineValues + radius * whole.rowStride
                   + (axis == 2 ? radius * whole.planeStride : 0);
        m_values = (piece.layers() + 2 * radius) * m_stride + stencil::lineValues;
        if (axis == 1)
            run.planeStride = (piece.layers() + 2 * radius) * whole.rowStride;
        run.present = copied(whole.present);
        run.next = copied(whole.next);
        run.source = whole.source != nullptr ? copied(whole.source) : nullptr;
        for (int c = 0; c < stencil::coefficientCount; ++c)
            m_coefficients[c] = copied(whole.coefficients[c]);
        run.coefficients = m_coefficients;
        if (whole.spike[0] >= 0) {
            const Index at = ((whole.spike[axis] - m_first) % layers + layers) % layers;
            run.spike[axis] = at;
            if (at >= piece.layers())
                run.spike[0] = -1;
        }
    }

    Run run;

private:
    Value *copied(const Value *from)
    {
        // Lines begin where the processor's do.
        m_lists.emplace_back(m_values + stencil::lineValues);
        auto *memory = m_lists.back().data();
        const auto address = reinterpret_cast<std::uintptr_t>(memory);
        memory += (64 - address % 64) % 64 / sizeof(Value);
        Value *const first = memory + m_before;
        for (Index layer = 0; layer < run.points[axis]; ++layer) {
            const Index of = ((m_first + layer) % m_layers + m_layers) % m_layers;
            const Index ghosts = axis == 2 ? radius * run.rowStride : 0;
            std::copy_n(from + of * m_stride - ghosts - stencil::lineValues, m_stride,
                        first + layer * m_stride - ghosts - stencil::lineValues);
        }
        return first;
    }

    Index m_first = 0, m_layers = 1, m_stride = 1, m_before = 0, m_values = 0;
    std::vector<std::vector<Value>> m_lists;
    const Value *m_coefficients[stencil::coefficientCount + 1] = {};
};

// Where the memory of a layer begins, with all its ghosts.
Value *layerOf(const Run &run, Value *first, Index at)
{
    return first + at * (axis == 2 ? run.planeStride : run.rowStride)
           - (axis == 2 ? radius * run.rowStride : 0) - stencil::lineValues;
}

@CPUADVANCE@
// One device with its piece.
class Part
{
public:
    Part(const Run &whole, const Piece &piece, int gpu)
        : m_host(std::make_unique<HostPiece>(whole, piece))
        , m_gpu(gpu)
    {
        if (gpu < 0)
            return;
        require(cudaSetDevice(gpu));
        m_memory = std::make_unique<Memory>(m_host->run);
    }
    ~Part()
    {
        if (m_gpu >= 0)
            cudaSetDevice(m_gpu);
    }

    bool isGpu() const { return m_gpu >= 0; }
    // A GPU goes on behind the caller's back.
    void advance(Index iterations)
    {
        if (isGpu()) {
            require(cudaSetDevice(m_gpu));
            m_memory->advance(iterations);
        } else {
            advanceOnCpu(&m_host->run, iterations);
        }
    }
    void wait()
    {
        if (!isGpu())
            return;
        require(cudaSetDevice(m_gpu));
        require(cudaDeviceSynchronize());
    }
    void copy()
    {
        if (!isGpu())
            return;
        require(cudaSetDevice(m_gpu));
        m_memory->copy();
    }
    Value *layer(Index at) const
    {
        const Run &run = m_host->run;
        return layerOf(run, isGpu() ? m_memory->present : run.present, at);
    }
    Value *layerBefore(Index at) const
    {
        const Run &run = m_host->run;
        return layerOf(run, isGpu() ? m_memory->next : run.next, at);
    }

private:
    std::unique_ptr<HostPiece> m_host;
    int m_gpu;
    std::unique_ptr<Memory> m_memory;
};

class Team
{
public:
    explicit Team(const Run &run)
        : m_layerBytes((axis == 2 ? run.planeStride : run.rowStride)
                       * static_cast<Index>(sizeof(Value)))
    {
        int gpus = 0;
        require(cudaGetDeviceCount(&gpus));
        const int parts = gridhelm_stencil_parts_1 > 0 ? gridhelm_stencil_parts_1 : gpus;
        m_division = divided(run.points[axis], parts);
        const int count = static_cast<int>(m_division.pieces.size());
        for (int p = 0; p < count; ++p) {
            const bool isCpu = hasCpu && p == parts;
            m_parts.push_back(
                std::make_unique<Part>(run, m_division.pieces[p], isCpu ? -1 : p % gpus));
        }
        m_left = m_division.depth;
    }

    void advance(Index iterations)
    {
        while (iterations > 0) {
            if (m_left == 0)
                exchange();
            // The last one alone: what it changes is asked for.
            const Index count = iterations > 1 ? std::min(iterations - 1, m_left) : 1;
            for (auto &part : m_parts) { // GPUs are before the CPU
                part->advance(count);
            }
            for (auto &part : m_parts)
                part->wait();
            m_left -= count;
            iterations -= count;
        }
    }
    void copy(Index times)
    {
        for (Index done = 0; done < times; ++done) {
            for (auto &part : m_parts)
                part->copy();
        }
        for (auto &part : m_parts)
            part->wait();
    }
    void download(const Run &run)
    {
        for (std::size_t p = 0; p < m_parts.size(); ++p) {
            const Piece &piece = m_division.pieces[p];
            const Index count = piece.end - piece.begin;
            copyLayers(m_parts[p]->layer(piece.below()), layerOf(run, run.present, piece.begin),
                       count);
            copyLayers(m_parts[p]->layerBefore(piece.below()), layerOf(run, run.next, piece.begin),
                       count);
        }
    }

private:
    void copyLayers(const Value *from, Value *to, Index count)
    {
        require(cudaMemcpy(to, from, count * m_layerBytes, cudaMemcpyDefault));
    }
    void exchange()
    {
        m_left = m_division.depth;
        const auto count = static_cast<Index>(m_parts.size());
        for (Index p = 0; count > 1 && p < (isRing ? count : count - 1); ++p) {
            const Index q = (p + 1) % count;
            const Piece &lower = m_division.pieces[p], &upper = m_division.pieces[q];
            const Index end = lower.below() + lower.end - lower.begin; // of the lower one's own
            copyLayers(m_parts[p]->layer(end - upper.below()), m_parts[q]->layer(0), upper.below());
            copyLayers(m_parts[q]->layer(upper.below()), m_parts[p]->layer(end), lower.above());
        }
        for (auto &part : m_parts)
            part->wait();
    }

    Index m_layerBytes;
    Index m_left = 1;
    Division m_division;
    std::vector<std::unique_ptr<Part>> m_parts;
};

template <typename Work>
double secondsOf(Work work)
{
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

} // namespace

double gridhelm_stencil_advance_1(Run *run, std::ptrdiff_t iterations)
{
    Team team(*run);
    team.advance(iterations);
    team.download(*run);
    return run->compares != 0 ? largestChange(*run) : 0;
}

double gridhelm_stencil_seconds_1(Run *run, std::ptrdiff_t iterations, double *copySeconds)
{
    Team team(*run);
    team.advance(iterations); // warm
    team.copy(1);
    const double seconds = secondsOf([&] { team.advance(iterations); });
    *copySeconds = secondsOf([&] { team.copy(iterations); });
    return seconds;
}
)";

} // namespace gridhelm::stencil
