// SPDX-License-Identifier: GPL-3.0-or-later
//
// What there is of this folder where CUDA was not built in.
#include "core/support/error.h"
#include "gpu/answers/cuda_square_sums.h"
#include "gpu/cuda_solvers.h"
#include "gpu/device_info.h"
#include "gpu/sparse/cuda_backend.h"
#include "gpu/sparse/rows_on_gpu.h"
#include "gpu/stencil/cuda_stencil.h"
#include "gpu/support/device_limits.h"
#include "gpu/tuning_cases.h"

namespace gridhelm::gpu {
namespace {

constexpr const char *reason =
    "not built with CUDA: configure with nvcc on the PATH (preset \"cuda\") to have it";

[[noreturn]] void refuse()
{
    throw Error(std::string("there is no back end cuda here: this program was ") + reason
                + "; until then choose omp");
}

class NoSolvers final : public solvers::SolverBackend
{
public:
    std::string_view name() const override { return "cuda"; }
    bool usesThreads() const override { return false; }

    std::unique_ptr<solvers::Stepper> makePoisson(solvers::PoissonProblem,
                                                  const solvers::PoissonSettings &,
                                                  const ExecutionContext &) const override
    {
        refuse();
    }

    std::unique_ptr<solvers::Stepper> makePmm(const solvers::PmmProblem &, solvers::Precision,
                                              const solvers::PmmSettings &,
                                              const ExecutionContext &) const override
    {
        refuse();
    }
};

class NoStencils final : public stencil::StencilGpu
{
public:
    stencil::CubinCompiler compilerFor(const ExecutionContext &) const override { refuse(); }
    std::unique_ptr<solvers::Stepper> makeStepper(const stencil::Stencil &, const std::string &,
                                                  const ExecutionContext &) const override
    {
        refuse();
    }
    std::unique_ptr<stencil::StencilPart<float>> makePart(const stencil::StencilPiece &,
                                                          const std::string &, const GpuDevice &,
                                                          const CpuDevice &, float) const override
    {
        refuse();
    }
    std::unique_ptr<stencil::StencilPart<double>> makePart(const stencil::StencilPiece &,
                                                           const std::string &, const GpuDevice &,
                                                           const CpuDevice &, double) const override
    {
        refuse();
    }
};

} // namespace

std::span<const TunableOperation *const> gpuOperations()
{
    return {};
}

std::vector<tuning::TuningCase> gpuCases()
{
    return {};
}

bool isBuilt() noexcept
{
    return false;
}

DeviceList listDevices()
{
    return {{}, {}, reason};
}

std::vector<GpuDevice> gpuDevices()
{
    return {};
}

std::unique_ptr<sparse::Backend> makeCudaBackend(const ExecutionContext &)
{
    refuse();
}

ValuesOnGpu::ValuesOnGpu(const ExecutionContext &, std::size_t)
    : m_size(0)
{
    refuse();
}

void ValuesOnGpu::copyTo(std::span<float>) const
{
    refuse();
}

std::unique_ptr<RowsOnGpu> loadOnGpu(linalg::MatrixView<const float>, const ExecutionContext &)
{
    refuse();
}

std::unique_ptr<RowsOnGpu> loadOnGpu(const codec::QuantisedRows &, const ExecutionContext &)
{
    refuse();
}

ComputedOn sumSquares(const answers::SquareSums &, linalg::MatrixView<const float>,
                      const answers::SquareSumsOutput &, const ExecutionContext &)
{
    refuse();
}

DeviceLimits measureDeviceLimits(const GpuDevice &)
{
    refuse();
}

const stencil::StencilGpu &stencilGpu()
{
    static const NoStencils stencils;
    return stencils;
}

const solvers::SolverBackend &cudaSolvers()
{
    static const NoSolvers solvers;
    return solvers;
}

} // namespace gridhelm::gpu
