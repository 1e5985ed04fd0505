// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/campaign/refine_step.h"
#include "ui/campaign/mesh_in_view.h"
#include "ui/campaign/study_state.h"

#include <QWidget>

#include <utility>
#include <vector>

class QCheckBox;
class QDoubleSpinBox;
class QPushButton;
class QSpinBox;

namespace gridhelm::ui {

/// Adds runs to the open study where its error is (data::refineStep()).
class RefineBox : public QWidget
{
    Q_OBJECT

public:
    explicit RefineBox(QWidget *parent = nullptr);

    void setState(const StudyStatePtr &state); ///< null: no study
    /// While something runs, nothing else can be begun.
    void setBusy(bool busy);
    /// Values of all parameters that the view shows: where *at the sliders* is.
    void setPlace(const std::vector<double> &values);
    /// As *Refine* with at most so many runs, for the error at a place alone. Returns why not, as a
    /// sentence; empty: it is wanted().
    QString refineAt(const std::vector<double> &place, std::uint64_t runs);
    /// Of the study whose field the main view shows; empty: it shows none.
    void setStudyInView(const QString &path);
    /// Asked when *Refine* is clicked, for *in what the view shows*; must be given before.
    void setMeshInViewSource(MeshInViewSource source) { m_meshInView = std::move(source); }
    /// Scrolling past them must not change them.
    QList<QWidget *> numberBoxes() const;

signals:
    /// Without jobs at a time, and whether to keep going.
    void wanted(const data::RefineStep &step);

private:
    void follow();
    void followView(bool isAble);
    void want();
    data::RefineStep step() const;
    std::vector<double> placeForRuns(std::vector<double> place) const;

    QPushButton *m_refine;
    QSpinBox *m_runs;
    QDoubleSpinBox *m_until;
    QCheckBox *m_here, *m_inView;
    std::vector<double> m_place;
    QString m_studyInView;
    MeshInViewSource m_meshInView;
    StudyStatePtr m_state;
    bool m_isBusy = false;
};

} // namespace gridhelm::ui
