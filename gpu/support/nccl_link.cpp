// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/support/nccl_link.h"

#include "core/support/error.h"
#include "gpu/support/cuda_error.h"
#include "gpu/support/gpu_place.h"
#include "gpu/support/shared_library.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

namespace gridhelm::gpu {
namespace {

// What its interface says since version 2.7, which has send and receive.
constexpr int success = 0;
constexpr int bytesType = 0;
constexpr int oldestVersion = 2700;
struct UniqueId
{
    std::array<char, 128> bytes{};
};

bool areDistinct(std::vector<std::string> texts)
{
    std::ranges::sort(texts);
    return !texts.front().empty() && std::ranges::adjacent_find(texts) == texts.end();
}

} // namespace

struct NcclLink::Library
{
    Library()
    {
        int (*getVersion)(int *) = nullptr;
        int found = 0;
        if (library.find(getVersion, "ncclGetVersion")
            && library.find(getUniqueId, "ncclGetUniqueId")
            && library.find(initRank, "ncclCommInitRank")
            && library.find(destroy, "ncclCommDestroy") && library.find(abort, "ncclCommAbort")
            && library.find(groupStart, "ncclGroupStart") && library.find(groupEnd, "ncclGroupEnd")
            && library.find(send, "ncclSend") && library.find(receive, "ncclRecv")
            && library.find(errorString, "ncclGetErrorString") && getVersion(&found) == success
            && found >= oldestVersion)
            version = found;
    }
    void require(int status) const
    {
        if (status != success)
            throw BackendError(fmt::format("the GPU cannot exchange values with those of other "
                                           "processes (NCCL: {})",
                                           errorString(status)));
    }

    SharedLibrary library{"libnccl.so.2"};
    int version = 0; ///< 0: it cannot be used
    int (*getUniqueId)(UniqueId *) = nullptr;
    int (*initRank)(void **communicator, int count, UniqueId id, int rank) = nullptr;
    int (*destroy)(void *communicator) = nullptr;
    int (*abort)(void *communicator) = nullptr;
    int (*groupStart)() = nullptr;
    int (*groupEnd)() = nullptr;
    int (*send)(const void *, std::size_t, int type, int rank, void *communicator,
                cudaStream_t) = nullptr;
    int (*receive)(void *, std::size_t, int type, int rank, void *communicator,
                   cudaStream_t) = nullptr;
    const char *(*errorString)(int) = nullptr;
};

std::shared_ptr<NcclLink> NcclLink::between(Ranks &ranks, const GpuDevice &gpu)
{
    if (!areDistinct(textsOfAll(ranks, placeOf(ranks, gpu))))
        return nullptr;
    const auto library = std::make_shared<const Library>();
    const auto versions = ranks.numbersOfAll(library->version);
    if (std::ranges::any_of(versions, [&](double each) { return each != versions.front(); })
        || versions.front() == 0)
        return nullptr;
    UniqueId id;
    const bool hasId = !ranks.isFirst() || library->getUniqueId(&id) == success;
    id = ofFirst(ranks, id);
    if (!ofFirst(ranks, hasId))
        return nullptr;
    void *communicator = nullptr;
    const int status = library->initRank(&communicator, ranks.count(), id, ranks.number());
    const auto failed = largestOfAll(ranks, status == success ? 0 : 1) > 0;
    if (failed) {
        if (status == success)
            library->destroy(communicator);
        return nullptr;
    }
    return std::shared_ptr<NcclLink>(new NcclLink(library, communicator));
}

NcclLink::NcclLink(std::shared_ptr<const Library> library, void *communicator)
    : m_library(std::move(library))
    , m_communicator(communicator)
{
}

NcclLink::~NcclLink()
{
    if (m_communicator != nullptr)
        m_library->destroy(m_communicator);
}

void NcclLink::abort() noexcept
{
    if (m_communicator != nullptr)
        m_library->abort(std::exchange(m_communicator, nullptr));
}

void NcclLink::together(const std::function<void()> &exchange)
{
    m_library->require(m_library->groupStart());
    try {
        exchange();
    } catch (...) {
        m_library->groupEnd();
        throw;
    }
    m_library->require(m_library->groupEnd());
}

void NcclLink::send(int rank, const void *values, std::size_t bytes, const Stream &stream)
{
    m_library->require(m_library->send(values, bytes, bytesType, rank, m_communicator, stream));
}

void NcclLink::receive(int rank, void *values, std::size_t bytes, const Stream &stream)
{
    m_library->require(m_library->receive(values, bytes, bytesType, rank, m_communicator, stream));
}

} // namespace gridhelm::gpu
