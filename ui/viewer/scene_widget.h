// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/repainter.h"
#include "ui/scene/scene.h"
#include "ui/viewer/camera_control.h"
#include "ui/viewer/shared_context.h"

#include <QImage>
#include <QTimer>
#include <QWidget>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace gridhelm::ui {

/// To be called before the QApplication is made, by whoever will show scenes: chooses, where the
/// user has not, the platform and the kind of OpenGL that Debian's VTK can draw with (X11 and GLX);
/// and how memory is kept.
void prepareForScenes();

/// Whether there is a screen that the chosen platform can use.
bool hasDisplay();

/// Whether this program's Qt platform can show a SceneWidget at all ("offscreen" cannot).
bool canShowScenes();

/// A scene in a window: drawn when Qt draws, and at no other time. The left button turns it (moves
/// it, where it is seen straight), the middle one or Shift moves it, the wheel and the right button
/// zoom; double-click or Home: all of it again.
///
/// Not a QOpenGLWidget: that makes Qt compose the whole window by OpenGL for every frame, which
/// without a GPU takes longer than the scene. VTK draws into memory of its own, and the widget
/// shows it like any picture.
class SceneWidget : public QWidget
{
    Q_OBJECT

public:
    explicit SceneWidget(QWidget *parent = nullptr);
    ~SceneWidget() override;

    /// Call redraw() after changing it.
    Scene &scene() { return m_scene; }
    void redraw();
    /// As it is now, as well drawn as it gets.
    QImage picture();
    /// The same with nothing behind what is drawn.
    QImage transparentPicture();
    /// Pictures that needed no OpenGL (see Repainter), so far.
    std::uint64_t repainted() const { return m_repainter.painted(); }

    /// What the last picture took until it was in the window's memory: drawing and painting.
    double secondsToDraw() const { return m_secondsToDraw; }

    void resetCamera();
    /// Takes over the camera of another widget whose scene has the same mesh, unless one of them is
    /// seen straight and the other not so, or from another side; moves nothing else.
    void lookLike(SceneWidget &other);
    /// To be called when the scene's camera was placed otherwise: it stays there when the size
    /// changes.
    void cameraWasMoved();

    /// In the coordinates of the mesh, what lies under a place of the widget; none beside it.
    std::optional<std::array<double, 3>> pick(QPointF place);
    /// The reverse: where such coordinates are in the widget, as it was last drawn; also beside
    /// fieldArea(). None for what lies behind the eye.
    std::optional<QPointF> placeOf(const std::array<double, 3> &inMesh) const;
    /// Of the field in the widget, in its pixels.
    QRectF fieldArea() const;

signals:
    /// The scene as it is now is in the window (the window system may need a moment more).
    void drawn();
    /// Why nothing can be drawn: once.
    void failed(const QString &sentence);
    /// By the user, or by resetCamera().
    void cameraMoved();
    /// A click that moved nothing.
    void clicked(QPointF place);

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;

private:
    bool makeCurrent();
    void draw();
    void drawOpaque(std::span<std::uint32_t> pixels);
    void drawThroughOpenGl(std::span<std::uint32_t> pixels, int width);
    void getReady();
    void refine();
    void layOut();
    vtkCamera &vtkCameraNow() const;

    std::shared_ptr<SharedContext> m_context;
    bool m_hasFailed = false; ///< and said so
    Scene m_scene;
    vtkSmartPointer<vtkGenericOpenGLRenderWindow> m_window;
    std::vector<std::uint32_t> m_lines; ///< as OpenGL gives them
    QImage m_image;                     ///< in pixels of the screen
    Repainter m_repainter;
    double m_secondsToDraw = 0;
    QTimer m_idle;   ///< nothing has been drawn for a while
    QTimer m_refine; ///< the same, for longer
    Pace m_pace = Pace::brief;
    bool m_isDirty = true;
    bool m_isUnseen = false; ///< m_image has been drawn, but is not in the window yet
    bool m_showsAll = true;  ///< whatever its size: the user has not moved the camera
    QPointF m_pressedAt, m_lastAt;
    bool m_hasMoved = false;
};

} // namespace gridhelm::ui
