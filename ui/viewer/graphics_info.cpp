// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/viewer/graphics_info.h"

#include "ui/viewer/scene_platform.h"
#include "ui/viewer/shared_context.h"

#include <vtkVersion.h>

#include <QOpenGLFunctions>

#include <memory>
#include <utility>

namespace gridhelm::ui {
namespace {

QString textOf(QOpenGLFunctions &functions, GLenum what)
{
    const auto *text = functions.glGetString(what);
    return text ? QString::fromLatin1(reinterpret_cast<const char *>(text)) : QString("unknown");
}

} // namespace

QString vtkVersion()
{
    return vtkVersion::GetVTKVersion();
}

std::shared_ptr<const void> askForRenderer(std::function<void(const QString &)> then)
{
    if (!canShowScenes()) {
        then("none: this platform cannot show scenes");
        return {};
    }
    auto context = SharedContext::get();
    const auto text = std::make_shared<QString>("none: this screen has no OpenGL that VTK can use");
    context->post(
        [drawing = context.get(), text] {
            if (drawing->makeCurrent())
                *text = textOf(drawing->functions(), GL_RENDERER) + ", OpenGL "
                        + textOf(drawing->functions(), GL_VERSION);
        },
        [text, then = std::move(then)] { then(*text); });
    return context;
}

} // namespace gridhelm::ui
