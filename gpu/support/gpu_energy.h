// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <string>

namespace gridhelm::gpu {

/// What a GPU has consumed, by its own counter, which NVIDIA's management library (NVML) reads. The
/// library is part of the driver, and is loaded when it is asked for: nothing is linked, and no
/// CUDA is needed. All that runs on the GPU counts.
class GpuEnergy
{
public:
    /// Of the GPU at this place on the PCI bus ("0000:17:00.0", gpu::Device::pciBusId).
    explicit GpuEnergy(const std::string &pciBusId, const char *library = "libnvidia-ml.so.1");
    ~GpuEnergy();
    GpuEnergy(const GpuEnergy &) = delete;
    GpuEnergy &operator=(const GpuEnergy &) = delete;

    /// Joules since it was made; none if the machine does not tell.
    std::optional<double> joules() const;
    /// Why it does not tell, without a full stop; empty if it does.
    const std::string &whyNot() const { return m_whyNot; }

private:
    struct Library;

    std::optional<double> jouleCounter() const;

    std::unique_ptr<Library> m_library; ///< null if it does not tell
    void *m_device = nullptr;           ///< NVML's handle
    double m_begin = 0;
    std::string m_whyNot;
};

} // namespace gridhelm::gpu
