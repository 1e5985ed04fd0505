// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewer/scene_widget.h"

#include <vtkCallbackCommand.h>
#include <vtkCellPicker.h>
#include <vtkNew.h>
#include <vtkOpenGLState.h>
#include <vtkRendererCollection.h>

#include <QGuiApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QOpenGLContext>
#include <QOpenGLFunctions>
#include <QSurfaceFormat>
#include <QWheelEvent>

#include <cmath>

namespace gridhelm::ui {
namespace {

constexpr double clickPixels = 4; ///< less of a movement is a click

} // namespace

void prepareForScenes()
{
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "xcb");
    if (!qEnvironmentVariableIsSet("QT_XCB_GL_INTEGRATION"))
        qputenv("QT_XCB_GL_INTEGRATION", "xcb_glx");
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
    : QOpenGLWidget(parent)
    , m_window(vtkSmartPointer<vtkGenericOpenGLRenderWindow>::New())
{
    setFocusPolicy(Qt::StrongFocus);
    setMinimumSize(160, 120);
    setAccessibleName("View of the field");
    m_window->SetReadyForRendering(false);
    m_window->SetOwnContext(0);
    m_window->SetFrameBlitModeToNoBlit();
    m_window->SetMultiSamples(0);
    answerVtk();
    m_scene.addTo(*m_window);
}

SceneWidget::~SceneWidget()
{
    if (context()) // which goes after this object
        disconnect(context(), nullptr, this, nullptr);
    letGoOfOpenGL();
}

/// VTK asks its window things that only Qt can answer.
void SceneWidget::answerVtk()
{
    const auto on = [this](unsigned long event,
                           void (*answer)(vtkObject *, unsigned long, void *, void *)) {
        vtkNew<vtkCallbackCommand> command;
        command->SetClientData(this);
        command->SetCallback(answer);
        m_window->AddObserver(event, command);
    };
    on(vtkCommand::WindowMakeCurrentEvent, [](vtkObject *, unsigned long, void *self, void *) {
        auto &widget = *static_cast<SceneWidget *>(self);
        // Qt would bind the widget's framebuffer over the one that VTK is drawing into.
        if (widget.isValid() && widget.context() != QOpenGLContext::currentContext())
            widget.makeCurrent();
    });
    on(vtkCommand::WindowIsCurrentEvent, [](vtkObject *, unsigned long, void *self, void *answer) {
        const auto &widget = *static_cast<SceneWidget *>(self);
        *static_cast<bool *>(answer) =
            widget.context() && widget.context() == QOpenGLContext::currentContext();
    });
    on(vtkCommand::WindowSupportsOpenGLEvent,
       [](vtkObject *, unsigned long, void *, void *answer) { *static_cast<int *>(answer) = 1; });
    on(vtkCommand::WindowIsDirectEvent,
       [](vtkObject *, unsigned long, void *, void *answer) { *static_cast<int *>(answer) = 1; });
}

void SceneWidget::letGoOfOpenGL()
{
    if (!context())
        return;
    makeCurrent();
    m_window->Finalize();
    m_window->SetReadyForRendering(false);
    doneCurrent();
}

void SceneWidget::initializeGL()
{
    // Again, with another context, when the widget gets another window (a dock that floats).
    connect(context(), &QOpenGLContext::aboutToBeDestroyed, this, &SceneWidget::letGoOfOpenGL,
            Qt::UniqueConnection);
    m_window->SetReadyForRendering(true);
    m_window->OpenGLInitContext();
    m_isDirty = true;
}

void SceneWidget::resizeGL(int, int)
{
    m_isDirty = true;
}

void SceneWidget::redraw()
{
    m_isDirty = true;
    update();
}

void SceneWidget::paintGL()
{
    const double ratio = devicePixelRatioF();
    const int w = static_cast<int>(std::lround(width() * ratio));
    const int h = static_cast<int>(std::lround(height() * ratio));
    // VTK believes to know OpenGL's state, and Qt has changed it.
    auto &state = *m_window->GetState();
    state.Reset();
    state.Push();
    state.vtkglDepthFunc(GL_LEQUAL);
    if (m_isDirty) {
        const int dpi = static_cast<int>(std::lround(72 * ratio));
        m_window->SetDPI(dpi);
        m_window->SetSize(w, h);
        m_scene.prepare(w, h, dpi);
        m_window->Render();
        m_isDirty = false;
    }
    auto &gl = *context()->functions();
    gl.glBindFramebuffer(GL_FRAMEBUFFER, defaultFramebufferObject());
    state.Reset();
    state.vtkglDisable(GL_SCISSOR_TEST);
    m_window->BlitDisplayFramebuffer(0, 0, 0, w, h, 0, 0, w, h, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    // Qt would take VTK's alpha for transparency of the window.
    gl.glBindFramebuffer(GL_FRAMEBUFFER, defaultFramebufferObject());
    gl.glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_TRUE);
    gl.glClearColor(0, 0, 0, 1);
    gl.glClear(GL_COLOR_BUFFER_BIT);
    gl.glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    state.Pop();
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

CameraPlace SceneWidget::camera() const
{
    return placeOf(vtkCameraNow());
}

void SceneWidget::setCamera(const CameraPlace &place)
{
    moveTo(vtkCameraNow(), place);
    redraw();
}

void SceneWidget::resetCamera()
{
    m_scene.resetCamera();
    redraw();
}

void SceneWidget::cameraHasMoved()
{
    redraw();
    emit cameraMoved();
}

std::optional<std::array<double, 3>> SceneWidget::pick(QPointF place)
{
    const double ratio = devicePixelRatioF();
    vtkNew<vtkCellPicker> picker;
    picker->SetTolerance(0);
    if (picker->Pick(place.x() * ratio, (height() - place.y()) * ratio - 1, 0,
                     m_scene.fieldRenderer())
        == 0)
        return std::nullopt;
    std::array<double, 3> at{};
    picker->GetPickPosition(at.data());
    return at;
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
    cameraHasMoved();
}

void SceneWidget::mouseReleaseEvent(QMouseEvent *event)
{
    if (!m_hasMoved && event->button() == Qt::LeftButton)
        emit clicked(event->position());
}

void SceneWidget::mouseDoubleClickEvent(QMouseEvent *)
{
    resetCamera();
    emit cameraMoved();
}

void SceneWidget::wheelEvent(QWheelEvent *event)
{
    const auto area = fieldArea();
    zoom(vtkCameraNow(), std::pow(1.0015, event->angleDelta().y()),
         event->position() - area.topLeft(), area.size());
    cameraHasMoved();
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
        emit cameraMoved();
        return;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoom(camera, 1.2, centre, area.size());
        cameraHasMoved();
        return;
    case Qt::Key_Minus:
        zoom(camera, 1 / 1.2, centre, area.size());
        cameraHasMoved();
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
        QOpenGLWidget::keyPressEvent(event);
        return;
    }
    if (camera.GetParallelProjection() || event->modifiers() & Qt::ShiftModifier)
        pan(camera, by, area.size());
    else
        rotate(camera, by, area.size());
    cameraHasMoved();
}

} // namespace gridhelm::ui
