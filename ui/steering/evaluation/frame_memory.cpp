// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/steering/evaluation/frame_memory.h"

#include <utility>

namespace gridhelm::ui {
namespace {

constexpr std::size_t maxKept = 4;

} // namespace

FrameMemory::FrameMemory()
{
    m_kept.reserve(maxKept);
}

std::shared_ptr<FieldFrame> FrameMemory::frame(std::size_t values)
{
    auto frame = std::make_unique<FieldFrame>();
    for (auto *list : {&frame->values, &frame->indicator}) {
        *list = take();
        list->resize(values);
    }
    return {frame.release(), [memory = shared_from_this()](FieldFrame *done) {
                memory->keep(std::move(done->values));
                memory->keep(std::move(done->indicator));
                delete done;
            }};
}

std::vector<float> FrameMemory::take()
{
    const std::lock_guard lock(m_mutex);
    if (m_kept.empty())
        return {};
    auto list = std::move(m_kept.back());
    m_kept.pop_back();
    return list;
}

void FrameMemory::keep(std::vector<float> list)
{
    const std::lock_guard lock(m_mutex);
    if (m_kept.size() < maxKept)
        m_kept.push_back(std::move(list));
}

} // namespace gridhelm::ui
