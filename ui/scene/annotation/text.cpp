// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/annotation/text.h"

#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkStdString.h>
#include <vtkTextRenderer.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace gridhelm::ui {

Fonts Fonts::forWindow(int width, int height, int dpi)
{
    const double pixelsOfPoint = dpi / 72.0;
    // What is tall and narrow, as states side by side are, has room for larger ones than its width
    // would say.
    const double tallness = std::clamp(height / (1.5 * std::max(width, 1)), 1.0, 1.25);
    const double size = std::round(std::min(width, height) * tallness / pixelsOfPoint / 40.0);
    Fonts fonts;
    fonts.size = static_cast<int>(std::clamp(size, 9.0, 80.0));
    fonts.dpi = dpi;
    fonts.em = fonts.size * pixelsOfPoint;
    return fonts;
}

TextSize sizeOf(vtkTextProperty &property, const std::string &text, int dpi)
{
    std::array<int, 4> box{0, 0, 0, 0};
    if (!text.empty())
        vtkTextRenderer::GetInstance()->GetBoundingBox(&property, text, box.data(), dpi);
    return {static_cast<double>(box[1] - box[0] + 1), static_cast<double>(box[3] - box[2] + 1)};
}

std::string fitted(vtkTextProperty &property, std::string text, int fontSize, double room, int dpi)
{
    constexpr int smallest = 7;
    property.SetOrientation(0);
    property.SetFontSize(fontSize);
    while (fontSize > smallest && sizeOf(property, text, dpi).width > room)
        property.SetFontSize(--fontSize);
    if (sizeOf(property, text, dpi).width <= room)
        return text;
    const auto isInsideOfCharacter = [](char c) { return (c & 0xC0) == 0x80; }; // UTF-8
    while (!text.empty() && sizeOf(property, text + "...", dpi).width > room) {
        while (isInsideOfCharacter(text.back()) && text.size() > 1)
            text.pop_back();
        text.pop_back();
    }
    return text + "...";
}

TextImage imageOf(vtkTextProperty &property, const std::string &text, int dpi)
{
    TextImage image;
    vtkNew<vtkImageData> rgba;
    std::array<int, 2> size{0, 0};
    if (text.empty()
        || !vtkTextRenderer::GetInstance()->RenderString(&property, text, rgba, size.data(), dpi))
        return image;
    const int *extent = rgba->GetExtent();
    image.left = extent[0];
    image.bottom = extent[2];
    image.width = std::min(size[0], extent[1] - extent[0] + 1);
    image.height = std::min(size[1], extent[3] - extent[2] + 1);
    for (int row = 0; row < image.height; ++row) {
        const auto *pixel = static_cast<const std::uint8_t *>(
            rgba->GetScalarPointer(extent[0], extent[2] + row, 0));
        for (int column = 0; column < image.width; ++column)
            image.cover.push_back(pixel[4 * column + 3]);
    }
    return image;
}

vtkSmartPointer<vtkTextActor> makeText()
{
    auto actor = vtkSmartPointer<vtkTextActor>::New();
    actor->SetTextScaleModeToNone();
    actor->GetTextProperty()->SetFontFamilyToArial();
    return actor;
}

} // namespace gridhelm::ui
