// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/steered_view.h"

#include "ui/controls/number_field.h"
#include "ui/controls/theme.h"

#include <QEvent>
#include <QLabel>
#include <QVBoxLayout>

#include <exception>

namespace gridhelm::ui {
namespace {

data::Field indicatorOf(data::Field field)
{
    field.name += " indicator";
    return field;
}

} // namespace

SteeredView::SteeredView(SteeringModel &model, QWidget *parent)
    : QWidget(parent)
    , m_model(model)
    , m_widget(canShowScenes() ? new SceneWidget(this) : nullptr)
    , m_scene(m_widget ? m_widget->scene() : m_unseen)
{
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    if (m_widget) {
        layout->addWidget(m_widget);
        connect(m_widget, &SceneWidget::failed, this, &SteeredView::failed);
        connect(m_widget, &SceneWidget::drawn, this, [this] {
            if (const auto frame = std::exchange(m_unswapped, nullptr))
                emit shown(frame);
        });
    } else {
        auto *sentence = new QLabel("Fields cannot be drawn on this screen, because it has no "
                                    "OpenGL. Values and files work.",
                                    this);
        sentence->setAlignment(Qt::AlignCenter);
        sentence->setWordWrap(true);
        layout->addWidget(sentence);
    }
    connect(&model, &SteeringModel::changed, this, [this](const Steering &before) {
        const auto &now = m_model.now();
        if (!now.showsTheSame(before))
            apply();
    });
}

void SteeredView::setStudyRange(std::optional<ValueRange> range)
{
    if (range == m_studyRange)
        return;
    m_studyRange = range;
    if (m_model.now().rangeMode == RangeMode::study)
        apply();
}

QString SteeredView::caption() const
{
    if (!m_frame)
        return {};
    const auto &space = m_frame->study->parameters;
    QStringList parts;
    for (std::size_t t = 0; t < m_frame->request.parameters.size(); ++t) {
        const auto unit = QString::fromStdString(space[t].unit);
        parts << QString("%1 = %2%3")
                     .arg(QString::fromStdString(space[t].name),
                          numberText(m_frame->request.parameters[t]),
                          unit.isEmpty() ? "" : " " + unit);
    }
    if (!m_frame->isExact)
        parts << QString("coarse: level %1 of %2").arg(m_frame->groups).arg(m_frame->study->groups);
    return parts.join(", ");
}

void SteeredView::showFrame(std::shared_ptr<const FieldFrame> frame)
{
    m_frame = std::move(frame);
    m_unswapped = m_frame;
    apply();
    if (!m_widget)
        emit shown(m_frame);
}

void SteeredView::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::PaletteChange)
        apply();
    QWidget::changeEvent(event);
}

void SteeredView::apply()
{
    if (!m_frame || m_frame->request.field != m_model.now().field)
        return; // one with the new field is on its way
    try {
        setScene();
    } catch (const std::exception &problem) {
        emit failed(QString::fromStdString(problem.what()));
    }
    if (m_widget)
        m_widget->redraw();
    emit sceneChanged();
}

void SteeredView::setScene()
{
    const auto &study = *m_frame->study;
    const auto &now = m_model.now();
    if (m_mesh != study.mesh) {
        const bool isOther = !m_mesh || *m_mesh != *study.mesh;
        if (isOther)
            m_scene.setMesh(*study.mesh);
        m_mesh = study.mesh;
        if (isOther)
            m_fieldInScene.reset();
    }
    auto view = now.view;
    view.dark = themeOf(palette()) == Theme::dark;
    if (now.rangeMode == RangeMode::frame)
        view.range.reset();
    if (now.rangeMode == RangeMode::study)
        view.range = now.shown == Shown::field ? m_studyRange : std::nullopt;
    if (m_fieldInScene != m_frame->request.field) {
        // A view that both fields can have, the old one and the new one.
        auto between = view;
        between.component = {};
        between.scale = Scale::linear;
        between.range.reset();
        between.levels.clear();
        m_scene.setView(between);
    } else {
        m_scene.setView(view);
    }
    const auto &field = study.fields.at(m_frame->request.field);
    m_scene.setCaption(caption().toStdString());
    if (now.shown == Shown::indicator)
        m_scene.setValues(indicatorOf(field), m_frame->indicator);
    else
        m_scene.setValues(field, m_frame->values);
    if (m_fieldInScene != m_frame->request.field) {
        m_fieldInScene = m_frame->request.field;
        m_scene.setView(view);
    }
}

} // namespace gridhelm::ui
