// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/codec/quantised_row.h"
#include "gpu/sparse/quantised_combination.h"
#include "gpu/support/buffer.h"

#include <cstddef>

namespace gridhelm::gpu {

/// A quantised row's codes in the memory of the GPU that is current when it is made.
class DeviceQuantisedRow
{
public:
    /// A copy; waits for it. Throws DeviceError if there is no room.
    explicit DeviceQuantisedRow(const codec::QuantisedRow &row);

    /// `last`: its weight in the last group, where rows stand on both sides of it.
    WeightedQuantisedRow weighted(double weight, double last) const;

    /// What a combination reads.
    std::size_t bytes() const { return m_headers.bytes() + m_codes.bytes(); }

private:
    float m_step;
    DeviceBuffer<GroupHeader> m_headers;
    DeviceBuffer<std::byte> m_codes;
};

} // namespace gridhelm::gpu
