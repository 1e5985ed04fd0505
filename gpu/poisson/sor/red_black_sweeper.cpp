// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solvers/poisson/methods.h"
#include "core/solvers/sor/sor_iterations.h"
#include "gpu/poisson/methods.h"
#include "gpu/poisson/recorded_work.h"
#include "gpu/poisson/sor/device_sweeper.h"
#include "gpu/poisson/sor/kernels.h"
#include "gpu/poisson/sor/red_black_team.h"
#include "gpu/poisson/sor/relax_launch.h"

#include <algorithm>
#include <cstdint>
#include <memory>

namespace gridhelm::gpu {
namespace {

using solvers::PoissonProblem;

template <typename T>
class RedBlack final : public sor::DeviceSweeper<T>
{
public:
    RedBlack(const PoissonProblem &problem, const GpuDevice &gpu, const TuningTable &tuning)
        : sor::DeviceSweeper<T>(problem, gpu)
        , m_launch(sor::relaxLaunch(tuning, sizeof(T), problem))
        , m_plainView(this->view())
    {
        auto &view = this->view();
        view.rowStride = paddedRow((problem.unknowns[0] + 1) / 2);
        view.planeStride = view.rowStride * view.ny;
        m_values = makeColours();
    }

    std::uint64_t sweep(std::uint64_t iterations, T w, const std::stop_token &stop) override
    {
        const OnGpu scope(this->gpu());
        std::uint64_t done = 0;
        while (done < iterations && !stop.stop_requested()) {
            const auto portion = std::min(this->portion(), iterations - done);
            std::uint64_t enqueued = 0;
            for (; isSmall() && enqueued + recordedSweeps <= portion; enqueued += recordedSweeps)
                repeatSweeps(w);
            for (; enqueued < portion; ++enqueued)
                enqueueSweep(w);
            done += portion;
            this->queue().waitForRoom();
        }
        this->queue().waitForAll();
        return done;
    }

    void setValues(std::span<const double> values) override
    {
        const OnGpu scope(this->gpu());
        assign(m_values, values, 1);
    }

    void copyValues(std::span<T> values) const override
    {
        const OnGpu scope(this->gpu());
        plainValues();
        m_plain.copyTo(values, this->stream());
    }

protected:
    const T *setSourceArray(std::span<const double> scaled) override
    {
        if (m_source.isEmpty())
            m_source = makeColours();
        assign(m_source, scaled, 1);
        m_plainSource = DeviceValues<T>();
        return m_source.data();
    }

    const T *plainValues() const override
    {
        merge(m_values, m_plain);
        return m_plain.data();
    }

    const T *plainSource() const override
    {
        if (this->view().source == nullptr)
            return nullptr;
        if (m_plainSource.isEmpty())
            merge(m_source, m_plainSource);
        return m_plainSource.data();
    }

private:
    void enqueueSweep(T w)
    {
        const T weight = w / static_cast<T>(this->view().is3D ? 6 : 4);
        for (int colour : {0, 1})
            sor::relaxColour(viewOf(colour), allLayers(), coloured(m_values), colour, 1 - w, weight,
                             this->stream(), m_launch);
    }

    bool isSmall() const
    {
        const auto &view = this->view();
        return static_cast<std::size_t>(view.nx) * view.ny * view.nz <= RecordedWork::mostUnknowns;
    }

    void repeatSweeps(T w)
    {
        const Recording present{w, this->view()};
        if (!m_recorded.isThere() || present != m_recording) {
            m_recorded = RecordedWork(this->stream(), [&] {
                for (std::uint64_t i = 0; i < recordedSweeps; ++i)
                    enqueueSweep(w);
            });
            m_recording = present;
        }
        m_recorded.enqueue(this->stream());
    }

    /// What a recording depends on: live parameters may have changed since.
    struct Recording
    {
        T relaxation;
        GridView<T> view;
        bool operator==(const Recording &) const = default;
    };

    /// Both colours behind each other, as if the second one were further planes.
    DeviceValues<T> makeColours() const
    {
        auto both = this->view();
        both.nz *= 2;
        return DeviceValues<T>(both, this->stream());
    }

    sor::Coloured<T> coloured(const DeviceValues<T> &values) const
    {
        const auto &view = this->view();
        return {{values.data(), values.data() + view.planeStride * view.nz}};
    }

    LayerRange allLayers() const
    {
        const auto &view = this->view();
        return {0, view.is3D ? view.nz : view.ny};
    }

    /// With the source of that colour, if there is an array.
    GridView<T> viewOf(int colour) const
    {
        auto view = this->view();
        if (view.source != nullptr)
            view.source = coloured(m_source).colours[colour];
        return view;
    }

    void assign(DeviceValues<T> &colours, std::span<const double> values, double factor)
    {
        makePlain(m_plain);
        m_plain.assign(values, factor, this->stream());
        sor::splitColours(this->view(), allLayers(), m_plain.data(), coloured(colours),
                          this->stream());
    }

    void merge(const DeviceValues<T> &colours, DeviceValues<T> &plain) const
    {
        makePlain(plain);
        sor::mergeColours(this->view(), allLayers(), coloured(colours), plain.data(),
                          this->stream());
    }

    void makePlain(DeviceValues<T> &plain) const
    {
        if (plain.isEmpty())
            plain = DeviceValues<T>(m_plainView, this->stream());
    }

    static constexpr std::uint64_t recordedSweeps = 32;

    sor::RelaxLaunch m_launch;
    RecordedWork m_recorded;
    Recording m_recording{};
    GridView<T> m_plainView;
    DeviceValues<T> m_values;
    DeviceValues<T> m_source;
    mutable DeviceValues<T> m_plain; ///< on the way in and out
    mutable DeviceValues<T> m_plainSource;
};

template <typename T>
std::unique_ptr<solvers::PoissonIterations<T>> make(const PoissonProblem &problem,
                                                    const OptionValues &options,
                                                    const GpuDevice &gpu, const TuningTable &tuning)
{
    return std::make_unique<solvers::SorIterations<T>>(
        problem, options, std::make_unique<RedBlack<T>>(problem, gpu, tuning));
}

template <typename T>
std::unique_ptr<solvers::PoissonIterations<T>> makeOnTeam(const PoissonProblem &problem,
                                                          const OptionValues &options,
                                                          const ExecutionContext &context)
{
    return std::make_unique<solvers::SorIterations<T>>(problem, options,
                                                       makeRedBlackTeam<T>(problem, context));
}

} // namespace

constinit const CudaMethod redBlackOnCuda{&solvers::redBlackSor, make<float>, make<double>,
                                          makeOnTeam<float>, makeOnTeam<double>};

} // namespace gridhelm::gpu
