// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/probe/map_plot.h"
#include "ui/steering/steering_model.h"

#include <QWidget>

#include <array>
#include <memory>
#include <optional>

class QComboBox;
class QLabel;
class QToolButton;

namespace gridhelm::ui {

/// The response map, over which parameters it is, and what of.
class MapPage : public QWidget
{
    Q_OBJECT

public:
    explicit MapPage(SteeringModel &model, QWidget *parent = nullptr);

    /// The parameters of the model's study.
    void setStudy();
    /// Null, or without a map of what is chosen: there is none yet.
    void show(std::shared_ptr<const ProbeAnswer> answer);
    /// Over which parameters; none if the study has but one.
    std::optional<std::array<std::size_t, 2>> parameters() const;
    MapOf mapOf() const;
    MapPlot *plot() const { return m_plot; }

signals:
    /// Or what the map is of.
    void parametersChosen();
    /// By the user, who has moved parameters here.
    void moved();
    void news(const QString &sentence);
    void failed(const QString &sentence);

private:
    void choose(int which);
    QString hint() const;

    SteeringModel &m_model;
    QComboBox *m_of;
    std::array<QComboBox *, 2> m_boxes{};
    QLabel *m_hint;
    QToolButton *m_save;
    MapPlot *m_plot;
    std::shared_ptr<const ProbeAnswer> m_answer;
};

} // namespace gridhelm::ui
