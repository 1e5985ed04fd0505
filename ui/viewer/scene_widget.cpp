// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewer/scene_widget.h"

#include "ui/scene/transparency.h"
#include "ui/viewer/elapsed.h"

#include <vtkCamera.h>
#include <vtkCellPicker.h>
#include <vtkMatrix4x4.h>
#include <vtkNew.h>
#include <vtkOpenGLFramebufferObject.h>

#include <QGuiApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QOpenGLFunctions>
#include <QPainter>
#include <QSurfaceFormat>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <malloc.h>
#include <utility>

namespace gridhelm::ui {
namespace {

constexpr double clickPixels = 4;     ///< less of a movement is a click
constexpr int idleMilliseconds = 150; ///< then nobody turns the scene any more
constexpr int restMilliseconds = 400; ///< then nobody minds a longer drawing

struct Pixels
{
    int width, height, dpi;
};

/// Of the screen, that the widget has.
Pixels pixelsOf(const QWidget &widget)
{
    const double ratio = widget.devicePixelRatioF();
    const auto rounded = [ratio](int size) { return static_cast<int>(std::lround(size * ratio)); };
    return {rounded(widget.width()), rounded(widget.height()), rounded(72)};
}

/// Without padding: lines of 32-bit pixels.
std::span<std::uint32_t> pixelsIn(QImage &image)
{
    return {reinterpret_cast<std::uint32_t *>(image.bits()),
            static_cast<std::size_t>(image.width()) * static_cast<std::size_t>(image.height())};
}

bool isSameDirection(const std::array<double, 3> &one, const std::array<double, 3> &other)
{
    constexpr double rounding = 1e-9; // they are unit vectors
    return one[0] * other[0] + one[1] * other[1] + one[2] * other[2] > 1 - rounding;
}

} // namespace

void prepareForScenes()
{
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "xcb");
    if (!qEnvironmentVariableIsSet("QT_XCB_GL_INTEGRATION"))
        qputenv("QT_XCB_GL_INTEGRATION", "xcb_glx");
    // Fields and pictures come in many sizes: without this, what is freed of them stays as holes
    // in memory, of each thread's own.
    ::mallopt(M_ARENA_MAX, 2);
    ::mallopt(M_MMAP_THRESHOLD, 4 << 20);
    ::mallopt(M_TRIM_THRESHOLD, 8 << 20);
    QSurfaceFormat format;
    format.setRenderableType(QSurfaceFormat::OpenGL);
    format.setVersion(3, 2);
    format.setProfile(QSurfaceFormat::CoreProfile);
    format.setDepthBufferSize(24);
    format.setAlphaBufferSize(8);
    format.setSamples(0);
    QSurfaceFormat::setDefaultFormat(format);
}

bool hasDisplay()
{
    return qgetenv("QT_QPA_PLATFORM") != "xcb" || qEnvironmentVariableIsSet("DISPLAY");
}

bool canShowScenes()
{
    const auto platform = QGuiApplication::platformName();
    return platform != "offscreen" && platform != "minimal";
}

SceneWidget::SceneWidget(QWidget *parent)
    : QWidget(parent)
    , m_context(SharedContext::get())
    , m_window(m_context->makeWindow())
    , m_repainter(m_scene, [this](std::span<std::uint32_t> pixels) { drawOpaque(pixels); })
{
    m_idle.setSingleShot(true);
    m_idle.setInterval(idleMilliseconds);
    connect(&m_idle, &QTimer::timeout, this, &SceneWidget::getReady);
    m_refine.setSingleShot(true);
    m_refine.setInterval(restMilliseconds);
    connect(&m_refine, &QTimer::timeout, this, &SceneWidget::refine);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setFocusPolicy(Qt::StrongFocus);
    setMinimumSize(160, 120);
    setAccessibleName("View of the field");
    m_scene.addTo(*m_window);
}

SceneWidget::~SceneWidget()
{
    m_context->finish(*m_window);
}

bool SceneWidget::makeCurrent()
{
    if (!m_context->makeCurrent()) {
        if (!std::exchange(m_hasFailed, true))
            emit failed("Fields cannot be drawn, because this screen has no OpenGL 3.2; install a "
                        "driver, for one libgl1-mesa-dri. Values and files work");
        return false;
    }
    if (!m_window->GetReadyForRendering()) {
        m_window->SetReadyForRendering(true);
        m_window->OpenGLInitContext();
    }
    return true;
}

void SceneWidget::resizeEvent(QResizeEvent *)
{
    m_isDirty = true;
    if (m_showsAll)
        m_scene.resetCamera();
}

void SceneWidget::redraw()
{
    m_isDirty = true;
    update();
}

QImage SceneWidget::picture()
{
    if (m_isDirty || m_scene.isCoarse()) {
        m_pace = Pace::full;
        draw();
    }
    return m_image;
}

QImage SceneWidget::transparentPicture()
{
    m_scene.setBackground(black); // of no opacity: what is blended over it comes premultiplied
    m_isDirty = true;
    layOut();
    m_scene.setPace(Pace::full);
    const auto [w, h, dpi] = pixelsOf(*this);
    QImage picture(w, h, QImage::Format_ARGB32_Premultiplied);
    picture.fill(Qt::transparent);
    if (!picture.isNull() && makeCurrent())
        drawThroughOpenGl(pixelsIn(picture), w);
    m_scene.setBackground(std::nullopt);
    redraw();
    return picture;
}

/// All that drawing needs but OpenGL: where things are in the widget's present size.
void SceneWidget::layOut()
{
    const auto [w, h, dpi] = pixelsOf(*this);
    if (!m_isDirty || w <= 0 || h <= 0 || !makeCurrent())
        return;
    m_window->SetDPI(dpi);
    m_window->SetSize(w, h);
    m_scene.prepare(w, h, dpi);
}

void SceneWidget::draw()
{
    QElapsedTimer clock;
    clock.start();
    m_isDirty = false;
    m_isUnseen = true;
    const auto [w, h, dpi] = pixelsOf(*this);
    if (w <= 0 || h <= 0 || !makeCurrent())
        return;
    m_window->SetDPI(dpi);
    m_window->SetSize(w, h);
    if (m_image.size() != QSize(w, h))
        m_image = QImage(w, h, QImage::Format_RGB32);
    m_image.setDevicePixelRatio(devicePixelRatioF());
    m_scene.setPace(m_pace);
    m_repainter.paint(w, h, dpi, pixelsIn(m_image));
    m_pace = Pace::brief;
    if (m_scene.isCoarse()) // it may also turn out to take less time than was thought
        m_refine.start();
    else
        m_refine.stop();
    if (m_repainter.couldBeReady())
        m_idle.start();
    else
        m_idle.stop();
    m_secondsToDraw = secondsOn(clock);
}

void SceneWidget::drawOpaque(std::span<std::uint32_t> pixels)
{
    drawThroughOpenGl(pixels, m_image.width());
    for (auto &pixel : pixels)
        pixel |= 0xff000000U;
}

/// Lines of `width` pixels, the topmost first.
void SceneWidget::drawThroughOpenGl(std::span<std::uint32_t> pixels, int width)
{
    m_window->Render();
    m_window->GetDisplayFramebuffer()->Bind(GL_READ_FRAMEBUFFER);
    m_window->GetDisplayFramebuffer()->ActivateReadBuffer(0);
    m_lines.resize(pixels.size());
    const auto length = static_cast<std::size_t>(width), height = pixels.size() / length;
    m_context->functions().glReadPixels(0, 0, width, static_cast<int>(height), GL_BGRA,
                                        GL_UNSIGNED_BYTE, m_lines.data());
    for (std::size_t row = 0; row < height; ++row) // OpenGL's first: the lowest
        std::copy_n(m_lines.data() + (height - 1 - row) * length, length,
                    pixels.data() + row * length);
}

void SceneWidget::getReady()
{
    if (!m_isDirty && m_image.size() == size() * devicePixelRatioF() && makeCurrent())
        m_repainter.getReady(pixelsIn(m_image));
    if (m_repainter.couldBeReady()) // there are more steps
        m_idle.start();
}

void SceneWidget::refine()
{
    if (m_isDirty || !m_scene.wouldBeFiner(Pace::patient))
        return;
    m_pace = Pace::patient;
    redraw();
}

void SceneWidget::paintEvent(QPaintEvent *)
{
    if (m_isDirty)
        draw();
    QElapsedTimer clock;
    clock.start();
    QPainter painter(this);
    if (m_image.isNull())
        painter.fillRect(rect(), palette().color(QPalette::Base));
    else
        painter.drawImage(QPointF(0, 0), m_image);
    if (!m_isDirty && m_scene.isCoarse() && !m_refine.isActive()) {
        const auto place = fieldArea().toAlignedRect().adjusted(8, 8, -8, -8);
        painter.setPen(palette().color(QPalette::WindowText));
        painter.drawText(place, Qt::AlignLeft | Qt::AlignBottom | Qt::TextWordWrap,
                         "Drawn coarsely, to be quick here; saved pictures are sharp");
    }
    if (std::exchange(m_isUnseen, false)) { // after Qt has flushed the window
        m_secondsToDraw += secondsOn(clock);
        QMetaObject::invokeMethod(this, &SceneWidget::drawn, Qt::QueuedConnection);
    }
}

vtkCamera &SceneWidget::vtkCameraNow() const
{
    return *m_scene.fieldRenderer()->GetActiveCamera();
}

QRectF SceneWidget::fieldArea() const
{
    double ends[4];
    m_scene.fieldRenderer()->GetViewport(ends);
    return {ends[0] * width(), (1 - ends[3]) * height(), (ends[2] - ends[0]) * width(),
            (ends[3] - ends[1]) * height()};
}

void SceneWidget::resetCamera()
{
    m_showsAll = true;
    m_scene.resetCamera();
    redraw();
    emit cameraMoved();
}

void SceneWidget::lookLike(SceneWidget &other)
{
    layOut(); // both scenes are fitted then
    other.layOut();
    auto &mine = vtkCameraNow(), &others = other.vtkCameraNow();
    const bool isStraight = mine.GetParallelProjection();
    if (isStraight != bool(others.GetParallelProjection())
        || (isStraight && !isSameDirection(eyeAxes(mine).towards, eyeAxes(others).towards)))
        return;
    m_showsAll = other.m_showsAll;
    if (m_showsAll) // of a picture that may have another shape
        m_scene.resetCamera();
    else
        mine.DeepCopy(&others);
    redraw();
}

void SceneWidget::cameraWasMoved()
{
    m_showsAll = false;
    redraw();
    emit cameraMoved();
}

std::optional<std::array<double, 3>> SceneWidget::pick(QPointF place)
{
    layOut();
    const double ratio = devicePixelRatioF();
    vtkNew<vtkCellPicker> picker;
    picker->SetTolerance(1e-4); // of the picture: 0 misses all cells on the edge between two
    if (picker->Pick(place.x() * ratio, (height() - place.y()) * ratio - 1, 0,
                     m_scene.fieldRenderer())
        == 0)
        return std::nullopt;
    std::array<double, 3> at{};
    picker->GetPickPosition(at.data());
    return at;
}

std::optional<QPointF> SceneWidget::placeOf(const std::array<double, 3> &inMesh) const
{
    auto &renderer = *m_scene.fieldRenderer();
    const auto toEye = vtkCameraNow().GetViewTransformMatrix();
    const double point[4] = {inMesh[0], inMesh[1], inMesh[2], 1};
    double seen[4], display[3];
    toEye->MultiplyPoint(point, seen);
    if (seen[2] >= 0 || m_image.isNull())
        return std::nullopt;
    renderer.SetWorldPoint(point);
    renderer.WorldToDisplay();
    renderer.GetDisplayPoint(display);
    const double ratio = devicePixelRatioF();
    return QPointF(display[0] / ratio, height() - (display[1] + 1) / ratio);
}

void SceneWidget::mousePressEvent(QMouseEvent *event)
{
    m_pressedAt = m_lastAt = event->position();
    m_hasMoved = false;
}

void SceneWidget::mouseMoveEvent(QMouseEvent *event)
{
    if (event->buttons() == Qt::NoButton)
        return;
    const auto at = event->position();
    if (!m_hasMoved && (at - m_pressedAt).manhattanLength() < clickPixels)
        return;
    m_hasMoved = true;
    const auto by = at - m_lastAt;
    m_lastAt = at;
    const auto area = fieldArea();
    auto &camera = vtkCameraNow();
    const bool shifts = event->buttons() & Qt::MiddleButton
                        || event->modifiers() & Qt::ShiftModifier || camera.GetParallelProjection();
    if (event->buttons() & Qt::RightButton)
        zoom(camera, std::exp(-0.01 * by.y()), m_pressedAt - area.topLeft(), area.size());
    else if (shifts)
        pan(camera, by, area.size());
    else
        rotate(camera, by, area.size());
    cameraWasMoved();
}

void SceneWidget::mouseReleaseEvent(QMouseEvent *event)
{
    if (!m_hasMoved && event->button() == Qt::LeftButton)
        emit clicked(event->position());
}

void SceneWidget::mouseDoubleClickEvent(QMouseEvent *)
{
    resetCamera();
}

void SceneWidget::wheelEvent(QWheelEvent *event)
{
    const auto area = fieldArea();
    zoom(vtkCameraNow(), std::pow(1.0015, event->angleDelta().y()),
         event->position() - area.topLeft(), area.size());
    cameraWasMoved();
    event->accept();
}

void SceneWidget::keyPressEvent(QKeyEvent *event)
{
    const auto area = fieldArea();
    const double step = 0.1 * area.width();
    const auto centre = QPointF(area.width() / 2, area.height() / 2);
    auto &camera = vtkCameraNow();
    QPointF by;
    switch (event->key()) {
    case Qt::Key_Home:
        resetCamera();
        return;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoom(camera, 1.2, centre, area.size());
        cameraWasMoved();
        return;
    case Qt::Key_Minus:
        zoom(camera, 1 / 1.2, centre, area.size());
        cameraWasMoved();
        return;
    case Qt::Key_Left:
        by = {step, 0};
        break;
    case Qt::Key_Right:
        by = {-step, 0};
        break;
    case Qt::Key_Up:
        by = {0, step};
        break;
    case Qt::Key_Down:
        by = {0, -step};
        break;
    default:
        QWidget::keyPressEvent(event);
        return;
    }
    if (camera.GetParallelProjection() || event->modifiers() & Qt::ShiftModifier)
        pan(camera, by, area.size());
    else
        rotate(camera, by, area.size());
    cameraWasMoved();
}

} // namespace gridhelm::ui
