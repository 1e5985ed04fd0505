// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/drawing/opengl_renderer.h"

#include <vtkRenderWindow.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <string_view>

namespace gridhelm::ui {

std::string openGlRendererOf(vtkRenderWindow &window)
{
    const auto *capabilities = window.ReportCapabilities();
    std::istringstream lines(capabilities ? capabilities : "");
    std::string line;
    constexpr std::string_view key = "OpenGL renderer string:";
    while (std::getline(lines, line))
        if (const auto at = line.find(key); at != line.npos)
            return line.substr(line.find_first_not_of(' ', at + key.size()));
    return {};
}

OpenGl openGlOf(vtkRenderWindow &window)
{
    constexpr std::array<std::string_view, 4> ofMesa{"llvmpipe", "softpipe", "swrast", "Software"};
    const auto renderer = openGlRendererOf(window);
    const bool isSoftware = std::ranges::any_of(
        ofMesa, [&](auto name) { return renderer.find(name) != renderer.npos; });
    return renderer.empty() || isSoftware ? OpenGl::software : OpenGl::hardware;
}

} // namespace gridhelm::ui
