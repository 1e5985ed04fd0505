// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/stencil/compiled_part.h"

#include "core/stencil/kernel_run.h"
#include "core/stencil/padded_values.h"
#include "core/support/system_info.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace gridhelm::stencil {
namespace {

template <typename T>
class CompiledPart final : public StencilPart<T>
{
public:
    using Change = typename StencilPart<T>::Change;

    CompiledPart(const StencilPiece &piece, CompiledKernel kernel, const CpuDevice &cpu)
        : StencilPart<T>(piece)
        , m_kernel(std::move(kernel))
        , m_cpu(cpu)
        , m_values{PaddedValues<T>(piece.stencil(), cpu), PaddedValues<T>(piece.stencil(), cpu)}
    {
        const auto &whole = piece.whole();
        const auto &stencil = this->stencil();
        set(m_values[0], whole.start);
        m_run.present = m_values[0].first();
        m_run.next = m_values[1].first();
        if (whole.source.field) {
            m_lists.emplace_back(stencil, cpu);
            set(m_lists.back(), *whole.source.field);
            m_run.source = m_lists.back().first();
        }
        for (const auto &coefficient : whole.coefficients) {
            m_lists.emplace_back(stencil, cpu);
            set(m_lists.back(), coefficient);
            m_coefficients.push_back(m_lists.back().first());
        }
        m_run.coefficients = m_coefficients.data();
        for (std::size_t axis = 0; axis < 3; ++axis) {
            m_run.points[axis] = static_cast<std::ptrdiff_t>(stencil.points[axis]);
            if (stencil.source.spike)
                m_run.spike[axis] = static_cast<std::ptrdiff_t>((*stencil.source.spike)[axis]);
        }
        m_run.rowStride = static_cast<std::ptrdiff_t>(m_values[0].rowStride());
        m_run.planeStride = static_cast<std::ptrdiff_t>(m_values[0].planeStride());
        m_run.threads = cpu.threads;
        m_run.cacheBytes = static_cast<std::ptrdiff_t>(coreCacheBytes());
        m_run.streams =
            2 * stencil.count() * sizeof(T) > querySystemInfo().lastLevelCacheBytes ? 1 : 0;
    }

    std::string_view method() const override { return "generated"; }
    ComputedOn computedOn() const override { return ComputedOn::cpu(); }

    double advance(std::uint64_t iterations, T factor) override
    {
        m_run.compares = 1;
        return call(iterations, factor);
    }
    void iterate(std::uint64_t iterations, T factor) override
    {
        m_run.compares = 0;
        call(iterations, factor);
    }
    Change lastChange(const Layers &layers) override
    {
        return changeBetween(m_run.next, m_run.present, layers);
    }
    Change nextChange(const Layers &layers, T factor) override
    {
        iterate(1, factor);
        std::swap(m_run.present, m_run.next); // as they were
        return changeBetween(m_run.present, m_run.next, layers);
    }

    void read(const Layers &layers, T *to) const override
    {
        forEachRow(layers, [&](std::ptrdiff_t at, std::size_t values) {
            to = std::copy_n(m_run.present + at, values, to);
        });
    }
    void write(const Layers &layers, const T *from) override
    {
        forEachRow(layers, [&](std::ptrdiff_t at, std::size_t values) {
            std::copy_n(from, values, m_run.present + at);
            from += values;
        });
    }

private:
    void set(PaddedValues<T> &to, const ScalarField &field)
    {
        this->piece().forEachValue(field, m_cpu,
                                   [&](std::size_t i, std::size_t j, std::size_t k, double value) {
                                       to.at(i, j, k) = static_cast<T>(value);
                                   });
    }
    double call(std::uint64_t iterations, T factor)
    {
        m_run.sourceFactor = factor;
        const auto advance = reinterpret_cast<KernelFunction<T>>(m_kernel.function);
        return advance(&m_run, static_cast<std::ptrdiff_t>(iterations));
    }

    std::size_t rowsOfLayer() const
    {
        return this->stencil().dimension == 3 ? this->stencil().points[1] : 1;
    }
    std::ptrdiff_t offsetOf(std::size_t row) const
    {
        const auto rows = rowsOfLayer();
        const auto layer = static_cast<std::ptrdiff_t>(row / rows);
        return layer * (this->stencil().dimension == 3 ? m_run.planeStride : m_run.rowStride)
               + static_cast<std::ptrdiff_t>(row % rows) * m_run.rowStride;
    }
    /// body(where it begins, its values)
    template <typename Body>
    void forEachRow(const Layers &layers, const Body &body) const
    {
        const auto rows = rowsOfLayer();
        for (auto row = layers.begin * rows; row < (layers.begin + layers.count) * rows; ++row)
            body(offsetOf(row), this->stencil().points[0]);
    }

    Change changeBetween(const T *before, const T *after, const Layers &layers) const
    {
        const auto rows = rowsOfLayer();
        const auto n = static_cast<std::ptrdiff_t>(this->stencil().points[0]);
        double sum = 0, largest = 0;
#pragma omp parallel for num_threads(m_cpu.threads) reduction(+ : sum) reduction(max : largest)
        for (std::size_t row = layers.begin * rows; row < (layers.begin + layers.count) * rows;
             ++row) {
            const auto at = offsetOf(row);
            double ofRow = 0;
            for (auto i = at; i < at + n; ++i) {
                const double change =
                    static_cast<double>(after[i]) - static_cast<double>(before[i]);
                ofRow += change * change;
                largest = std::max(largest, std::abs(change));
            }
            sum += ofRow;
        }
        return {largest, sum};
    }

    CompiledKernel m_kernel;
    CpuDevice m_cpu;
    std::array<PaddedValues<T>, 2> m_values;
    std::vector<PaddedValues<T>> m_lists;
    std::vector<const T *> m_coefficients;
    KernelRun<T> m_run;
};

} // namespace

template <typename T>
std::unique_ptr<StencilPart<T>> makeCompiledPart(const StencilPiece &piece, CompiledKernel kernel,
                                                 const CpuDevice &cpu)
{
    return std::make_unique<CompiledPart<T>>(piece, std::move(kernel), cpu);
}

template std::unique_ptr<StencilPart<float>>
makeCompiledPart(const StencilPiece &piece, CompiledKernel kernel, const CpuDevice &cpu);
template std::unique_ptr<StencilPart<double>>
makeCompiledPart(const StencilPiece &piece, CompiledKernel kernel, const CpuDevice &cpu);

} // namespace gridhelm::stencil
