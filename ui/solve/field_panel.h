// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solvers/field_slice.h"
#include "ui/solve/field_view.h"

#include <QWidget>

#include <memory>

class QCheckBox;
class QComboBox;
class QLabel;
class QSettings;
class QSlider;

namespace gridhelm::ui {

class ColourMapBox;
class NumberField;

/// A field view with its controls: colours, their range, and the plane of a field in three
/// dimensions.
class FieldPanel : public QWidget
{
    Q_OBJECT

public:
    explicit FieldPanel(QWidget *parent = nullptr);

    FieldView *view() const { return m_view; }
    void setFrame(std::shared_ptr<const SliceFrame> frame);
    /// Without saying so.
    void setSlice(const solvers::SliceChoice &slice);
    solvers::SliceChoice slice() const;

    void saveState(QSettings &settings) const;
    void restoreState(QSettings &settings);

signals:
    void sliceChosen(const solvers::SliceChoice &slice);
    void refused(const QString &sentence);

private:
    void applyRange();
    void showRange();

    FieldView *m_view;
    ColourMapBox *m_colours;
    QCheckBox *m_isFixed;
    NumberField *m_low;
    NumberField *m_high;
    QLabel *m_planeLabel;
    QComboBox *m_normal;
    QSlider *m_position;
};

} // namespace gridhelm::ui
