// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewer/scene_platform.h"

#include <QGuiApplication>
#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QOpenGLFunctions>
#include <QSurfaceFormat>

#include <malloc.h>

namespace gridhelm::ui {

void prepareForScenes()
{
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "xcb");
    if (!qEnvironmentVariableIsSet("QT_XCB_GL_INTEGRATION"))
        qputenv("QT_XCB_GL_INTEGRATION", "xcb_glx");
    // Fields and pictures come in many sizes: without this, what is freed of them stays as holes
    // in memory, of each thread's own. But with too few arenas the GUI's thread waits for locks
    // that threads of low priority hold.
    ::mallopt(M_ARENA_MAX, 8);
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

bool canShowScenes()
{
    const auto platform = QGuiApplication::platformName();
    return platform != "offscreen" && platform != "minimal";
}

QString openGlRenderer()
{
    QOpenGLContext context;
    QOffscreenSurface surface;
    surface.create();
    if (!canShowScenes() || !context.create() || !context.makeCurrent(&surface))
        return {};
    const auto *name = context.functions()->glGetString(GL_RENDERER);
    auto text = QString::fromUtf8(reinterpret_cast<const char *>(name));
    context.doneCurrent();
    return text;
}

} // namespace gridhelm::ui
