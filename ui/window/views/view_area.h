// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/window/views/companion_dock.h"
#include "ui/window/views/compared_views.h"

#include <QMainWindow>

#include <map>

namespace gridhelm::ui {

/// All views of a study: the main one (with what it is compared with) and its companions, which can
/// be dragged to any side of it, one over the other, or out of the window.
class ViewArea : public QMainWindow
{
    Q_OBJECT

public:
    ViewArea(SteeringModel &model, std::shared_ptr<const sparse::Backend> backend,
             QWidget *parent = nullptr);

    ComparedViews &compared() { return *m_compared; }
    /// In the order of Steering::companions.
    const QList<CompanionDock *> &companions() const { return m_docks; }

    /// What looks for ranges of companions' fields from now on.
    void setBackend(const std::shared_ptr<const sparse::Backend> &backend);
    /// Fields that companions show and the main view does not: to be asked for as well.
    std::vector<data::FieldIndex> furtherFields() const;
    /// Whether a companion shows the field of the main view, all of which is needed then.
    bool isFieldShared() const;
    /// Of any side.
    void showFrame(const std::shared_ptr<const FieldFrame> &frame);

    /// What is steered (see fromJson), where the views are and what they are seen from.
    QJsonObject state() const;
    /// The same state again, as far as it is not what is steered: the present companions go to
    /// their places, and cameras as well.
    void arrange(const QJsonObject &state);

signals:
    void failed(const QString &sentence);

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    void showApart(bool isShown);
    void follow(const std::vector<Look> &before);
    CompanionDock *makeDock();
    void place(CompanionDock &dock);
    void remove(std::size_t index);
    void exchange(std::size_t index);

    SteeringModel &m_model;
    std::shared_ptr<const sparse::Backend> m_backend;
    ComparedViews *m_compared;
    QList<CompanionDock *> m_docks;
    std::map<data::FieldIndex, std::shared_ptr<const FieldFrame>> m_frames; ///< the last ones
};

} // namespace gridhelm::ui
