// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/scene/annotation/annotation.h"

#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkNew.h>
#include <vtkPoints.h>
#include <vtkPolyDataMapper2D.h>
#include <vtkProperty2D.h>
#include <vtkTextProperty.h>
#include <vtkUnsignedCharArray.h>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace gridhelm::ui {
namespace {

constexpr int stripes = 256; // of a continuous bar

vtkSmartPointer<vtkActor2D> makeActor(vtkPolyData *data)
{
    vtkNew<vtkPolyDataMapper2D> mapper;
    mapper->SetInputData(data);
    auto actor = vtkSmartPointer<vtkActor2D>::New();
    actor->SetMapper(mapper);
    return actor;
}

/// Lines of whole parts ("Re = 400") that are no wider than `room`, where that can be.
std::string brokenIntoLines(vtkTextProperty &property, const std::string &text, double room,
                            int dpi)
{
    std::string done, line;
    for (std::size_t begin = 0; begin < text.size();) {
        auto end = text.find(", ", begin);
        end = end == text.npos ? text.size() : end + 2;
        const std::string part = text.substr(begin, end - begin);
        if (!line.empty() && sizeOf(property, line + part, dpi).width > room) {
            done += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
            line.clear();
        }
        line += part;
        begin = end;
    }
    return done + line;
}

} // namespace

Annotation::Annotation()
    : m_renderer(vtkSmartPointer<vtkRenderer>::New())
    , m_bar(vtkSmartPointer<vtkPolyData>::New())
    , m_lines(vtkSmartPointer<vtkPolyData>::New())
    , m_linesActor(makeActor(m_lines))
    , m_title(makeText())
    , m_caption(makeText())
{
    m_renderer->SetLayer(0);
    m_renderer->InteractiveOff();
    m_renderer->AddActor2D(makeActor(m_bar));
    m_renderer->AddActor2D(m_linesActor);
    m_renderer->AddActor2D(m_title);
    m_renderer->AddActor2D(m_caption);
    setDark(false);
}

void Annotation::setDark(bool dark)
{
    m_ink = dark ? std::array{0.90, 0.91, 0.93} : std::array{0.10, 0.11, 0.13};
    const auto ground = dark ? std::array{0.11, 0.12, 0.14} : std::array{1.0, 1.0, 1.0};
    m_renderer->SetBackground(ground.data());
    m_linesActor->GetProperty()->SetColor(m_ink.data());
    for (const auto &text : {m_title, m_caption})
        text->GetTextProperty()->SetColor(m_ink.data());
    for (const auto &text : m_tickTexts)
        text->GetTextProperty()->SetColor(m_ink.data());
}

void Annotation::setColours(const ColourScale &scale)
{
    if (scale == m_scale)
        return;
    m_scale = scale;
    m_laidOutFor = {};
}

bool Annotation::setBeyond(bool isBelow, bool isAbove)
{
    if (isBelow == m_isBelow && isAbove == m_isAbove)
        return false;
    m_isBelow = isBelow;
    m_isAbove = isAbove;
    m_laidOutFor = {};
    return true;
}

void Annotation::setTitle(std::string title)
{
    if (title == m_titleText)
        return;
    m_titleText = std::move(title);
    m_laidOutFor = {};
}

void Annotation::setCaption(std::string caption)
{
    if (caption == m_captionText)
        return;
    m_captionText = std::move(caption);
    m_isCaptionNew = true;
}

PixelBox Annotation::layOut(int width, int height, int dpi)
{
    const bool isSameWindow =
        m_laidOutFor.width == width && m_laidOutFor.height == height && m_laidOutFor.dpi == dpi;
    if (isSameWindow && !m_isCaptionNew)
        return m_field;
    const Fonts fonts = Fonts::forWindow(width, height, dpi);
    const double margin = std::round(fonts.em);
    const PixelBox inside{margin, margin, std::max(width - 2 * margin, 1.0),
                          std::max(height - 2 * margin, 1.0)};

    const double captionHeight = layOutCaption(inside, fonts);
    m_isCaptionNew = false;
    const BarLayout layout{width, height, dpi, captionHeight};
    if (layout == m_laidOutFor)
        return m_field;
    m_laidOutFor = layout;
    const double room = std::max(inside.height - captionHeight, 1.0);
    // In a tall window (states side by side) the field is as high as there is room beside the bar.
    const double widestField = std::max(inside.width - 7 * fonts.em, 1.0);
    const double barHeight = std::round(0.86 * std::min(room, 1.4 * widestField));
    // In steps, so that the field stays where it is when other values need other digits.
    const double step = 0.5 * fonts.em;
    const double widestTick = step * std::ceil(makeTicks(barHeight, fonts) / step);
    const double barWidth = std::round(1.2 * fonts.em);
    const double rightOfBar = std::round(widestTick + 2.9 * fonts.em);
    const PixelBox bar{inside.left + inside.width - rightOfBar - barWidth,
                       std::round(inside.bottom + 0.5 * (room - barHeight)), barWidth, barHeight};
    layOutBar(bar, widestTick, room, fonts);
    m_field = {inside.left, inside.bottom, std::max(bar.left - 1.4 * fonts.em - inside.left, 1.0),
               room};
    return m_field;
}

double Annotation::layOutCaption(const PixelBox &window, const Fonts &fonts)
{
    m_captionImage.reset();
    showCaption(m_isCaptionShown);
    if (m_captionText.empty())
        return 0;
    auto *property = m_caption->GetTextProperty();
    property->SetJustificationToCentered();
    property->SetVerticalJustificationToTop();
    property->SetLineSpacing(1.2);
    property->SetFontSize(fonts.size);
    const auto lines =
        fitted(*property, brokenIntoLines(*property, m_captionText, window.width, fonts.dpi),
               fonts.size, window.width, fonts.dpi);
    m_caption->SetInput(lines.c_str());
    m_caption->SetPosition(window.left + 0.5 * window.width, window.bottom + window.height);
    return std::round(sizeOf(*property, lines, fonts.dpi).height + 0.9 * fonts.em);
}

void Annotation::showCaption(bool isShown)
{
    m_isCaptionShown = isShown;
    m_caption->SetVisibility(isShown && !m_captionText.empty());
}

const TextImage &Annotation::captionImage()
{
    if (m_captionImage)
        return *m_captionImage;
    m_captionImage = TextImage();
    if (m_captionText.empty())
        return *m_captionImage;
    m_captionImage =
        imageOf(*m_caption->GetTextProperty(), m_caption->GetInput(), m_laidOutFor.dpi);
    m_captionImage->left += static_cast<int>(std::floor(m_caption->GetPosition()[0]));
    m_captionImage->bottom += static_cast<int>(std::floor(m_caption->GetPosition()[1]));
    return *m_captionImage;
}

double Annotation::makeTicks(double barHeight, const Fonts &fonts)
{
    const int most = static_cast<int>(std::clamp(barHeight / (2.2 * fonts.em), 2.0, 12.0));
    m_ticks = ticksOf(m_scale.range, m_scale.scale, most);
    if (!m_scale.steps.empty()) { // the isolines are what one wants to read off
        m_ticks = {m_scale.range.low};
        const auto isClear = [&](double from, double to) {
            return (placeOf(m_scale, to) - placeOf(m_scale, from)) * barHeight >= 1.4 * fonts.em;
        };
        for (const double level : m_scale.steps)
            if (isClear(m_ticks.back(), level) && isClear(level, m_scale.range.high))
                m_ticks.push_back(level);
        m_ticks.push_back(m_scale.range.high);
    }
    const auto texts = tickTexts(m_ticks);
    // A text that stays is not rendered again.
    while (m_tickTexts.size() < texts.size()) {
        m_tickTexts.push_back(makeText());
        m_tickTexts.back()->GetTextProperty()->SetColor(m_ink.data());
        m_tickTexts.back()->GetTextProperty()->SetVerticalJustificationToCentered();
        m_renderer->AddActor2D(m_tickTexts.back());
    }
    double widest = 0;
    for (std::size_t i = 0; i < m_tickTexts.size(); ++i) {
        auto &text = *m_tickTexts[i];
        text.SetVisibility(i < texts.size());
        if (i >= texts.size())
            continue;
        text.SetInput(texts[i].c_str());
        text.GetTextProperty()->SetFontSize(fonts.size);
        widest = std::max(widest, sizeOf(*text.GetTextProperty(), texts[i], fonts.dpi).width);
    }
    return widest;
}

void Annotation::layOutBar(const PixelBox &bar, double widestTick, double longestTitle,
                           const Fonts &fonts)
{
    const double right = bar.left + bar.width, top = bar.bottom + bar.height;
    const double tickLength = std::round(0.35 * fonts.em);

    vtkNew<vtkPoints> corners;
    vtkNew<vtkCellArray> quads;
    vtkNew<vtkUnsignedCharArray> colours;
    colours->SetNumberOfComponents(3);
    std::vector<double> borders{0.0};
    if (m_scale.steps.empty())
        for (int i = 1; i < stripes; ++i)
            borders.push_back(static_cast<double>(i) / stripes);
    for (const double level : m_scale.steps)
        borders.push_back(placeOf(m_scale, level));
    borders.push_back(1.0);
    for (std::size_t i = 0; i + 1 < borders.size(); ++i) {
        const double low = bar.bottom + borders[i] * bar.height;
        const double high = bar.bottom + borders[i + 1] * bar.height;
        quads->InsertNextCell({corners->InsertNextPoint(bar.left, low, 0),
                               corners->InsertNextPoint(right, low, 0),
                               corners->InsertNextPoint(right, high, 0),
                               corners->InsertNextPoint(bar.left, high, 0)});
        const Colour c = colourAt(m_scale, 0.5 * (borders[i] + borders[i + 1]));
        colours->InsertNextTypedTuple(c.data());
    }
    // Arrows as wide as the bar, in the colours of its ends.
    const double middle = bar.left + 0.5 * bar.width, arrow = std::round(0.9 * bar.width);
    const auto addArrow = [&](double from, double to, double place) {
        quads->InsertNextCell({corners->InsertNextPoint(bar.left, from, 0),
                               corners->InsertNextPoint(right, from, 0),
                               corners->InsertNextPoint(middle, to, 0)});
        const Colour c = colourAt(m_scale, place);
        colours->InsertNextTypedTuple(c.data());
    };
    if (m_isBelow)
        addArrow(bar.bottom, bar.bottom - arrow, 0);
    if (m_isAbove)
        addArrow(top, top + arrow, 1);
    m_bar->SetPoints(corners);
    m_bar->SetPolys(quads);
    m_bar->GetCellData()->SetScalars(colours);
    m_bar->Modified();

    vtkNew<vtkPoints> ends;
    vtkNew<vtkCellArray> lines;
    const auto line = [&](double x0, double y0, double x1, double y1) {
        lines->InsertNextCell({ends->InsertNextPoint(x0, y0, 0), ends->InsertNextPoint(x1, y1, 0)});
    };
    line(bar.left, bar.bottom, right, bar.bottom);
    line(right, bar.bottom, right, top);
    line(right, top, bar.left, top);
    line(bar.left, top, bar.left, bar.bottom);
    for (const auto &[isThere, from, to] : {std::tuple(m_isBelow, bar.bottom, bar.bottom - arrow),
                                            std::tuple(m_isAbove, top, top + arrow)})
        if (isThere) {
            line(bar.left, from, middle, to);
            line(middle, to, right, from);
        }
    for (std::size_t i = 0; i < m_ticks.size(); ++i) {
        const double y = std::round(bar.bottom + placeOf(m_scale, m_ticks[i]) * bar.height);
        line(right, y, right + tickLength, y);
        m_tickTexts[i]->SetPosition(right + tickLength + 0.35 * fonts.em, y);
    }
    m_lines->SetPoints(ends);
    m_lines->SetLines(lines);
    m_lines->Modified();
    m_linesActor->GetProperty()->SetLineWidth(static_cast<float>(std::max(1.0, fonts.em / 18)));

    auto *property = m_title->GetTextProperty();
    m_title->SetInput(fitted(*property, m_titleText, fonts.size, longestTitle, fonts.dpi).c_str());
    property->SetOrientation(90);
    property->SetJustificationToCentered();
    property->SetVerticalJustificationToCentered();
    m_title->SetPosition(right + tickLength + widestTick + 1.75 * fonts.em,
                         bar.bottom + 0.5 * bar.height);
}

} // namespace gridhelm::ui
