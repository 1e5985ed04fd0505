// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/steer/job_result_bar.h"

#include "ui/steering/steering_model.h"
#include "ui/window/views/steered_view.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include <algorithm>
#include <cmath>

namespace gridhelm::ui {
namespace {

/// Over all parameters, by their ranges.
double distanceBetween(const ParameterSpace &space, const std::vector<double> &a,
                       const std::vector<double> &b)
{
    double distance = 0;
    for (std::size_t t = 0; t < space.parameters().size(); ++t)
        distance += std::abs(a[t] - b[t]) / (space[t].high - space[t].low);
    return distance;
}

} // namespace

JobResultBar::JobResultBar(SteeringModel &model, const SteeredView &view, QWidget *parent)
    : QFrame(parent)
    , m_model(model)
    , m_view(view)
    , m_text(new QLabel(this))
{
    setObjectName("jobResult");
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::AlternateBase);
    m_text->setObjectName("jobResultText");
    m_text->setWordWrap(true);
    auto *back = new QPushButton("Back to the surrogate (Esc)", this);
    back->setObjectName("backToSurrogate");
    back->setToolTip("Shows what the surrogate says at the same parameters");
    back->setShortcut(Qt::Key_Escape);
    connect(back, &QPushButton::clicked, this, [this] { emit wanted(0); });
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(8, 3, 8, 3);
    layout->addWidget(m_text, 1);
    layout->addWidget(back);
    connect(&m_view, &SteeredView::sceneChanged, this, &JobResultBar::follow);
    hide();
}

void JobResultBar::showResult(data::JobId job, const std::vector<std::vector<double>> &places)
{
    if (!m_model.study() || places.empty())
        return;
    auto steering = m_model.now();
    const auto &space = m_model.study()->parameters;
    if (places.front().size() != steering.parameters.size())
        return; // of the study before
    const auto nearest = std::ranges::min_element(places, {}, [&](const auto &place) {
        return distanceBetween(space, place, steering.parameters);
    });
    if (steering.parameters != *nearest) {
        steering.parameters = *nearest;
        m_model.change(QString("job %1").arg(job), steering);
    }
    emit wanted(job);
}

void JobResultBar::follow()
{
    const auto job = m_view.frame() ? m_view.frame()->request.job : 0;
    if (job != 0)
        m_text->setText(QString("<b>Job %1: result of the simulation</b>, not of the surrogate. "
                                "Moving a slider leads back, too.")
                            .arg(job));
    setVisible(job != 0);
}

} // namespace gridhelm::ui
