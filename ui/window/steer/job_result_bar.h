// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/study/study_types.h"

#include <QFrame>

#include <vector>

class QLabel;

namespace gridhelm::ui {

class SteeredView;
class SteeringModel;

/// Says that the view shows what a job's run gave, instead of the surrogate, and leads back. Shown
/// as long as that is so.
class JobResultBar : public QFrame
{
    Q_OBJECT

public:
    /// Both must outlive it.
    JobResultBar(SteeringModel &model, const SteeredView &view, QWidget *parent = nullptr);

    /// Steers to the job, which delivers these places (values of all parameters): to the one that
    /// is nearest to what is steered now, so that a time stays as far as it can.
    void showResult(data::JobId job, const std::vector<std::vector<double>> &places);

signals:
    /// What is to be asked for at the present parameters; 0: the surrogate.
    void wanted(gridhelm::data::JobId job);

private:
    void follow();

    SteeringModel &m_model;
    const SteeredView &m_view;
    QLabel *m_text;
};

} // namespace gridhelm::ui
