// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/camera/camera_place.h"
#include "ui/steering/steering.h"

#include <QWidget>

#include <memory>
#include <optional>

namespace gridhelm::ui {

/// Which picture of a recording.
struct MotionStep
{
    int picture = 0, of = 2; ///< from 0; at least 2

    double share() const { return static_cast<double>(picture) / (of - 1); } ///< 0 .. 1
};

/// What moves while pictures are recorded. Everything else stays as the user has it, also what
/// changes meanwhile.
class Motion
{
public:
    virtual ~Motion() = default;

    /// What is steered in that picture.
    virtual void steer(Steering & /*now*/, const MotionStep & /*step*/) const {}
    /// Where it is seen from; none: from where the user does.
    virtual std::optional<CameraPlace> camera(const MotionStep & /*step*/) const
    {
        return std::nullopt;
    }
    /// What steer() has changed is as it was before.
    virtual void takeBack(Steering & /*now*/, const Steering & /*before*/) const {}
};

/// The fields of one kind of motion, in a dialog.
class MotionForm : public QWidget
{
    Q_OBJECT

public:
    using QWidget::QWidget;

    /// In the list of kinds: "A parameter".
    virtual QString name() const = 0;
    /// As the fields say. Throws gridhelm::Error, as a sentence, if it cannot be.
    virtual std::shared_ptr<const Motion> motion() const = 0;

signals:
    /// Why something that was typed was not taken: a sentence.
    void refused(const QString &sentence);
};

} // namespace gridhelm::ui
