// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/stencil/stencil_gpu.h"
#include "core/support/error.h"

namespace gridhelm::test {

/// A made-up GPU that is no part of a team.
class PartlessGpu : public stencil::StencilGpu
{
public:
    std::unique_ptr<stencil::StencilPart<float>> makePart(const stencil::StencilPiece &,
                                                          const std::string &, const GpuDevice &,
                                                          const CpuDevice &, float) const override
    {
        throw BackendError("that has no parts");
    }
    std::unique_ptr<stencil::StencilPart<double>> makePart(const stencil::StencilPiece &,
                                                           const std::string &, const GpuDevice &,
                                                           const CpuDevice &, double) const override
    {
        throw BackendError("that has no parts");
    }
};

} // namespace gridhelm::test
