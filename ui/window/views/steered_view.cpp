// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/views/steered_view.h"

#include "ui/controls/theme.h"
#include "ui/scene/pictures/picture_kind.h"
#include "ui/viewer/elapsed.h"
#include "ui/viewer/scene_platform.h"
#include "ui/window/views/comparison.h"

#include <QEvent>
#include <QLabel>
#include <QVBoxLayout>

#include <exception>

namespace gridhelm::ui {
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
        connect(m_widget, &SceneWidget::drawn, this, &SteeredView::sayWhatIsShown);
    } else {
        auto *sentence = new QLabel("Fields cannot be drawn on this screen, because it has no "
                                    "OpenGL. Values and files work.",
                                    this);
        sentence->setAlignment(Qt::AlignCenter);
        sentence->setWordWrap(true);
        layout->addWidget(sentence);
    }
    connect(&model, &SteeringModel::studyChanged, this, [this] {
        if (m_frame && m_frame->study->path != m_model.study()->path)
            m_studyRange.reset(); // of the study before
    });
    connect(&model, &SteeringModel::changed, this, [this](const Steering &before) {
        const auto &now = m_model.now();
        if (!hasLook())
            return;
        if (m_companion ? look() != m_applied : !now.showsTheSame(before))
            apply();
    });
}

void SteeredView::setCompanion(std::optional<std::size_t> index)
{
    m_companion = index;
}

bool SteeredView::hasLook() const
{
    return !m_companion || *m_companion < m_model.now().companions.size();
}

const Look &SteeredView::look() const
{
    const auto &now = m_model.now();
    return m_companion ? now.companions.at(*m_companion) : now;
}

void SteeredView::setStudyRange(std::optional<ValueRange> range)
{
    if (range == m_studyRange)
        return;
    m_studyRange = range;
    if (look().rangeMode == RangeMode::study)
        apply();
}

QString SteeredView::caption() const
{
    if (!m_frame)
        return {};
    if (comparingOf(m_model.now()) == Comparing::off || !m_pinned)
        return stateText(*m_frame);
    if (m_seen == Seen::difference)
        return "B - A: " + differenceText(*m_pinned, *m_frame);
    return (m_seen == Seen::pinned ? "A: " : "B: ") + stateText(shownFrame());
}

void SteeredView::showFrame(std::shared_ptr<const FieldFrame> frame)
{
    m_frame = std::move(frame);
    m_isNew = true;
    m_secondsToHand = 0;
    apply();
    if (!m_widget)
        emit shown(m_frame);
}

void SteeredView::forgetFrame()
{
    m_frame.reset();
    m_partThatWaits.reset();
    m_awaited.clear();
    m_isNew = false;
}

/// The scene has been given the frame, and is drawn next.
void SteeredView::redraw(std::shared_ptr<const FieldFrame> frame)
{
    const auto number = m_widget->redraw();
    if (!frame)
        return;
    // One may wait for its picture, one for its place in the window: what nobody sees piles up.
    constexpr std::size_t most = 3;
    if (m_awaited.size() == most)
        m_awaited.pop_front();
    m_awaited.emplace_back(number, std::move(frame));
}

void SteeredView::sayWhatIsShown()
{
    std::shared_ptr<const FieldFrame> newest;
    while (!m_awaited.empty() && m_awaited.front().first <= m_widget->drawnNumber()) {
        newest = std::move(m_awaited.front().second);
        m_awaited.pop_front();
    }
    if (newest)
        emit shown(newest);
}

std::shared_ptr<const std::vector<std::uint32_t>> SteeredView::visible() const
{
    // What is compared needs whole fields.
    const bool isAlone =
        m_companion || (m_seen == Seen::steered && comparingOf(m_model.now()) == Comparing::off);
    if (!m_widget || !isAlone || !canBeShown())
        return nullptr;
    if (!m_widget->isDrawing())
        m_visible = m_scene.visible();
    return m_visible; // while it is drawn: as it was, and what is not so any more is not shown
}

void SteeredView::showPart(std::shared_ptr<const FieldFrame> part)
{
    if (m_widget && m_widget->isDrawing()) {
        if (!std::exchange(m_partThatWaits, std::move(part)))
            m_widget->whenIdle([this] {
                if (m_partThatWaits)
                    showPart(std::exchange(m_partThatWaits, nullptr));
            });
        return;
    }
    const auto entities = visible();
    // One that has waited while the scene was drawn may be older than the frame that came
    // meanwhile: over it, it would take its place in the picture and in shown(), and nobody would
    // ever hear of the frame, the last one of a movement.
    if (!entities || part->request.visible != entities || part->study != m_frame->study
        || part->request.field != m_frame->request.field
        || part->request.number < m_frame->request.number)
        return;
    QElapsedTimer clock;
    clock.start();
    try {
        m_scene.setCaption(stateText(*part).toStdString());
        m_scene.setVisibleValues(valuesOf(*part, look().shown));
    } catch (const std::exception &problem) {
        emit failed(QString::fromStdString(problem.what()));
        return;
    }
    m_secondsToHand = secondsOn(clock);
    redraw(std::move(part));
    emit sceneChanged();
}

void SteeredView::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::PaletteChange)
        apply();
    QWidget::changeEvent(event);
}

void SteeredView::setPinned(std::shared_ptr<const FieldFrame> frame)
{
    if (frame == m_pinned)
        return;
    m_pinned = std::move(frame);
    apply();
}

void SteeredView::setSeen(Seen seen)
{
    if (seen == m_seen)
        return;
    m_seen = seen;
    apply();
}

bool SteeredView::canBeShown() const
{
    // One with the new field is on its way.
    return m_frame && m_frame->request.field == look().field
           && (m_seen == Seen::steered || (m_pinned && areComparable(*m_pinned, *m_frame)));
}

const FieldFrame &SteeredView::shownFrame() const
{
    return m_seen == Seen::pinned ? *m_pinned : *m_frame;
}

std::optional<CameraPlace> SteeredView::camera() const
{
    if (m_hasCamera)
        return m_wantedCamera;
    return m_widget ? m_widget->camera() : m_scene.camera();
}

void SteeredView::setCamera(const std::optional<CameraPlace> &place)
{
    m_hasCamera = true;
    m_wantedCamera = place;
    apply();
}

void SteeredView::moveCamera(const std::optional<CameraPlace> &place)
{
    if (m_widget && !place) {
        m_widget->resetCamera();
        return;
    }
    whenIdle([this, place] {
        m_scene.setCamera(place);
        if (m_widget)
            m_widget->cameraWasMoved();
    });
}

void SteeredView::lookFrom(Sight sight)
{
    whenIdle([this, sight] {
        try {
            m_scene.lookFrom(sight);
        } catch (const std::exception &problem) {
            emit failed(QString::fromStdString(problem.what()));
        }
        if (m_widget)
            m_widget->cameraWasMoved();
    });
}

void SteeredView::whenIdle(std::function<void()> change)
{
    if (m_widget)
        m_widget->whenIdle(std::move(change));
    else
        change();
}

const data::Field &SteeredView::field() const
{
    return m_frame->study->fields.at(m_frame->request.field);
}

QString SteeredView::unavailableReason(ViewKind kind) const
{
    if (!m_frame)
        return {};
    return QString::fromStdString(ui::unavailableReason(kind, m_scene.shape().flat, field()));
}

/// Once, when the scene is not being drawn any more.
void SteeredView::apply()
{
    if (!std::exchange(m_mustApply, true))
        whenIdle([this] {
            m_mustApply = false;
            applyNow();
        });
}

void SteeredView::applyNow()
{
    if (!hasLook())
        return;
    m_applied = look();
    if (!canBeShown())
        return;
    QElapsedTimer clock;
    clock.start();
    try {
        setScene();
        m_secondsToHand += secondsOn(clock); // a frame that waits for its picture may change again
    } catch (const std::exception &problem) {
        emit failed(QString::fromStdString(problem.what()));
    }
    if (m_widget)
        redraw(std::exchange(m_isNew, false) ? m_frame : nullptr);
    emit sceneChanged();
}

/// The model's, with the range that its mode means here.
ViewSettings SteeredView::viewNow() const
{
    const auto &now = look();
    auto view = now.view;
    view.dark = themeOf(palette()) == Theme::dark;
    switch (now.rangeMode) {
    case RangeMode::study:
        view.range = now.shown == Shown::field ? m_studyRange : std::nullopt;
        if (view.range)
            break;
        [[fallthrough]]; // until it is known
    case RangeMode::frame:
        view.range.reset();
        if (m_seen != Seen::difference && comparingOf(m_model.now()) != Comparing::off && m_pinned
            && areComparable(*m_pinned, *m_frame)) // a difference has a range of its own
            view.range = rangeOfBoth(*m_pinned, *m_frame, now.shown, view.component, view.scale);
        break;
    case RangeMode::fixed:
        break;
    }
    return view;
}

void SteeredView::setMesh()
{
    const auto &mesh = m_frame->study->mesh;
    if (m_mesh == mesh)
        return;
    const bool isOther = !m_mesh || *m_mesh != *mesh;
    if (isOther)
        m_scene.setMesh(*mesh);
    m_mesh = mesh;
    if (isOther)
        m_fieldInScene.reset();
}

/// What of these settings these values can have; says why, where it is not all.
ViewSettings SteeredView::possible(ViewSettings view, const data::Field &field,
                                   const std::vector<float> &values)
{
    const auto say = [this](QString &said, const QString &reason) {
        if (std::exchange(said, reason) != reason && !reason.isEmpty())
            emit failed(reason);
    };
    // Of a saved view, say, when its study has changed since; of the difference of vectors.
    const auto ofKind =
        QString::fromStdString(ui::unavailableReason(view.kind, m_scene.shape().flat, field));
    if (!ofKind.isEmpty())
        view.kind = ViewKind::slice;
    say(m_reason, ofKind);
    std::string ofOption;
    view = withPossibleOptions(view, m_scene.shape().flat, field, ofOption);
    say(m_optionReason, QString::fromStdString(ofOption));
    const auto ofScale = whyNotLogarithmic(view, field, values, shownFrame().geometry.distance);
    if (!ofScale.isEmpty()) {
        view.scale = Scale::linear;
        view.levels.clear();
    }
    say(m_scaleReason, ofScale);
    return view;
}

void SteeredView::setScene()
{
    const auto shown = look().shown;
    setMesh();
    auto field = m_frame->study->fields.at(m_frame->request.field);
    auto view = viewNow();
    std::vector<float> difference, inBoth;
    if (m_seen == Seen::difference) {
        auto result = differenceOf(*m_pinned, *m_frame, shown, view.component);
        field = std::move(result.field);
        difference = std::move(result.values);
        inBoth = std::move(result.distance);
        view.range = result.range;
        view.component = {};
        view.scale = Scale::linear;
        view.colours = ColourMap::coolWarm;
        view.levels.clear();
    } else if (shown == Shown::indicator) {
        field.name += " indicator";
        field.offset = 0;
    }
    const auto &frame = shownFrame();
    const auto &values = m_seen == Seen::difference ? difference : valuesOf(frame, shown);
    view = possible(std::move(view), field, values);
    // The values before may be of another field, or may all be below 0.
    const auto &before = m_scene.view();
    const bool mustComeAfterValues =
        m_fieldInScene != field
        || (view.scale == Scale::logarithmic && (before.scale != view.scale || before.range)
            && !view.range);
    if (mustComeAfterValues) {
        // A view that both can have.
        auto between = view;
        between.component = {};
        between.scale = Scale::linear;
        between.range.reset();
        between.levels.clear();
        if (m_fieldInScene
            && !ui::unavailableReason(between.kind, m_scene.shape().flat, *m_fieldInScene).empty())
            between.kind = ViewKind::slice;
        std::string unsaid;
        if (m_fieldInScene)
            between = withPossibleOptions(between, m_scene.shape().flat, *m_fieldInScene, unsaid);
        m_scene.setView(between);
    } else {
        m_scene.setView(view);
    }
    m_scene.setAxisNames(m_frame->study->axes);
    m_scene.setCaption(caption().toStdString());
    const auto &[displacement, distance] = frame.geometry;
    const auto *whole = bandOf(frame);
    const auto band = whole ? whole->nodes : std::nullopt;
    if (m_seen == Seen::difference)
        m_scene.setValues(field, values, {{}, {}, displacement, inBoth});
    else if (shown == Shown::indicator) // arrows are those of the field, in its colours
        m_scene.setValues(field, values,
                          {frame.values, frame.indicator, displacement, distance, band});
    else
        m_scene.setValues(field, values, {{}, frame.indicator, displacement, distance, band});
    m_fieldInScene = field;
    if (mustComeAfterValues)
        m_scene.setView(view);
    if (m_hasCamera && m_frame->study == m_model.study()) { // not that of the study before
        m_hasCamera = false;
        moveCamera(m_wantedCamera);
    }
}

} // namespace gridhelm::ui
