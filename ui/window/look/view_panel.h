// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/geometry/mesh_shape.h"
#include "ui/steering/steering_model.h"

#include <QWidget>

#include <functional>

class QCheckBox;
class QComboBox;
class QFormLayout;
class QSpinBox;

namespace gridhelm::ui {

class ColourRow;
class LowConfidenceRows;
class LevelRows;
class PictureOptionRows;
class RangeRow;
class SliceRows;

/// What is shown and how: field, kind of view, colours. Shows what goes with the mesh and the kind.
class ViewPanel : public QWidget
{
    Q_OBJECT

public:
    explicit ViewPanel(SteeringModel &model, QWidget *parent = nullptr);

    /// What the picture has: its mesh, the ends of its colours, and of its values.
    void showScene(const MeshShape &shape, const ValueRange &used,
                   const std::optional<ValueRange> &values);

signals:
    void refused(const QString &sentence);

private:
    void makeFieldRows(QFormLayout &form);
    void makeKindRows(QFormLayout &form);
    void makeColourRows(QFormLayout &form);
    void setLogarithmic(bool isOn);
    void makeFieldNames();
    void makeComponents();
    void showSteering();
    void makeKinds();
    void change(const QString &what, const std::function<void(Steering &)> &how);

    SteeringModel &m_model;
    MeshShape m_shape;
    ValueRange m_used;
    std::optional<ValueRange> m_values;
    bool m_hasScene = false; ///< of this study
    QFormLayout *m_form;
    QComboBox *m_field, *m_shown, *m_component, *m_kind;
    ColourRow *m_colours;
    QCheckBox *m_isInverted;
    QSpinBox *m_bands;
    SliceRows *m_slice;
    LevelRows *m_levels;
    PictureOptionRows *m_options;
    LowConfidenceRows *m_lowConfidence;
    RangeRow *m_range;
    QCheckBox *m_logarithmic, *m_edges, *m_outline;
};

} // namespace gridhelm::ui
