// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/steering/steering_model.h"

#include <QUndoCommand>

#include <algorithm>
#include <utility>

namespace gridhelm::ui {

class SteeringModel::Step : public QUndoCommand
{
public:
    Step(SteeringModel &model, const QString &what, int movement, Steering before, Steering after)
        : QUndoCommand(what)
        , m_model(model)
        , m_movement(movement)
        , m_before(std::move(before))
        , m_after(std::move(after))
    {
    }

    void undo() override { m_model.set(m_before); }
    void redo() override { m_model.set(m_after); }
    int id() const override { return 1; }

    bool mergeWith(const QUndoCommand *other) override
    {
        const auto &next = static_cast<const Step &>(*other);
        if (next.m_movement != m_movement || next.text() != text())
            return false;
        m_after = next.m_after;
        setObsolete(m_after == m_before);
        return true;
    }

private:
    SteeringModel &m_model;
    int m_movement;
    Steering m_before, m_after;
};

SteeringModel::SteeringModel(QObject *parent)
    : QObject(parent)
{
    m_undo.setUndoLimit(m_undoLimit);
}

void SteeringModel::setUndoLimit(int steps)
{
    m_undoLimit = steps;
    if (m_undo.count() == 0)
        m_undo.setUndoLimit(steps);
}

void SteeringModel::setStudy(std::shared_ptr<const StudyFacts> study)
{
    const bool isSame = m_study && m_study->path == study->path
                        && m_study->parameters == study->parameters
                        && m_study->fields == study->fields;
    const auto before = m_study;
    m_study = std::move(study);
    if (!isSame) {
        m_undo.clear();
        m_undo.setUndoLimit(m_undoLimit); // Qt takes it when it is empty
        auto steering = initialSteering(*m_study);
        if (before && before->path == m_study->path)
            steering = fromJson(toJson(m_now, *before), *m_study, steering);
        m_now = steering;
    }
    m_isMoving = false;
    emit studyChanged();
}

void SteeringModel::change(const QString &what, const Steering &steering, bool isMoving)
{
    if (!m_study || (steering == m_now && isMoving == m_isMoving))
        return;
    if (!m_isMoving) {
        ++m_movement;
        m_beforeMovement = m_now;
    }
    m_isMoving = isMoving;
    if (steering == m_now)
        emit changed(m_now); // the movement has ended
    else
        m_undo.push(new Step(*this, what, m_movement, m_now, steering));
}

void SteeringModel::setParameter(std::size_t t, double value, bool isMoving)
{
    auto steering = m_now;
    steering.parameters.at(t) = value;
    if (steering.pinned && steering.pinnedMoves) {
        const auto &begin = m_isMoving ? m_beforeMovement : m_now;
        const auto &space = m_study->parameters;
        auto pinned = space.toUnit(begin.pinned.value_or(*steering.pinned));
        pinned[t] += space.toUnit(steering.parameters)[t] - space.toUnit(begin.parameters)[t];
        pinned[t] = std::clamp(pinned[t], 0.0, 1.0);
        steering.pinned->at(t) = space.fromUnit(pinned)[t];
    }
    change(QString::fromStdString(m_study->parameters[t].name), steering, isMoving);
}

void SteeringModel::set(const Steering &steering)
{
    const auto before = std::exchange(m_now, steering);
    emit changed(before);
}

} // namespace gridhelm::ui
