// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/campaign/campaign_steps.h"
#include "ui/campaign/campaign_worker.h"

#include <QWidget>

class QCheckBox;
class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace gridhelm::ui {

class PathField;

/// Takes results that exist already into a study, and lists what is still missing.
class ImportPage : public QWidget
{
    Q_OBJECT

public:
    explicit ImportPage(QWidget *parent = nullptr);

    void setAble(bool able);
    void show(const TaskEnd &end);
    void forget(); ///< another study

signals:
    void wanted(const data::ImportStep &step);
    void refused(const QString &sentence);
    void news(const QString &sentence);

private:
    void import();
    void saveMissing();

    PathField *m_table;
    QCheckBox *m_resample, *m_allTimes;
    QPushButton *m_import;
    QLabel *m_result;
    QPlainTextEdit *m_missing;
    QPushButton *m_save;
    QString m_csv;
};

} // namespace gridhelm::ui
