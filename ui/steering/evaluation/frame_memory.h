// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/steering/field_frame.h"

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

namespace gridhelm::ui {

/// Memory of frames that nobody shows any more: to get as much afresh from the system takes longer
/// than to evaluate the field. Owned by a shared_ptr, because frames may outlive their service.
/// Thread-safe.
class FrameMemory : public std::enable_shared_from_this<FrameMemory>
{
public:
    FrameMemory();

    /// A frame whose values and indicator have this size, and any content.
    std::shared_ptr<FieldFrame> frame(std::size_t values);

private:
    std::vector<float> take();
    void keep(std::vector<float> list);

    std::mutex m_mutex;
    std::vector<std::vector<float>> m_kept;
};

} // namespace gridhelm::ui
