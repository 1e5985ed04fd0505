// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/geometry/mesh_shape.h"
#include "ui/steering/steering_model.h"

#include <QObject>

class QCheckBox;
class QFormLayout;
class QWidget;

namespace gridhelm::ui {

class ValueSlider;

/// Whether and where a picture is darkened where its error is large, as rows of a form.
class LowConfidenceRows : public QObject
{
    Q_OBJECT

public:
    LowConfidenceRows(SteeringModel &model, QFormLayout &form, QWidget &parent);

    /// What the model says, for this mesh; no rows for views that cannot be darkened.
    void show(const MeshShape &shape);

signals:
    void refused(const QString &sentence);

private:
    SteeringModel &m_model;
    QFormLayout &m_form;
    QCheckBox *m_mark;
    ValueSlider *m_above;
};

} // namespace gridhelm::ui
