// SPDX-License-Identifier: GPL-3.0-or-later
//
// From GPU to GPU of several processes by NVIDIA's NCCL, which is looked for when it is needed and
// not linked.
#pragma once

#include "core/execution/device.h"
#include "core/execution/ranks.h"
#include "gpu/support/stream.h"

#include <cstddef>
#include <functional>
#include <memory>

namespace gridhelm::gpu {

/// All ranks of a run, each with a GPU of its own. One thread at a time.
class NcclLink
{
public:
    /// Collective. Null, on all of them, if a rank has no NCCL, if theirs are of different
    /// versions, if two have the same GPU, or if NCCL cannot begin. Made while the GPU is current.
    static std::shared_ptr<NcclLink> between(Ranks &ranks, const GpuDevice &gpu);
    /// Collective, or after abort().
    ~NcclLink();
    NcclLink(const NcclLink &) = delete;
    NcclLink &operator=(const NcclLink &) = delete;

    /// What `exchange` sends and receives is enqueued together, and happens together: each send()
    /// with the other rank's receive() of as many bytes. Throw BackendError.
    void together(const std::function<void()> &exchange);
    void send(int rank, const void *values, std::size_t bytes, const Stream &stream);
    void receive(int rank, void *values, std::size_t bytes, const Stream &stream);

    /// Streams wait for no other rank any more; nothing else but the destructor follows.
    void abort() noexcept;

private:
    struct Library;
    NcclLink(std::shared_ptr<const Library> library, void *communicator);

    std::shared_ptr<const Library> m_library;
    void *m_communicator;
};

} // namespace gridhelm::gpu
