// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <memory>
#include <string>

namespace gridhelm::ui {

/// A connection to an X server that can draw, for windows that are never shown: that of the
/// environment (DISPLAY) if it is on this machine, can be reached and has OpenGL (GLX); else a
/// virtual one (Xvfb, OpenGL in software) that is started for this object, lets nobody else in and
/// ends with it, also if this program is killed. (Debian's VTK can draw through X only.)
///
/// Make, use and destroy it on the main thread: Xvfb ends when the thread ends that started it.
class Display
{
public:
    /// Throws gridhelm::Error, naming the package to install, if there is neither.
    Display();
    ~Display();
    Display(const Display &) = delete;
    Display &operator=(const Display &) = delete;

    /// Xlib's Display *, for vtkRenderWindow::SetDisplayId.
    void *handle() const;
    /// ":0".
    const std::string &name() const;
    bool isVirtual() const;

private:
    struct Connection;
    class VirtualServer;
    std::unique_ptr<VirtualServer> m_server; ///< ends after the connection
    std::unique_ptr<Connection> m_connection;
};

/// Whether the X server of this name (":0"; empty: DISPLAY) answers. Names that lead nowhere can
/// take minutes: then the answer is no when the patience has ended. To be called before there are
/// threads.
bool canReachDisplay(const std::string &name, std::chrono::seconds patience);

} // namespace gridhelm::ui
