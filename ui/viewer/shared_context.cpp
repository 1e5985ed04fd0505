// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewer/shared_context.h"

#include "ui/machine/lower_priority.h"

#include <vtkCallbackCommand.h>
#include <vtkCommand.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>

#include <QSurfaceFormat>

#include <algorithm>
#include <utility>

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

void SharedContext::Job::wait()
{
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [this] { return m_isDone; });
}

bool SharedContext::Job::waitFor(std::chrono::steady_clock::duration time)
{
    std::unique_lock lock(m_mutex);
    return m_changed.wait_for(lock, time, [this] { return m_isDone; });
}

SharedContext::SharedContext()
    : m_state(vtkSmartPointer<vtkOpenGLState>::New())
{
    m_surface.setFormat(QSurfaceFormat::defaultFormat());
    m_surface.create();
    if (QOpenGLContext::supportsThreadedOpenGL())
        m_thread = std::thread([this] { work(); });
}

SharedContext::~SharedContext()
{
    if (!m_thread.joinable())
        return;
    {
        const std::lock_guard lock(m_mutex);
        m_isOver = true;
        m_wake.notify_all();
    }
    m_thread.join();
}

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

std::shared_ptr<SharedContext::Job> SharedContext::post(std::function<void()> work,
                                                        std::function<void()> then)
{
    auto job = std::make_shared<Job>();
    job->m_work = std::move(work);
    job->m_then = std::move(then);
    if (!m_thread.joinable()) {
        doJob(*job);
        return job;
    }
    const std::lock_guard lock(m_mutex);
    m_jobs.push_back(job);
    m_wake.notify_all();
    return job;
}

bool SharedContext::waitShortlyFor(Job &job)
{
    constexpr Clock::duration most = std::chrono::milliseconds(30);
    const auto begin = Clock::now();
    m_patience = std::min(most, m_patience + (begin - m_lastWait) / 2);
    const bool isDone = job.waitFor(m_patience);
    m_lastWait = Clock::now();
    m_patience = std::max(m_patience - (m_lastWait - begin), Clock::duration::zero());
    return isDone;
}

void SharedContext::work()
{
    lowerPriority(4); // the window answers first, then pictures are drawn, then all the rest
    for (;;) {
        std::shared_ptr<Job> job;
        {
            std::unique_lock lock(m_mutex);
            m_wake.wait(lock, [this] { return m_isOver || !m_jobs.empty(); });
            if (m_jobs.empty())
                break;
            job = m_jobs.front();
        }
        doJob(*job);
        const std::lock_guard lock(m_mutex);
        m_jobs.pop_front();
    }
    m_state = nullptr;
    m_context.reset();
}

void SharedContext::doJob(Job &job)
{
    job.m_work();
    job.m_work = nullptr; // what it holds goes in this thread
    if (job.m_then)
        QMetaObject::invokeMethod(&m_gui, std::exchange(job.m_then, nullptr), Qt::QueuedConnection);
    const std::lock_guard lock(job.m_mutex);
    job.m_isDone = true;
    job.m_changed.notify_all();
}

bool SharedContext::makeCurrent()
{
    if (isCurrent())
        return true;
    if (m_thread.joinable() && std::this_thread::get_id() != m_thread.get_id()) {
        qCritical("Something is drawn that should be drawn elsewhere: please report this");
        return false;
    }
    if (!m_hasTried) {
        m_hasTried = true;
        m_context.emplace();
        m_context->setFormat(QSurfaceFormat::defaultFormat());
        m_context->create();
    }
    return m_context->isValid() && m_context->makeCurrent(&m_surface);
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
