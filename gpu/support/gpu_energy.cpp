// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/support/gpu_energy.h"

#include "gpu/support/shared_library.h"

#include <fmt/format.h>

namespace gridhelm::gpu {
namespace {

constexpr int nvmlSuccess = 0;

} // namespace

/// Initialised while it lives.
struct GpuEnergy::Library
{
    explicit Library(const char *name)
        : library(name)
    {
        int (*init)() = nullptr;
        isReady = library.find(init, "nvmlInit_v2") && library.find(shutdown, "nvmlShutdown")
                  && library.find(handleOf, "nvmlDeviceGetHandleByPciBusId_v2")
                  && library.find(energyOf, "nvmlDeviceGetTotalEnergyConsumption")
                  && init() == nvmlSuccess;
    }

    ~Library()
    {
        if (isReady)
            shutdown();
    }

    Library(const Library &) = delete;
    Library &operator=(const Library &) = delete;

    SharedLibrary library;
    bool isReady = false;
    int (*shutdown)() = nullptr;
    int (*handleOf)(const char *pciBusId, void **device) = nullptr;
    int (*energyOf)(void *device, unsigned long long *millijoules) = nullptr;
};

GpuEnergy::GpuEnergy(const std::string &pciBusId, const char *library)
    : m_library(std::make_unique<Library>(library))
{
    if (!m_library->isReady) {
        m_whyNot =
            fmt::format("not told by this machine: {} is missing or does not start", library);
    } else if (m_library->handleOf(pciBusId.c_str(), &m_device) != nvmlSuccess) {
        m_whyNot = fmt::format("not told by this machine: {} does not know a GPU at {}", library,
                               pciBusId);
    } else if (const auto begin = jouleCounter()) {
        m_begin = *begin;
        return;
    } else {
        m_whyNot = "not told by this GPU, which has no counter of energy";
    }
    m_library.reset();
}

GpuEnergy::~GpuEnergy() = default;

std::optional<double> GpuEnergy::jouleCounter() const
{
    unsigned long long millijoules = 0;
    if (m_library->energyOf(m_device, &millijoules) != nvmlSuccess)
        return std::nullopt;
    return 1e-3 * static_cast<double>(millijoules);
}

std::optional<double> GpuEnergy::joules() const
{
    if (!m_library)
        return std::nullopt;
    const auto now = jouleCounter();
    return now ? std::optional(*now - m_begin) : std::nullopt;
}

} // namespace gridhelm::gpu
