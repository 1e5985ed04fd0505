// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vtkGenericOpenGLRenderWindow.h>
#include <vtkOpenGLState.h>
#include <vtkSmartPointer.h>

#include <QOffscreenSurface>
#include <QOpenGLContext>

#include <memory>

namespace gridhelm::ui {

/// The OpenGL context in which all views draw, each into memory of its own window of VTK. With one
/// for each view, every new one would translate its shaders anew: a third of a second, and some
/// megabytes, without a GPU. One thread, that of the widgets.
class SharedContext : public std::enable_shared_from_this<SharedContext>
{
public:
    /// That of all who have one; a new one if nobody has.
    static std::shared_ptr<SharedContext> get();
    ~SharedContext();
    SharedContext(const SharedContext &) = delete;
    SharedContext &operator=(const SharedContext &) = delete;

    /// Creates it, when it is called for the first time. False: this screen has no such OpenGL.
    bool makeCurrent();
    bool isCurrent() const { return QOpenGLContext::currentContext() == &m_context; }
    void doneCurrent() { m_context.doneCurrent(); }
    QOpenGLFunctions &functions() { return *m_context.functions(); }

    /// A window of VTK that draws in this context. finish() must be called while it is there.
    vtkSmartPointer<vtkGenericOpenGLRenderWindow> makeWindow();
    /// Before the window goes.
    void finish(vtkGenericOpenGLRenderWindow &window);

private:
    SharedContext();

    QOffscreenSurface m_surface;
    QOpenGLContext m_context;
    bool m_hasTried = false;
    vtkSmartPointer<vtkOpenGLState> m_state; ///< with the shaders
};

} // namespace gridhelm::ui
