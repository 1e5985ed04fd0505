// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/steering/steering_model.h"
#include "ui/window/record/motion.h"

#include <vector>

class QListWidget;
class QPushButton;

namespace gridhelm::ui {

class ComparedViews;

/// The camera goes from place to place, as long on each way; see between().
class CameraPathMotion : public Motion
{
public:
    /// At least two places.
    explicit CameraPathMotion(std::vector<CameraPlace> places)
        : m_places(std::move(places))
    {
    }

    std::optional<CameraPlace> camera(const MotionStep &step) const override;

private:
    std::vector<CameraPlace> m_places;
};

/// A list of places, to which the user adds the present one, as often as they like; they are those
/// of one study's mesh.
class CameraPathForm : public MotionForm
{
    Q_OBJECT

public:
    CameraPathForm(const SteeringModel &model, ComparedViews &views, QWidget *parent = nullptr);

    QString name() const override { return "The camera, along positions"; }
    std::shared_ptr<const Motion> motion() const override;

private:
    void add();
    void goToChosen();
    void showState();

    ComparedViews &m_views;
    QListWidget *m_places;
    QPushButton *m_remove;
    std::shared_ptr<const StudyFacts> m_study; ///< of the places
    int m_added = 0;
};

} // namespace gridhelm::ui
