// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/poisson/rank_border.h"

#include <utility>

namespace gridhelm::gpu {

RankBorder::RankBorder(std::shared_ptr<Ranks> ranks, int rank, std::size_t bytes)
    : m_ranks(std::move(ranks))
    , m_rank(rank)
    , m_out(bytes)
    , m_in(bytes)
{
}

/// Something has failed while messages were pending: they may still be written to, until the
/// process ends.
RankBorder::~RankBorder()
{
    if (!m_isPending)
        return;
    static_cast<void>(new PinnedBuffer<std::byte>(std::move(m_out)));
    static_cast<void>(new PinnedBuffer<std::byte>(std::move(m_in)));
}

void RankBorder::enqueueEdge(const void *edge, std::size_t bytes, const Stream &stream)
{
    m_bytesOut = bytes;
    check(cudaMemcpyAsync(m_out.data(), edge, bytes, cudaMemcpyDeviceToHost, stream),
          "send values to another process");
    m_isOnHost.record(stream);
}

void RankBorder::begin(std::size_t bytesExpected)
{
    m_bytesIn = bytesExpected;
    // What arrived before has left m_in: its copy was enqueued before that of the edge.
    m_isOnHost.wait();
    m_isPending = true;
    m_ranks->receive(m_rank, writableBytesOf(m_in.data(), bytesExpected));
    m_ranks->send(m_rank, bytesOf(m_out.data(), m_bytesOut));
}

void RankBorder::end(void *halo, const Stream &stream)
{
    m_ranks->await(m_rank);
    m_isPending = false;
    check(cudaMemcpyAsync(halo, m_in.data(), m_bytesIn, cudaMemcpyHostToDevice, stream),
          "take values from another process");
}

} // namespace gridhelm::gpu
