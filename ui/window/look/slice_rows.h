// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/geometry/mesh_shape.h"
#include "ui/steering/steering_model.h"

#include <QObject>

class QComboBox;
class QFormLayout;
class QWidget;

namespace gridhelm::ui {

class ValueSlider;

/// Where the plane of a slice lies, or that which clips a body, as rows of a form: across which
/// axis or direction, and where.
class SliceRows : public QObject
{
    Q_OBJECT

public:
    SliceRows(SteeringModel &model, QFormLayout &form, QWidget &parent);

    /// What the model says, for this mesh; no rows where there is no plane.
    void show(const MeshShape &shape);

signals:
    void refused(const QString &sentence);

private:
    void choose(int index);
    void tilt(Steering &steering, double Direction::*angle, double value) const;

    SteeringModel &m_model;
    QFormLayout &m_form;
    MeshShape m_shape;
    QComboBox *m_normal;
    ValueSlider *m_azimuth, *m_elevation, *m_position;
};

} // namespace gridhelm::ui
