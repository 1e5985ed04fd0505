// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/steering/study_range.h"
#include "ui/window/views/steered_view.h"

#include <QDockWidget>

namespace gridhelm::ui {

/// One of Steering::companions, beside the main view or in a window of its own: it follows the
/// sliders, and shows its own field in its own way.
class CompanionDock : public QDockWidget
{
    Q_OBJECT

public:
    CompanionDock(SteeringModel &model, std::shared_ptr<const sparse::Backend> backend,
                  QWidget *parent);

    /// Which of them it is from now on. To be called before anything else.
    void setIndex(std::size_t index);
    SteeredView &view() { return m_view; }
    StudyRange &range() { return m_range; }
    /// Its look is gone, and it goes later: what comes until then finds nobody.
    void leave();
    /// A frame of the steered state: nothing, if it is of another field.
    void showFrame(const std::shared_ptr<const FieldFrame> &frame);

signals:
    /// By the user: whoever owns the dock has to do it.
    void closeWanted();
    void exchangeWanted();

protected:
    void closeEvent(QCloseEvent *event) override;

private:
    void makeTitle();
    void showTitle();
    void findRange();

    SteeringModel &m_model;
    StudyRange m_range;
    SteeredView &m_view;
};

} // namespace gridhelm::ui
