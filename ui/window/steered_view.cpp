// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/steered_view.h"

#include "ui/controls/number_field.h"
#include "ui/controls/theme.h"
#include "ui/scene/transparency.h"
#include "ui/scene/view_choice.h"

#include <QEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QVBoxLayout>

#include <exception>

namespace gridhelm::ui {
namespace {

constexpr std::chrono::milliseconds restAfterWheel{250};

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
        m_widget->installEventFilter(this);
        m_rest.setSingleShot(true);
        m_rest.setInterval(restAfterWheel);
        connect(&m_rest, &QTimer::timeout, this, [this] { setMoving(false); });
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
        setMoving(m_model.isMoving());
        if (now.view != before.view || now.shown != before.shown
            || now.rangeMode != before.rangeMode)
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

bool SteeredView::eventFilter(QObject *watched, QEvent *event)
{
    switch (event->type()) {
    case QEvent::MouseMove:
        if (static_cast<QMouseEvent *>(event)->buttons() != Qt::NoButton)
            setMoving(true);
        break;
    case QEvent::MouseButtonRelease:
        setMoving(false);
        break;
    case QEvent::Wheel:
        setMoving(true);
        m_rest.start();
        break;
    default:
        break;
    }
    return QWidget::eventFilter(watched, event);
}

void SteeredView::setMoving(bool isMoving)
{
    m_rest.stop();
    if (m_scene.setMoving(isMoving) && m_widget)
        m_widget->redraw();
}

std::optional<CameraPlace> SteeredView::camera() const
{
    return m_hasCamera ? m_wantedCamera : m_scene.camera();
}

void SteeredView::setCamera(const std::optional<CameraPlace> &place)
{
    m_hasCamera = true;
    m_wantedCamera = place;
    apply();
}

void SteeredView::lookFrom(Sight sight)
{
    try {
        m_scene.lookFrom(sight);
    } catch (const std::exception &problem) {
        emit failed(QString::fromStdString(problem.what()));
    }
    if (m_widget)
        m_widget->redraw();
}

const data::Field &SteeredView::field() const
{
    return m_frame->study->fields.at(m_frame->request.field);
}

QString SteeredView::whyNot(ViewKind kind) const
{
    if (!m_frame)
        return {};
    return QString::fromStdString(ui::whyNot(kind, m_scene.shape().flat, field()));
}

QImage SteeredView::transparentPicture()
{
    if (!m_widget)
        return {};
    const auto pictureOn = [this](const std::optional<Colour> &background) {
        m_scene.setBackground(background);
        m_widget->redraw();
        return background ? m_widget->picture().copy() : QImage();
    };
    const QImage onBlack = pictureOn(black), onWhite = pictureOn(white);
    pictureOn(std::nullopt);
    QImage picture(onBlack.size(), QImage::Format_ARGB32);
    const auto colour = [](QRgb c) {
        return Colour{static_cast<std::uint8_t>(qRed(c)), static_cast<std::uint8_t>(qGreen(c)),
                      static_cast<std::uint8_t>(qBlue(c))};
    };
    for (int y = 0; y < picture.height(); ++y) {
        for (int x = 0; x < picture.width(); ++x) {
            const auto pixel =
                withoutBackground(colour(onBlack.pixel(x, y)), colour(onWhite.pixel(x, y)));
            picture.setPixel(x, y, qRgba(pixel[0], pixel[1], pixel[2], pixel[3]));
        }
    }
    return picture;
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
    if (const auto reason = whyNot(view.kind); !reason.isEmpty()) {
        // Of a saved view, say, when its study has changed since.
        view.kind = ViewKind::slice;
        if (std::exchange(m_reason, reason) != reason)
            emit failed(reason);
    } else {
        m_reason.clear();
    }
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
        if (between.kind == ViewKind::glyphs || between.kind == ViewKind::streamlines)
            between.kind = ViewKind::slice;
        m_scene.setView(between);
    } else {
        m_scene.setView(view);
    }
    m_scene.setCaption(caption().toStdString());
    if (now.shown
        == Shown::indicator) // arrows are those of the field, with the indicator's colours
        m_scene.setValues(indicatorOf(field()), m_frame->indicator,
                          {m_frame->values, m_frame->indicator});
    else
        m_scene.setValues(field(), m_frame->values, {{}, m_frame->indicator});
    if (m_fieldInScene != m_frame->request.field) {
        m_fieldInScene = m_frame->request.field;
        m_scene.setView(view);
    }
    if (m_hasCamera && m_frame->study == m_model.study()) { // not that of the study before
        m_hasCamera = false;
        m_scene.setCamera(m_wantedCamera);
    }
}

} // namespace gridhelm::ui
