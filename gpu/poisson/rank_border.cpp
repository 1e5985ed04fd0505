// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/poisson/rank_border.h"

#include <utility>

namespace gridhelm::gpu {

RankBorder::RankBorder(std::shared_ptr<Messages> messages, int party, const LayerRows &rows,
                       std::size_t mostLayers)
    : m_messages(std::move(messages))
    , m_party(party)
    , m_rows(rows)
    , m_out(bytesOf(mostLayers))
    , m_in(bytesOf(mostLayers))
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

void RankBorder::enqueueEdge(const void *edge, std::size_t layers, const Stream &stream)
{
    if (m_isPending)
        settle(); // an edge may follow one that nothing has been received after
    m_layersOut = layers;
    check(cudaMemcpy2DAsync(m_out.data(), m_rows.bytes, edge, m_rows.pitch, m_rows.bytes,
                            layers * m_rows.count, cudaMemcpyDeviceToHost, stream),
          "send values to another process");
    m_isOnHost.record(stream);
}

void RankBorder::send()
{
    m_isOnHost.wait();
    m_isPending = true;
    m_messages->send(m_party, gridhelm::bytesOf(m_out.data(), bytesOf(m_layersOut)));
}

void RankBorder::receive(std::size_t layers)
{
    m_hasLeft.wait(); // what arrived before
    m_layersIn = layers;
    m_isPending = true;
    m_messages->receive(m_party, writableBytesOf(m_in.data(), bytesOf(layers)));
}

void RankBorder::end(void *halo, const Stream &stream)
{
    settle();
    check(cudaMemcpy2DAsync(halo, m_rows.pitch, m_in.data(), m_rows.bytes, m_rows.bytes,
                            m_layersIn * m_rows.count, cudaMemcpyHostToDevice, stream),
          "take values from another process");
    m_hasLeft.record(stream);
}

void RankBorder::settle()
{
    m_messages->await(m_party);
    m_isPending = false;
}

} // namespace gridhelm::gpu
