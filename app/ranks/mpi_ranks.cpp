// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/ranks/mpi_ranks.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <thread>

#include <unistd.h>

namespace gridhelm::app {
namespace {

/// MPI counts in int.
constexpr std::size_t mostAtOnce = std::size_t{1} << 30;

/// visit(first byte, number of bytes) for pieces that MPI can count.
template <typename Byte, typename Visitor>
void inPieces(std::span<Byte> bytes, const Visitor &visit)
{
    for (std::size_t first = 0; first < bytes.size(); first += mostAtOnce) {
        const auto piece = bytes.subspan(first, std::min(mostAtOnce, bytes.size() - first));
        visit(piece.data(), static_cast<int>(piece.size()));
    }
}

std::string hostName()
{
    std::array<char, MPI_MAX_PROCESSOR_NAME> name{};
    int size = 0;
    MPI_Get_processor_name(name.data(), &size);
    return {name.data(), static_cast<std::size_t>(size)};
}

} // namespace

MpiRanks::MpiRanks()
{
    MPI_Comm_dup(MPI_COMM_WORLD, &m_world);
    MPI_Comm_rank(m_world, &m_number);
    MPI_Comm_size(m_world, &m_count);
    m_pending.resize(static_cast<std::size_t>(m_count));
    m_hosts = textsOfAll(*this, hostName());
    const auto here = std::ranges::count(m_hosts, m_hosts[static_cast<std::size_t>(m_number)]);
    m_isCrowded = here > sysconf(_SC_NPROCESSORS_ONLN);
}

MpiRanks::~MpiRanks()
{
    int isOver = 0; // nothing is left to be freed then
    MPI_Finalized(&isOver);
    if (isOver == 0)
        MPI_Comm_free(&m_world);
}

void MpiRanks::send(int to, std::span<const std::byte> bytes)
{
    const std::lock_guard lock(m_mutex);
    inPieces(bytes, [&](const std::byte *first, int count) {
        auto &request = m_pending[static_cast<std::size_t>(to)].emplace_back();
        MPI_Isend(first, count, MPI_BYTE, to, 0, m_world, &request);
    });
}

void MpiRanks::receive(int from, std::span<std::byte> bytes)
{
    const std::lock_guard lock(m_mutex);
    inPieces(bytes, [&](std::byte *first, int count) {
        auto &request = m_pending[static_cast<std::size_t>(from)].emplace_back();
        MPI_Irecv(first, count, MPI_BYTE, from, 0, m_world, &request);
    });
}

void MpiRanks::await(int other)
{
    // Neighbours are a few microseconds apart as a rule, which is less than sleep takes.
    const int glances = m_isCrowded ? 1000 : 1'000'000;
    auto &pending = m_pending[static_cast<std::size_t>(other)];
    for (int i = 0;; ++i) {
        {
            const std::lock_guard lock(m_mutex);
            int areDone = 1;
            if (!pending.empty())
                MPI_Testall(static_cast<int>(pending.size()), pending.data(), &areDone,
                            MPI_STATUSES_IGNORE);
            if (areDone != 0) {
                pending.clear();
                return;
            }
        }
        if (i >= glances)
            std::this_thread::sleep_for(std::chrono::microseconds(20));
    }
}

void MpiRanks::broadcast(std::span<std::byte> bytes, int from)
{
    const std::lock_guard lock(m_mutex);
    inPieces(bytes, [&](std::byte *first, int count) {
        MPI_Bcast(first, count, MPI_BYTE, from, m_world);
    });
}

std::vector<double> MpiRanks::numbersOfAll(double mine)
{
    const std::lock_guard lock(m_mutex);
    std::vector<double> numbers(static_cast<std::size_t>(m_count));
    MPI_Allgather(&mine, 1, MPI_DOUBLE, numbers.data(), 1, MPI_DOUBLE, m_world);
    return numbers;
}

} // namespace gridhelm::app
