// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/scene.h"
#include "ui/viewer/camera_hand.h"
#include "ui/viewer/canvas.h"
#include "ui/viewer/focus_frame.h"
#include "ui/viewer/shared_context.h"

#include <QImage>
#include <QTimer>
#include <QWidget>

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace gridhelm::ui {

/// A scene in a window, drawn by the thread of the SharedContext: what takes long is seen when it
/// is done, and until then the picture before it. The left button turns it (moves it, where it is
/// seen straight), the middle one or Shift moves it, the wheel and the right button zoom;
/// double-click or Home: all of it again.
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

    /// The scene, when it is not being drawn: waits for that, so whenIdle() is better where it may
    /// take long. Call redraw() after changing it.
    Scene &scene();
    /// At once, for what drawing leaves alone: view, shape, range, title.
    const Scene &scene() const { return m_canvas->scene(); }
    bool isDrawing() const { return m_job != nullptr; }
    /// Nor is anything going to be drawn by itself.
    bool isAtRest() const;
    /// At once, or as soon as the scene is not being drawn any more, in the order of the calls;
    /// never, if the widget goes first.
    void whenIdle(std::function<void()> change);

    /// Returns the number of this wish; see drawnNumber().
    std::uint64_t redraw();
    /// Of the newest wish that the picture in the window fulfils.
    std::uint64_t drawnNumber() const { return m_shownNumber; }

    /// It must not wait, nor run an event loop.
    using TakePicture = std::function<void(QImage)>;
    /// Gives the scene as it is now, as well drawn as it gets, later (or at once).
    void takePicture(TakePicture take);
    /// Of any form, or null and why: a sentence.
    using TakeFormed = std::function<void(QImage picture, QString problem)>;
    void takePicture(const PictureForm &form, TakeFormed take);
    /// The same; they wait for it.
    QImage picture(const PictureForm &form = {});
    /// Of a picture as it is in the window.
    QSize pictureSize() const { return {canvasSize().width, canvasSize().height}; }
    /// Pictures that needed no OpenGL (see Repainter), so far.
    std::uint64_t repainted() const { return m_canvas->repainted(); }

    /// What the last picture took until it was in the window's memory: drawing and painting.
    double secondsToDraw() const { return m_secondsToDraw; }

    /// That of the scene. Waits for a drawing only if the camera is about to change after it.
    std::optional<CameraPlace> camera();
    /// Where the scene is seen from, moved there or not. Waits as scene() does.
    CameraPlace seenFrom();
    void resetCamera();
    /// Until the user moves the camera: whatever the widget's size.
    bool showsAll() const { return m_showsAll; }
    /// Takes over the camera of another widget whose scene has the same mesh, unless one of them is
    /// seen straight and the other not so, or from another side; moves nothing else. When both are
    /// idle.
    void lookLike(SceneWidget &other);
    /// To be called when the scene's camera was placed otherwise: it stays there when the size
    /// changes.
    void cameraWasMoved();

    /// Points or cells of the field that are inside of the picture: see Scene::inSight(). Waits as
    /// scene() does.
    std::vector<std::uint32_t> inSight()
    {
        if (!scene().isFitted())
            layOut();
        return scene().inSight();
    }

    /// In the coordinates of the mesh, what lies under a place of the widget; none beside it. Waits
    /// as scene() does.
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
    /// A click that moved nothing; the scene is idle.
    void clicked(QPointF place);

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void hideEvent(QHideEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;

private:
    using Finish = void (SceneWidget::*)(Drawing drawing);

    CanvasSize canvasSize() const;
    void post(std::function<Drawing(Canvas &, const CanvasSize &)> work, Finish whenDone);
    void finish();
    void waitUntilIdle();
    void begin(Pace pace);
    void take(Drawing drawing);
    void takeFormed(Drawing drawing);
    void takeReadiness(Drawing drawing);
    void takeNothing(Drawing drawing);
    void beginWhatIsWanted();
    bool isSharp() const { return !m_isDirty && !m_drawn.isCoarse; }
    void moveCamera(const std::function<void(vtkCamera &)> &move);
    void getReady();
    void refine();
    void forget();
    void layOut();
    void whenFitted(std::function<void()> change);
    void lookThrough(vtkCamera &camera, bool showsAll);
    vtkCamera &vtkCameraNow() const;

    std::shared_ptr<SharedContext> m_context;
    std::shared_ptr<Canvas> m_canvas;          ///< while it is drawn, of the thread that draws, too
    std::shared_ptr<SharedContext::Job> m_job; ///< that uses the canvas
    std::shared_ptr<Drawing> m_result;         ///< of m_job
    std::optional<CameraPlace> m_jobCamera;    ///< the scene's, if m_jobIsFitted
    bool m_jobIsFitted = false;                ///< drawing leaves the camera where it is
    Finish m_finish = nullptr;
    std::vector<std::function<void()>> m_changes; ///< that wait
    std::vector<TakePicture> m_takers;
    std::deque<std::pair<PictureForm, TakeFormed>> m_formed; ///< that are to be drawn
    std::shared_ptr<bool> m_isThere = std::make_shared<bool>(true);
    bool m_hasFailed = false; ///< and said so
    Drawing m_drawn;          ///< the last one
    double m_secondsToDraw = 0;
    QTimer m_idle;   ///< nothing has been drawn for a while
    QTimer m_refine; ///< the same, for longer
    QTimer m_hidden; ///< the widget has been so for a while
    Pace m_pace = Pace::brief, m_jobPace = Pace::brief;
    std::uint64_t m_number = 0, m_jobNumber = 0, m_drawnNumber = 0, m_shownNumber = 0; ///< wishes
    bool m_isDirty = true;
    bool m_isPainting = false;
    bool m_isUnseen = false; ///< m_drawn is not in the window yet
    bool m_showsAll = true;
    CameraHand m_hand;
    FocusFrame m_focus;
};

} // namespace gridhelm::ui
