// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/pictures/picture_option.h"
#include "ui/steering/steering_model.h"

#include <QObject>

#include <vector>

class QCheckBox;
class QComboBox;
class QFormLayout;
class QWidget;

namespace gridhelm::ui {

class ValueSlider;

/// What can be chosen of pictures, as rows of a form, from what their kinds say of themselves (see
/// PictureOption).
class PictureOptionRows : public QObject
{
    Q_OBJECT

public:
    PictureOptionRows(SteeringModel &model, QFormLayout &form, QWidget &parent);

    /// What the model says, for this mesh and field; no rows for what the kind of its view does not
    /// have.
    void show(const MeshShape &shape, const data::Field &field);

signals:
    void refused(const QString &sentence);

private:
    struct Row
    {
        const PictureOption *option;
        ValueSlider *slider = nullptr; ///< of a number
        QComboBox *choice = nullptr;   ///< of a choice
        QCheckBox *flag = nullptr;     ///< of a flag
    };

    ValueSlider *makeSlider(const PictureOption &option, QWidget &parent);
    QCheckBox *makeFlag(const PictureOption &option, QWidget &parent);
    QComboBox *makeChoice(const PictureOption &option, QWidget &parent);

    SteeringModel &m_model;
    QFormLayout &m_form;
    std::vector<Row> m_rows;
};

} // namespace gridhelm::ui
