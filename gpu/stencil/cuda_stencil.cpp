// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/stencil/cuda_stencil.h"

#include "gpu/stencil/cuda_part.h"
#include "gpu/support/device_attribute.h"
#include "gpu/support/nvrtc.h"
#include "gpu/support/on_gpu.h"
#include "gpu/support/require_gpu.h"

#include <memory>

namespace gridhelm::gpu {
namespace {

using stencil::Stencil;
using stencil::StencilIterations;
using stencil::StencilPart;
using stencil::StencilPiece;

template <typename T>
std::unique_ptr<solvers::Stepper> stepperOn(const GpuDevice &gpu, const Stencil &stencil,
                                            const std::string &cubin, const CpuDevice &cpu)
{
    return stencil::makeStencilStepper<T>(
        stencil, cpu, [&](const Stencil &kept) -> std::unique_ptr<StencilIterations<T>> {
            return std::make_unique<CudaPart<T>>(stencil::StencilPiece(kept), cubin, gpu, cpu);
        });
}

class CudaStencil final : public stencil::StencilGpu
{
public:
    stencil::CubinCompiler compilerFor(const ExecutionContext &context) const override
    {
        const OnGpu scope(requireGpu(context));
        const int major = deviceAttribute(cudaDevAttrComputeCapabilityMajor);
        const int minor = deviceAttribute(cudaDevAttrComputeCapabilityMinor);
        const auto nvrtc = std::make_shared<const Nvrtc>();
        stencil::CubinCompiler compiler;
        compiler.name = "NVRTC " + nvrtc->version();
        compiler.identity = nvrtc->identity();
        for (const auto &option : Nvrtc::options(major, minor))
            compiler.identity += " " + option;
        compiler.compile = [=](const std::string &text) {
            return nvrtc->cubin(text, major, minor);
        };
        return compiler;
    }

    std::unique_ptr<solvers::Stepper> makeStepper(const Stencil &stencil, const std::string &cubin,
                                                  const ExecutionContext &context) const override
    {
        const auto &gpu = requireGpu(context);
        if (stencil.precision == solvers::Precision::float32)
            return stepperOn<float>(gpu, stencil, cubin, context.cpu());
        return stepperOn<double>(gpu, stencil, cubin, context.cpu());
    }

    std::unique_ptr<StencilPart<float>> makePart(const StencilPiece &piece,
                                                 const std::string &cubin, const GpuDevice &gpu,
                                                 const CpuDevice &cpu, float) const override
    {
        return std::make_unique<CudaPart<float>>(piece, cubin, gpu, cpu);
    }
    std::unique_ptr<StencilPart<double>> makePart(const StencilPiece &piece,
                                                  const std::string &cubin, const GpuDevice &gpu,
                                                  const CpuDevice &cpu, double) const override
    {
        return std::make_unique<CudaPart<double>>(piece, cubin, gpu, cpu);
    }
};

} // namespace

const stencil::StencilGpu &stencilGpu()
{
    static const CudaStencil gpu;
    return gpu;
}

} // namespace gridhelm::gpu
