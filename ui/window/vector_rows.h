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

/// How arrows and streamlines are drawn, as rows of a form.
class VectorRows : public QObject
{
    Q_OBJECT

public:
    VectorRows(SteeringModel &model, QFormLayout &form, QWidget &parent);

    /// What the model says, for this mesh; no rows for views without vectors.
    void show(const MeshShape &shape);

signals:
    void refused(const QString &sentence);

private:
    void makeSeeds(const MeshShape &shape);

    SteeringModel &m_model;
    QFormLayout &m_form;
    ValueSlider *m_glyphs, *m_scale, *m_streamlines;
    QComboBox *m_seeds;
};

} // namespace gridhelm::ui
