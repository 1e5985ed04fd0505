// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/campaign/study_state.h"

#include <QWidget>

#include <string>

class QComboBox;
class QLineEdit;

namespace gridhelm::ui {

/// Where the runs of the open study go: *this computer*, its plan's cluster, or another one. Not
/// visible for studies whose runs go nowhere else.
class PlaceBox : public QWidget
{
    Q_OBJECT

public:
    explicit PlaceBox(QWidget *parent = nullptr);

    /// Null: no study. Another one has its plan's place again.
    void setState(const StudyStatePtr &state);
    /// As data::runOn() takes it; empty: where the plan says.
    std::string place() const;

private:
    void follow();

    QComboBox *m_places;
    QLineEdit *m_host; ///< of another cluster
    QString m_study, m_cluster;
};

} // namespace gridhelm::ui
