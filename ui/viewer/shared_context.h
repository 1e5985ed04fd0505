// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vtkGenericOpenGLRenderWindow.h>
#include <vtkOpenGLState.h>
#include <vtkSmartPointer.h>

#include <QObject>
#include <QOffscreenSurface>
#include <QOpenGLContext>

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

namespace gridhelm::ui {

/// The OpenGL context in which all views draw, each into memory of its own window of VTK, and the
/// thread that does: without a GPU a picture may take a second, and the first one of its kind some
/// tenths more (its shaders are translated), for which the program's window shall not wait.
///
/// One context, because with one for each view every new one would translate its shaders anew: a
/// third of a second, and some megabytes.
class SharedContext
{
public:
    /// What the thread was asked to do.
    class Job
    {
    public:
        void wait();
        /// Whether it is done by then.
        bool waitFor(std::chrono::steady_clock::duration time);

    private:
        friend class SharedContext;

        std::function<void()> m_work, m_then;
        std::mutex m_mutex;
        std::condition_variable m_changed;
        bool m_isDone = false;
    };

    /// That of all who have one; a new one if nobody has. For the thread of the widgets.
    static std::shared_ptr<SharedContext> get();
    /// When everything is done that was asked for.
    ~SharedContext();
    SharedContext(const SharedContext &) = delete;
    SharedContext &operator=(const SharedContext &) = delete;

    /// Has `work`, which must not throw, done after what was asked for before; then the event loop
    /// calls `then`, if it is still running. What the functions hold is gone afterwards.
    std::shared_ptr<Job> post(std::function<void()> work, std::function<void()> then = {});
    /// As Job::waitFor(), but of the time of the GUI's thread no more than half goes by with it,
    /// and 30 ms at once: so quick pictures are there when they are asked for, and no event loop
    /// stalls.
    bool waitShortlyFor(Job &job);

    /// A window of VTK that draws in this context. finish() must be called while it is there.
    vtkSmartPointer<vtkGenericOpenGLRenderWindow> makeWindow();

    // By what was posted:

    /// Creates it, when it is called for the first time. False: this screen has no such OpenGL.
    bool makeCurrent();
    QOpenGLFunctions &functions() { return *m_context->functions(); }
    /// Before the window goes.
    void finish(vtkGenericOpenGLRenderWindow &window);

private:
    using Clock = std::chrono::steady_clock;

    SharedContext();
    bool isCurrent() const { return m_context && QOpenGLContext::currentContext() == &*m_context; }
    void work();
    void doJob(Job &job);

    QObject m_gui; ///< of whose thread the event loop is
    QOffscreenSurface m_surface;
    std::optional<QOpenGLContext> m_context; ///< of m_thread
    bool m_hasTried = false;
    vtkSmartPointer<vtkOpenGLState> m_state; ///< with the shaders
    Clock::duration m_patience{};            ///< left to waitShortlyFor()
    Clock::time_point m_lastWait{};

    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::deque<std::shared_ptr<Job>> m_jobs; ///< the first one is being done
    bool m_isOver = false;
    std::thread m_thread; ///< none: this platform draws in the GUI's thread only
};

} // namespace gridhelm::ui
