// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/steering/steering.h"

#include <QObject>
#include <QUndoStack>

#include <memory>

namespace gridhelm::ui {

/// What is steered at present, shared by all panels: they change it here, and follow its signal.
/// Every change can be undone.
class SteeringModel : public QObject
{
    Q_OBJECT

public:
    explicit SteeringModel(QObject *parent = nullptr);

    /// None before the first study.
    const std::shared_ptr<const StudyFacts> &study() const { return m_study; }
    const Steering &now() const { return m_now; }
    /// Whether a movement is going on: more changes of the kind will follow.
    bool isMoving() const { return m_isMoving; }
    QUndoStack &undoStack() { return m_undo; }
    /// So many steps back, from the next study on (at once, if there are none yet).
    void setUndoLimit(int steps);

    /// Another study, or the same one after it has changed: then everything stays that still makes
    /// sense, else it begins at initialSteering().
    void setStudy(std::shared_ptr<const StudyFacts> study);

    /// `what` names the change for the user: "Re", "view". Changes of the same name that belong to
    /// one movement (isMoving, up to and with the first that is not) are one step back.
    void change(const QString &what, const Steering &steering, bool isMoving = false);
    /// Where Steering::pinnedMoves, A moves as well, from where it was when the movement began.
    void setParameter(std::size_t t, double value, bool isMoving);

signals:
    /// After setStudy(); now() has changed with it.
    void studyChanged();
    void changed(const gridhelm::ui::Steering &before);

private:
    class Step;
    void set(const Steering &steering);

    std::shared_ptr<const StudyFacts> m_study;
    Steering m_now;
    Steering m_beforeMovement;
    bool m_isMoving = false;
    int m_movement = 0; ///< number of the present one
    int m_undoLimit = 500;
    QUndoStack m_undo;
};

} // namespace gridhelm::ui
