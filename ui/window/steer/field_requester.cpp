// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/steer/field_requester.h"

#include "ui/window/views/view_area.h"

namespace gridhelm::ui {
namespace {

/// Whether looking for a range reads so much that it would keep the first picture waiting.
bool isLarge(const SteeringModel &model)
{
    constexpr std::uint64_t large = 1'000'000; // values
    const auto &study = model.study();
    return study && model.now().field < study->fields.size()
           && study->fields[model.now().field].values() > large;
}

} // namespace

FieldRequester::FieldRequester(const SteeringModel &model, FieldService &service, ViewArea &area,
                               std::shared_ptr<const sparse::Backend> backend)
    : m_model(model)
    , m_service(service)
    , m_area(area)
    , m_studyRange(std::move(backend))
{
    connect(&m_model, &SteeringModel::changed, this, &FieldRequester::follow);
    connect(&m_studyRange, &StudyRange::found, &m_area,
            [this](ValueRange range) { m_area.compared().setStudyRange(range); });
    connect(&m_service, &FieldService::frameReady, this,
            [this](const std::shared_ptr<const FieldFrame> &frame) { frameIsThere(*frame); });
}

void FieldRequester::showResult(data::JobId job)
{
    m_job = m_model.study() ? job : 0;
    if (m_job != 0)
        m_jobStudy = m_model.study()->path;
    ask();
}

void FieldRequester::askAll()
{
    if (!m_model.study() || m_model.study()->path != m_jobStudy)
        m_job = 0;
    ask();
    askPinned();
    m_rangeWaits = isLarge(m_model);
    followRange();
}

void FieldRequester::followRange()
{
    if (!m_rangeWaits) {
        m_studyRange.follow(m_model.study(), m_model.now());
        return;
    }
    Look look = m_model.now();
    look.rangeMode = RangeMode::frame; // nothing is searched for, nor of the study before
    m_studyRange.follow(m_model.study(), look);
}

void FieldRequester::frameIsThere(const FieldFrame &frame)
{
    if (!m_rangeWaits || !frame.isExact || frame.request.side != Side::steered)
        return;
    m_rangeWaits = false;
    followRange();
}

void FieldRequester::follow(const Steering &before)
{
    const auto &now = m_model.now();
    if (now.parameters != before.parameters)
        m_job = 0;
    // The end of a movement changes nothing, but wants the exact field.
    if (now.parameters != before.parameters || now.field != before.field
        || now.companions != before.companions || now == before)
        ask();
    if (now.pinned != before.pinned || now.field != before.field
        || (now.pinnedMoves && now == before))
        askPinned();
    followRange();
}

void FieldRequester::ask()
{
    if (!m_model.study())
        return;
    const auto &now = m_model.now();
    const bool isMoving = m_model.isMoving();
    const auto asked = FieldRequest::Clock::now();
    const bool isVisibleEnough = isMoving && !m_area.isFieldShared();
    m_service.request({now.parameters, now.field, isMoving, asked, 0, Side::steered,
                       isVisibleEnough ? m_area.compared().steered().visible() : nullptr, m_job});
    for (const auto field : m_area.furtherFields())
        m_service.request(
            {now.parameters, field, isMoving, asked, 0, Side::companion, nullptr, m_job});
}

void FieldRequester::askPinned()
{
    const auto &now = m_model.now();
    const bool isMoving = now.pinnedMoves && m_model.isMoving();
    if (m_model.study() && now.pinned)
        m_service.request(
            {*now.pinned, now.field, isMoving, FieldRequest::Clock::now(), 0, Side::pinned});
}

} // namespace gridhelm::ui
