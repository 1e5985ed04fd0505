// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gridhelm {

/// Which devices a result was computed on. Part of results, so cheap to copy and to unite.
class ComputedOn
{
public:
    ComputedOn() = default; ///< nowhere yet
    static ComputedOn cpu() { return ComputedOn(1); }
    static ComputedOn gpu(int index) { return ComputedOn(std::uint64_t{2} << index); }

    bool isNowhere() const { return m_devices == 0; }
    bool usesCpu() const { return (m_devices & 1) != 0; }
    bool usesGpu() const { return m_devices > 1; }

    ComputedOn &operator|=(ComputedOn other)
    {
        m_devices |= other.m_devices;
        return *this;
    }
    bool operator==(const ComputedOn &) const = default;

    /// "gpu:0", "cpu": GPUs first, by index.
    std::vector<std::string> names() const;
    /// For people: "gpu:0 and cpu".
    std::string text() const;

private:
    explicit ComputedOn(std::uint64_t devices)
        : m_devices(devices)
    {
    }

    std::uint64_t m_devices = 0; ///< bit 0: the CPU; bit 1 + i: GPU i, i < 63
};

} // namespace gridhelm
