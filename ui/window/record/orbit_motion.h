// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/window/record/motion.h"

class QDoubleSpinBox;

namespace gridhelm::ui {

class ComparedViews;

/// The camera goes round what it looks at; see turned().
class OrbitMotion : public Motion
{
public:
    OrbitMotion(const CameraPlace &from, double degrees)
        : m_from(from)
        , m_degrees(degrees)
    {
    }

    /// Of whole turns the last picture is the one before the first again: played in a loop, nothing
    /// stands still.
    std::optional<CameraPlace> camera(const MotionStep &step) const override;

private:
    CameraPlace m_from;
    double m_degrees;
};

class OrbitForm : public MotionForm
{
    Q_OBJECT

public:
    explicit OrbitForm(ComparedViews &views, QWidget *parent = nullptr);

    QString name() const override { return "The camera, in an orbit"; }
    std::shared_ptr<const Motion> motion() const override;

private:
    ComparedViews &m_views;
    QDoubleSpinBox *m_degrees;
};

} // namespace gridhelm::ui
