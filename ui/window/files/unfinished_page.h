// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>

class QLabel;

namespace gridhelm::ui {

/// In place of the views, while the open study has nothing to show yet: what is missing, and what
/// is to be done in the panel Runs.
class UnfinishedPage : public QWidget
{
    Q_OBJECT

public:
    explicit UnfinishedPage(QWidget *parent = nullptr);

    void setStudy(const QString &path);
    /// A sentence; empty: not known yet.
    void setNextStep(const QString &sentence);

signals:
    void campaignWanted();
    void closeWanted();

private:
    QLabel *m_name, *m_folder, *m_nextStep;
};

} // namespace gridhelm::ui
