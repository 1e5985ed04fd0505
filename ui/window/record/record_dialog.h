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
class QStackedWidget;

namespace gridhelm::ui {

class PathField;
class PictureSizeField;

/// Asks what to record, and shows how far it is. Not modal: the window goes on; what is changed
/// there is recorded.
class RecordDialog : public QDialog
{
    Q_OBJECT

public:
    RecordDialog(SteeringModel &model, Recorder &recorder, ComparedViews &views,
                 QWidget *parent = nullptr);

private:
    void makeFields();
    void addForm(MotionForm *form);
    const MotionForm &form() const;
    void startOrStop();
    void showState();

    Recorder &m_recorder;
    QComboBox *m_what;
    QStackedWidget *m_forms;
    QSpinBox *m_pictures;
    QDoubleSpinBox *m_rate;
    PictureSizeField *m_size;
    PathField *m_path;
    QProgressBar *m_progress;
    QLabel *m_says;
    QPushButton *m_start;
};

} // namespace gridhelm::ui
