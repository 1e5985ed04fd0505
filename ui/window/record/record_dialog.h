// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/window/record/recorder.h"

#include <QDialog>

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QProgressBar;
class QPushButton;
class QSpinBox;

namespace gridhelm::ui {

class NumberField;
class PathField;

/// Asks what to record, and shows how far it is. Not modal: the window goes on; what is changed
/// there is recorded.
class RecordDialog : public QDialog
{
    Q_OBJECT

public:
    RecordDialog(SteeringModel &model, Recorder &recorder, QWidget *parent = nullptr);

private:
    void showParameters();
    void showRange();
    void startOrStop();
    void showState();

    SteeringModel &m_model;
    Recorder &m_recorder;
    QComboBox *m_parameter;
    NumberField *m_from, *m_to;
    QSpinBox *m_pictures;
    QDoubleSpinBox *m_rate;
    PathField *m_path;
    QProgressBar *m_progress;
    QLabel *m_says;
    QPushButton *m_start;
};

} // namespace gridhelm::ui
