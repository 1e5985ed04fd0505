// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/support/cuda_error.h"

#include <cstddef>
#include <utility>

namespace gridhelm::gpu {

/// Work that is enqueued again and again in one go, as a CUDA graph: kernels of a few microseconds
/// would wait for their launches otherwise. It keeps the pointers and parameters of its recording.
class RecordedWork
{
public:
    /// Iterations on larger grids hide their launches, and need no recording.
    static constexpr std::size_t mostUnknowns = std::size_t{1} << 22;

    RecordedWork() = default;
    /// What enqueue() does with the stream.
    template <typename Enqueue>
    RecordedWork(cudaStream_t stream, Enqueue enqueue)
    {
        check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "record its work");
        cudaGraph_t graph = nullptr;
        try {
            enqueue();
        } catch (...) {
            if (cudaStreamEndCapture(stream, &graph) == cudaSuccess)
                cudaGraphDestroy(graph);
            throw;
        }
        check(cudaStreamEndCapture(stream, &graph), "record its work");
        const auto status = cudaGraphInstantiate(&m_graph, graph, 0);
        cudaGraphDestroy(graph);
        check(status, "record its work");
    }
    RecordedWork(RecordedWork &&other) noexcept
        : m_graph(std::exchange(other.m_graph, nullptr))
    {
    }
    RecordedWork &operator=(RecordedWork &&other) noexcept
    {
        std::swap(m_graph, other.m_graph);
        return *this;
    }
    ~RecordedWork()
    {
        if (m_graph)
            cudaGraphExecDestroy(m_graph);
    }

    bool isThere() const { return m_graph != nullptr; }
    void enqueue(cudaStream_t stream) const
    {
        check(cudaGraphLaunch(m_graph, stream), "repeat its work");
    }

private:
    cudaGraphExec_t m_graph = nullptr;
};

} // namespace gridhelm::gpu
