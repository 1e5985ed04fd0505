// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/scene/annotation/text.h"
#include "ui/scene/colour/colour_table.h"

#include <vtkActor2D.h>
#include <vtkPolyData.h>
#include <vtkRenderer.h>
#include <vtkSmartPointer.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace gridhelm::ui {

/// Everything in a picture that is text, and the bar of colours: at the right the bar with its
/// ticks and its title, above the field the caption. One thread: that of the window's OpenGL.
class Annotation
{
public:
    Annotation();

    /// Covers the whole window, and clears it. To be drawn before the field (layer 0).
    vtkRenderer *renderer() const { return m_renderer; }

    void setDark(bool dark);
    /// Of text and lines.
    const std::array<double, 3> &ink() const { return m_ink; }
    void setColours(const ColourScale &scale);
    /// Arrows at the bar's ends: some values are beyond them. Returns whether that is new.
    bool setBeyond(bool isBelow, bool isAbove);
    void setTitle(std::string title); ///< of the bar: what is shown, with its unit
    /// Empty: none, and no room for it. Broken at ", " if it is too long for one line.
    void setCaption(std::string caption);

    /// Places all of it in a window of this size, in pixels. Returns what is left for the field.
    /// Cheap if nothing has changed since the last call; nothing but the caption is laid out again
    /// if nothing else has changed.
    PixelBox layOut(int width, int height, int dpi);

    /// For pictures that are drawn without the caption, which is put on them afterwards.
    void showCaption(bool isShown);
    /// After layOut(): in pixels of the window, from its lower left corner.
    const TextImage &captionImage();

private:
    struct BarLayout
    {
        int width = 0, height = 0, dpi = 0; ///< of the window
        double captionHeight = 0;

        bool operator==(const BarLayout &) const = default;
    };

    /// Returns the height it takes.
    double layOutCaption(const PixelBox &window, const Fonts &fonts);
    /// Returns the width of the widest.
    double makeTicks(double barHeight, const Fonts &fonts);
    void layOutBar(const PixelBox &bar, double widestTick, double longestTitle, const Fonts &fonts);

    vtkSmartPointer<vtkRenderer> m_renderer;
    vtkSmartPointer<vtkPolyData> m_bar;   ///< the colours
    vtkSmartPointer<vtkPolyData> m_lines; ///< frame and ticks
    vtkSmartPointer<vtkActor2D> m_linesActor;
    vtkSmartPointer<vtkTextActor> m_title, m_caption;
    std::vector<double> m_ticks;
    std::vector<vtkSmartPointer<vtkTextActor>>
        m_tickTexts; ///< of each of m_ticks; the others are hidden
    std::array<double, 3> m_ink{0, 0, 0};
    ColourScale m_scale;
    bool m_isBelow = false, m_isAbove = false;
    std::string m_titleText, m_captionText;
    BarLayout m_laidOutFor; ///< all 0: to be laid out anew
    bool m_isCaptionNew = true, m_isCaptionShown = true;
    std::optional<TextImage> m_captionImage; ///< of what is laid out; made when it is asked for
    PixelBox m_field;
};

} // namespace gridhelm::ui
