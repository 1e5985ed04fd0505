// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/device.h"
#include "core/stencil/generate/code.h"
#include "core/stencil/padded_values.h"
#include "core/stencil/stencil_part.h"
#include "gpu/stencil/change.h"
#include "gpu/support/buffer.h"
#include "gpu/support/cubin.h"
#include "gpu/support/peer_copy.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gridhelm::gpu {

/// Generated code on one GPU; the piece is there from the beginning on.
template <typename T>
class CudaPart final : public stencil::StencilPart<T>
{
public:
    using Change = typename stencil::StencilPart<T>::Change;
    using Layers = stencil::Layers;

    /// `cubin`: cudaDeviceCode() of the whole stencil. Throws BackendError for grids that are too
    /// large for this GPU or for its code.
    CudaPart(const stencil::StencilPiece &piece, const std::string &cubin, const GpuDevice &gpu,
             const CpuDevice &cpu);
    ~CudaPart() override;

    std::string_view method() const override { return "generated"; }
    ComputedOn computedOn() const override { return ComputedOn::gpu(m_gpu.index); }
    double advance(std::uint64_t iterations, T factor) override;
    void iterate(std::uint64_t iterations, T factor) override;
    Change lastChange(const Layers &layers) override;
    Change nextChange(const Layers &layers, T factor) override;
    void read(const Layers &layers, T *to) const override;
    void write(const Layers &layers, const T *from) override;
    /// To another one of this kind.
    bool send(const Layers &layers, stencil::StencilPart<T> &to, std::size_t at) override;

private:
    /// All that is of the GPU, so that it is made and goes while the GPU is current.
    struct OnDevice
    {
        OnDevice(const std::string &bytes, bool makesPasses)
            : code(bytes)
            , iterate(code.kernel("iterate"))
            , setGhosts(code.kernel("setGhostsAlong"))
            , followValues(code.kernel("followValues"))
            , iterateSeveral(makesPasses ? code.kernel("iterateSeveral") : nullptr)
        {
        }

        Stream stream;
        Event iterated = Event::untimed(); ///< all that was asked for
        Event sent = Event::untimed();
        Cubin code;
        const void *iterate, *setGhosts, *followValues, *iterateSeveral;
        BlockReduction reduction;
        std::vector<DeviceBuffer<T>> lists;    ///< u twice, coefficients, f
        std::map<const void *, PeerCopy> ways; ///< to other parts
    };

    void requireFitting() const;
    T *added(); ///< another list, of zeros; its first point
    void set(T *list, const stencil::ScalarField &field, const CpuDevice &cpu);
    /// Their values without ghosts, in the order of the stream.
    void take(const T *from, T *list, const Layers &layers);
    void setAllGhosts(T *list);
    void iterateOnce(const T *from, T *to, T factor);
    void iterateSeveral(const T *from, T *to, T factor);
    void choosePatches();
    void renewGhosts(); ///< of the present values
    void followGhosts(T *list);
    Change changeBetween(const T *before, const T *after, const Layers &layers);
    std::size_t layerStride() const;
    /// From the first value of a layer to that of its ghosts that come first.
    std::size_t ghostsBefore() const;

    GpuDevice m_gpu;
    stencil::CudaDeviceCode m_code;
    stencil::PaddedLayout m_layout;
    StencilGrid m_grid;
    std::vector<unsigned long long> m_lists; ///< the kernels' struct Lists, word by word
    dim3 m_blocks{};
    int m_passRows = 1; ///< of a warp
    dim3 m_passBlocks{};
    bool m_ghostsAreOld = false;
    std::optional<OnDevice> m_device;
    T *m_present = nullptr;
    T *m_next = nullptr;
};

} // namespace gridhelm::gpu
