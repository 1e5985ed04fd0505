// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewer/shared_context.h"

#include <vtkCallbackCommand.h>
#include <vtkCommand.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>

#include <QSurfaceFormat>

namespace gridhelm::ui {
namespace {

/// VTK keeps what it knows of a context, and its shaders, in a window's state.
class Window : public vtkGenericOpenGLRenderWindow
{
public:
    static Window *New();
    using Superclass = vtkGenericOpenGLRenderWindow;

    void share(vtkOpenGLState *state) { m_shared = state; }

    vtkOpenGLState *GetState() override
    {
        return m_shared && !m_isReleasing ? m_shared.Get() : Superclass::GetState();
    }

    /// Not the shaders and buffers of the other windows, which hang on the shared state.
    void ReleaseGraphicsResources(vtkWindow *window) override
    {
        m_isReleasing = true;
        Superclass::ReleaseGraphicsResources(window);
        m_isReleasing = false;
        if (m_shared)
            m_shared->Reset(); // what was bound may be gone
    }

private:
    vtkSmartPointer<vtkOpenGLState> m_shared;
    bool m_isReleasing = false;
};

vtkStandardNewMacro(Window);

} // namespace

SharedContext::SharedContext()
    : m_state(vtkSmartPointer<vtkOpenGLState>::New())
{
    m_surface.setFormat(QSurfaceFormat::defaultFormat());
    m_surface.create();
    m_context.setFormat(QSurfaceFormat::defaultFormat());
}

SharedContext::~SharedContext() = default;

std::shared_ptr<SharedContext> SharedContext::get()
{
    static std::weak_ptr<SharedContext> present;
    auto context = present.lock();
    if (!context) {
        context.reset(new SharedContext);
        present = context;
    }
    return context;
}

bool SharedContext::makeCurrent()
{
    if (isCurrent())
        return true;
    if (!m_hasTried) {
        m_hasTried = true;
        m_context.create();
    }
    return m_context.isValid() && m_context.makeCurrent(&m_surface);
}

/// VTK asks its window things that only Qt can answer.
vtkSmartPointer<vtkGenericOpenGLRenderWindow> SharedContext::makeWindow()
{
    auto window = vtkSmartPointer<Window>::New();
    window->share(m_state);
    window->SetReadyForRendering(false);
    window->SetOwnContext(0);
    window->SetFrameBlitModeToNoBlit();
    window->SetMultiSamples(0);
    const auto on = [&](unsigned long event,
                        void (*answer)(vtkObject *, unsigned long, void *, void *)) {
        vtkNew<vtkCallbackCommand> command;
        command->SetClientData(this);
        command->SetCallback(answer);
        window->AddObserver(event, command);
    };
    on(vtkCommand::WindowMakeCurrentEvent, [](vtkObject *, unsigned long, void *self, void *) {
        static_cast<SharedContext *>(self)->makeCurrent();
    });
    on(vtkCommand::WindowIsCurrentEvent, [](vtkObject *, unsigned long, void *self, void *answer) {
        *static_cast<bool *>(answer) = static_cast<SharedContext *>(self)->isCurrent();
    });
    on(vtkCommand::WindowSupportsOpenGLEvent,
       [](vtkObject *, unsigned long, void *, void *answer) { *static_cast<int *>(answer) = 1; });
    on(vtkCommand::WindowIsDirectEvent,
       [](vtkObject *, unsigned long, void *, void *answer) { *static_cast<int *>(answer) = 1; });
    return window;
}

void SharedContext::finish(vtkGenericOpenGLRenderWindow &window)
{
    if (window.GetReadyForRendering() && makeCurrent())
        window.Finalize();
    window.SetReadyForRendering(false);
}

} // namespace gridhelm::ui
