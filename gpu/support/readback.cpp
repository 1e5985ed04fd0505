// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/support/readback.h"

#include "gpu/support/host_copy.h"

#include <algorithm>

namespace gridhelm::gpu {
namespace {

constexpr std::size_t pieceBytes = std::size_t{2} << 20;
/// Below this the driver's own way is as fast.
constexpr std::size_t fewBytes = std::size_t{256} << 10;

bool isPinned(const void *pointer)
{
    cudaPointerAttributes attributes{};
    check(cudaPointerGetAttributes(&attributes, pointer), "tell whose memory it is");
    return attributes.type != cudaMemoryTypeUnregistered;
}

} // namespace

/// Nothing writes to the arrays any more when they die.
Readback::~Readback()
{
    if (!m_isFinished)
        cudaStreamSynchronize(m_route.stream);
}

void Readback::add(const void *from, void *to, std::size_t bytes, cudaStream_t producer)
{
    if (bytes == 0)
        return;
    m_isFinished = false;
    m_route.ready.record(producer);
    check(cudaStreamWaitEvent(m_route.stream, m_route.ready), "give results back");
    if (bytes < fewBytes || isPinned(to)) {
        check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, m_route.stream),
              "give results back");
        return;
    }
    for (std::size_t begin = 0; begin < bytes; begin += pieceBytes)
        addPiece(static_cast<const std::byte *>(from) + begin, static_cast<std::byte *>(to) + begin,
                 std::min(pieceBytes, bytes - begin));
}

void Readback::addPiece(const std::byte *from, std::byte *to, std::size_t bytes)
{
    if (m_pending.size() == m_route.pieces.size())
        takeOldest();
    auto &piece = m_route.pieces[m_next];
    m_next = (m_next + 1) % m_route.pieces.size();
    piece.memory.reserve(pieceBytes);
    check(cudaMemcpyAsync(piece.memory.data(), from, bytes, cudaMemcpyDeviceToHost, m_route.stream),
          "give results back");
    piece.arrived.record(m_route.stream);
    m_pending.push_back({&piece, to, bytes});
}

void Readback::takeOldest()
{
    const auto oldest = m_pending.front();
    oldest.piece->arrived.wait();
    copyWithThreads(oldest.piece->memory.data(), oldest.to, oldest.bytes, m_route.cpu);
    m_pending.pop_front();
}

void Readback::finish()
{
    while (!m_pending.empty())
        takeOldest();
    m_route.stream.wait("give results back");
    m_isFinished = true;
}

} // namespace gridhelm::gpu
