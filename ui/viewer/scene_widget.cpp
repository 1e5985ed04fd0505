// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewer/scene_widget.h"

#include "ui/viewer/camera_control.h"
#include "ui/viewer/elapsed.h"
#include "ui/viewer/places.h"

#include <vtkCamera.h>
#include <vtkNew.h>

#include <QPainter>
#include <QPointer>

#include <cmath>
#include <utility>

namespace gridhelm::ui {
namespace {

constexpr int idleMilliseconds = 150;   ///< then nobody turns the scene any more
constexpr int restMilliseconds = 400;   ///< then nobody minds a longer drawing
constexpr int hiddenMilliseconds = 500; ///< then it is not only moved from window to window

} // namespace

SceneWidget::SceneWidget(QWidget *parent)
    : QWidget(parent)
    , m_context(SharedContext::get())
    , m_canvas(std::make_shared<Canvas>(*m_context))
{
    const auto once = [this](QTimer &timer, int milliseconds, void (SceneWidget::*what)()) {
        timer.setSingleShot(true);
        timer.setInterval(milliseconds);
        connect(&timer, &QTimer::timeout, this, what);
    };
    once(m_idle, idleMilliseconds, &SceneWidget::getReady);
    once(m_refine, restMilliseconds, &SceneWidget::refine);
    once(m_hidden, hiddenMilliseconds, &SceneWidget::forget);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setFocusPolicy(Qt::StrongFocus);
    setMinimumSize(160, 120);
    setAccessibleName("View of the field");
}

SceneWidget::~SceneWidget()
{
    m_job.reset(); // nobody waits for it
    m_context->post([canvas = std::move(m_canvas)]() mutable { canvas.reset(); });
}

/// In pixels of the screen.
CanvasSize SceneWidget::canvasSize() const
{
    const double ratio = devicePixelRatioF();
    const auto rounded = [ratio](int size) { return static_cast<int>(std::lround(size * ratio)); };
    return {rounded(width()), rounded(height()), rounded(72)};
}

/// The scene must be idle, and is not so until finish().
void SceneWidget::post(std::function<Drawing(Canvas &, const CanvasSize &)> work, Finish whenDone)
{
    m_result = std::make_shared<Drawing>();
    m_finish = whenDone;
    const auto &scene = std::as_const(*m_canvas).scene();
    m_jobIsFitted = scene.isFitted();
    m_jobCamera = scene.camera();
    // The canvas may only go in that thread: what is posted there must not be its last owner.
    m_job = m_context->post([work = std::move(work), canvas = m_canvas.get(), size = canvasSize(),
                             result = m_result] { *result = work(*canvas, size); },
                            [this, isThere = std::weak_ptr(m_isThere), result = m_result] {
                                if (!isThere.expired() && result == m_result)
                                    this->finish();
                            });
}

/// Of what has been posted: it is done.
void SceneWidget::finish()
{
    m_job.reset();
    (this->*m_finish)(std::move(*std::exchange(m_result, nullptr)));
    const auto changes = std::exchange(m_changes, {});
    for (const auto &change : changes)
        whenIdle(change);
    beginWhatIsWanted();
    if (m_isDirty && !m_job) // Qt may have asked meanwhile
        update();
}

bool SceneWidget::isAtRest() const
{
    return !m_job && !m_isDirty && !m_idle.isActive() && !m_refine.isActive();
}

void SceneWidget::waitUntilIdle()
{
    while (m_job) {
        m_job->wait();
        finish();
    }
}

Scene &SceneWidget::scene()
{
    waitUntilIdle();
    return m_canvas->scene();
}

std::optional<CameraPlace> SceneWidget::camera()
{
    return m_job && m_jobIsFitted && m_changes.empty() ? m_jobCamera : scene().camera();
}

void SceneWidget::whenIdle(std::function<void()> change)
{
    if (m_job)
        m_changes.push_back(std::move(change));
    else
        change();
}

void SceneWidget::beginWhatIsWanted()
{
    if (m_job)
        return;
    if (!m_takers.empty()) {
        if (isSharp()) {
            for (const auto &take : std::exchange(m_takers, {}))
                take(m_drawn.image);
        } else {
            begin(Pace::full);
            return;
        }
    }
    if (!m_formed.empty() && !m_job)
        post([form = m_formed.front().first](
                 Canvas &canvas, const CanvasSize &size) { return canvas.drawPicture(form, size); },
             &SceneWidget::takeFormed);
}

void SceneWidget::begin(Pace pace)
{
    m_isDirty = false;
    m_pace = Pace::brief;
    m_jobPace = pace;
    m_jobNumber = m_number;
    post([pace](Canvas &canvas, const CanvasSize &size) { return canvas.draw(size, pace); },
         &SceneWidget::take);
}

void SceneWidget::take(Drawing drawing)
{
    if (drawing.hasNoOpenGl && !std::exchange(m_hasFailed, true))
        emit failed("Fields cannot be drawn, because this screen has no OpenGL 3.2; install a "
                    "driver, for one libgl1-mesa-dri. Values and files work");
    if (!drawing.problem.isEmpty())
        emit failed(drawing.problem);
    m_drawnNumber = m_jobNumber;
    m_isUnseen = true;
    m_secondsToDraw = drawing.seconds;
    if (!drawing.image.isNull()) {
        drawing.image.setDevicePixelRatio(devicePixelRatioF());
        m_drawn = std::move(drawing);
    }
    if (m_drawn.isCoarse) // it may also turn out to take less time than was thought
        m_refine.start();
    else
        m_refine.stop();
    if (m_drawn.couldBeReady)
        m_idle.start();
    else
        m_idle.stop();
    if (m_jobPace == Pace::full) // before what has changed since is drawn
        for (const auto &takePicture : std::exchange(m_takers, {}))
            takePicture(m_drawn.image);
    if (!m_isPainting)
        update();
}

void SceneWidget::takeFormed(Drawing drawing)
{
    const auto take = std::move(m_formed.front().second);
    m_formed.pop_front();
    if (drawing.hasNoOpenGl)
        drawing.problem = "Fields cannot be drawn, because this screen has no OpenGL 3.2";
    else if (drawing.image.isNull() && drawing.problem.isEmpty())
        drawing.problem = "The view has no room in the window; make it larger";
    take(drawing.image, drawing.problem);
    redraw();
}

void SceneWidget::takeNothing(Drawing) {}

void SceneWidget::takeReadiness(Drawing drawing)
{
    m_drawn.couldBeReady = drawing.couldBeReady;
    if (drawing.couldBeReady) // there are more steps
        m_idle.start();
}

void SceneWidget::getReady()
{
    if (m_isDirty || m_job || m_drawn.image.size() != size() * devicePixelRatioF())
        return;
    post(
        [](Canvas &canvas, const CanvasSize &) {
            Drawing drawing;
            drawing.couldBeReady = canvas.getReady();
            return drawing;
        },
        &SceneWidget::takeReadiness);
}

/// Nobody waits for it: better, as long as it does not take so long that the next picture would be
/// late.
void SceneWidget::refine()
{
    if (m_isDirty || m_job)
        return;
    constexpr double longest = 1;
    const auto &scene = m_canvas->scene();
    if (scene.wouldBeFiner(Pace::patient))
        m_pace = Pace::patient;
    else if (scene.isCoarse() && scene.secondsWhenFull() < longest)
        m_pace = Pace::full;
    else
        return;
    redraw();
}

/// What is not seen shall not take the memory of several pictures.
void SceneWidget::forget()
{
    whenIdle([this] {
        if (isVisible())
            return;
        m_isDirty = true;
        m_idle.stop();
        m_refine.stop();
        post(
            [](Canvas &canvas, const CanvasSize &) {
                canvas.forget();
                return Drawing();
            },
            &SceneWidget::takeNothing);
    });
}

void SceneWidget::hideEvent(QHideEvent *)
{
    m_hidden.start();
}

void SceneWidget::resizeEvent(QResizeEvent *)
{
    m_isDirty = true;
    whenIdle([this] { // a camera that waits for the same picture comes first
        if (m_showsAll)
            m_canvas->scene().resetCamera();
    });
}

std::uint64_t SceneWidget::redraw()
{
    m_isDirty = true;
    update();
    return ++m_number;
}

void SceneWidget::takePicture(TakePicture take)
{
    whenIdle([this, take = std::move(take)] {
        m_takers.push_back(take);
        beginWhatIsWanted();
    });
}

void SceneWidget::takePicture(const PictureForm &form, TakeFormed take)
{
    if (form == PictureForm()) { // perhaps it is there
        takePicture([take = std::move(take)](const QImage &picture) {
            take(picture, picture.isNull() ? "The view could not be drawn" : QString());
        });
        return;
    }
    whenIdle([this, form, take = std::move(take)] {
        m_formed.emplace_back(form, take);
        beginWhatIsWanted();
    });
}

QImage SceneWidget::picture(const PictureForm &form)
{
    QImage picture;
    waitUntilIdle();
    takePicture(form, [&](const QImage &image, const QString &) { picture = image; });
    waitUntilIdle();
    return picture;
}

void SceneWidget::focusInEvent(QFocusEvent *event)
{
    m_focus.enter(*event);
    QWidget::focusInEvent(event);
    update();
}

void SceneWidget::focusOutEvent(QFocusEvent *event)
{
    m_focus.leave();
    QWidget::focusOutEvent(event);
    update();
}

void SceneWidget::paintEvent(QPaintEvent *)
{
    if (m_isDirty && !m_job) {
        begin(m_pace); // no changes can come before it is waited for
        m_isPainting = true;
        if (m_context->waitShortlyFor(*m_job))
            finish();
        m_isPainting = false;
    }
    QElapsedTimer clock;
    clock.start();
    QPainter painter(this);
    const QSizeF drawnSize = QSizeF(m_drawn.image.size()) / m_drawn.image.devicePixelRatio();
    if (m_drawn.image.isNull() || drawnSize != QSizeF(size())) // of another size, for a moment
        painter.fillRect(rect(), palette().color(QPalette::Base));
    if (!m_drawn.image.isNull())
        painter.drawImage(QPointF(0, 0), m_drawn.image);
    m_focus.paint(painter, *this);
    if (!m_isDirty && !m_job && m_drawn.isCoarse && !m_refine.isActive()) {
        const auto place = fieldArea().toAlignedRect().adjusted(8, 8, -8, -8);
        painter.setPen(palette().color(QPalette::WindowText));
        painter.drawText(place, Qt::AlignLeft | Qt::AlignBottom | Qt::TextWordWrap,
                         "Drawn coarsely, to be quick here; saved pictures are sharp");
    }
    if (std::exchange(m_isUnseen, false)) { // after Qt has flushed the window
        m_secondsToDraw += secondsOn(clock);
        m_shownNumber = m_drawnNumber;
        QMetaObject::invokeMethod(this, &SceneWidget::drawn, Qt::QueuedConnection);
    }
}

vtkCamera &SceneWidget::vtkCameraNow() const
{
    return *m_canvas->scene().fieldRenderer()->GetActiveCamera();
}

QRectF SceneWidget::fieldArea() const
{
    if (m_drawn.image.isNull())
        return rect();
    return fieldAreaOf(m_drawn);
}

/// Where things are in the widget's present size. By the thread that draws, because VTK's text is
/// for one thread.
void SceneWidget::layOut()
{
    waitUntilIdle();
    m_context->post([canvas = m_canvas.get(), size = canvasSize()] { canvas->layOut(size); })
        ->wait();
}

/// As whenIdle(), and the camera is where the scene places it.
void SceneWidget::whenFitted(std::function<void()> change)
{
    whenIdle([this, change = std::move(change)] {
        if (m_canvas->scene().isFitted())
            return change();
        post(
            [](Canvas &canvas, const CanvasSize &size) {
                canvas.layOut(size);
                return Drawing();
            },
            &SceneWidget::takeNothing);
        m_changes.push_back(change);
    });
}

CameraPlace SceneWidget::seenFrom()
{
    if (!scene().isFitted())
        layOut();
    return ui::placeOf(vtkCameraNow());
}

void SceneWidget::resetCamera()
{
    whenIdle([this] {
        m_showsAll = true;
        m_canvas->scene().resetCamera();
        redraw();
        emit cameraMoved();
    });
}

void SceneWidget::lookLike(SceneWidget &other)
{
    const auto take = [self = QPointer(this), &other] {
        if (!self)
            return;
        vtkNew<vtkCamera> wanted;
        wanted->DeepCopy(&other.vtkCameraNow());
        self->whenFitted([self, camera = vtkSmartPointer<vtkCamera>(wanted.Get()),
                          showsAll = other.m_showsAll] { self->lookThrough(*camera, showsAll); });
    };
    if (other.m_showsAll) // which way it looks is known, and there is nothing else to be taken over
        other.whenIdle(take);
    else
        other.whenFitted(take);
}

/// The scene is idle.
void SceneWidget::lookThrough(vtkCamera &camera, bool showsAll)
{
    auto &mine = vtkCameraNow();
    if (!areAlike(mine, camera))
        return;
    m_showsAll = showsAll;
    if (m_showsAll) { // of a picture that may have another shape
        m_canvas->scene().resetCamera();
    } else {
        mine.DeepCopy(&camera);
        mine.Modified(); // which is not said: the field would be drawn as it was seen before
    }
    redraw();
}

void SceneWidget::cameraWasMoved()
{
    m_showsAll = false;
    redraw();
    emit cameraMoved();
}

/// By hand.
void SceneWidget::moveCamera(const std::function<void(vtkCamera &)> &move)
{
    whenIdle([this, move] {
        move(vtkCameraNow());
        cameraWasMoved();
    });
}

std::optional<std::array<double, 3>> SceneWidget::pick(QPointF place)
{
    waitUntilIdle();
    const auto size = canvasSize();
    if (!m_canvas->scene().isFitted() || m_drawn.image.size() != QSize(size.width, size.height))
        layOut(); // else it lies where the picture shows it
    const double ratio = devicePixelRatioF();
    return pickInMesh(m_canvas->scene(), place.x() * ratio, (height() - place.y()) * ratio - 1);
}

std::optional<QPointF> SceneWidget::placeOf(const std::array<double, 3> &inMesh) const
{
    return m_drawn.image.isNull() ? std::nullopt : ui::placeOf(inMesh, m_drawn);
}

void SceneWidget::mousePressEvent(QMouseEvent *event)
{
    m_hand.press(*event);
}

void SceneWidget::mouseMoveEvent(QMouseEvent *event)
{
    if (const auto move = m_hand.drag(*event, fieldArea()))
        moveCamera(move);
}

void SceneWidget::mouseReleaseEvent(QMouseEvent *event)
{
    if (m_hand.isClick() && event->button() == Qt::LeftButton)
        whenIdle([this, at = event->position()] { emit clicked(at); });
}

void SceneWidget::mouseDoubleClickEvent(QMouseEvent *)
{
    resetCamera();
}

void SceneWidget::wheelEvent(QWheelEvent *event)
{
    moveCamera(CameraHand::turnWheel(*event, fieldArea()));
    event->accept();
}

void SceneWidget::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Home)
        resetCamera();
    else if (const auto move = CameraHand::pressKey(*event, fieldArea()))
        moveCamera(move);
    else
        QWidget::keyPressEvent(event);
}

} // namespace gridhelm::ui
