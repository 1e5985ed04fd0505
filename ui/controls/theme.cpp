// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/controls/theme.h"

#include <QApplication>
#include <QPainter>
#include <QProxyStyle>
#include <QStyleOption>
#include <QToolTip>

namespace gridhelm::ui {
namespace {

QColor mixed(const QColor &a, const QColor &b, double ofB)
{
    const auto mix = [ofB](int from, int to) {
        return static_cast<int>(from + (to - from) * ofB + 0.5);
    };
    return {mix(a.red(), b.red()), mix(a.green(), b.green()), mix(a.blue(), b.blue())};
}

struct Basics
{
    QColor window, base, text, button, accent, onAccent;
};

Basics basicsOf(Theme theme)
{
    if (theme == Theme::dark)
        return {QColor("#1f2226"), QColor("#16181b"), QColor("#e6e8ea"),
                QColor("#2b2f35"), QColor("#4da3ff"), QColor("#0b1620")};
    return {QColor("#f4f5f7"), QColor("#ffffff"), QColor("#1b1e23"),
            QColor("#ffffff"), QColor("#1769c4"), QColor("#ffffff")};
}

/// Fusion's outline of a box to tick is darker than the window: on a dark one nobody sees it.
class Style : public QProxyStyle
{
public:
    Style()
        : QProxyStyle("Fusion")
    {
    }

    // Of tool bars and tool tips; not by a style sheet, which makes every widget slower.
    int pixelMetric(PixelMetric metric, const QStyleOption *option,
                    const QWidget *widget) const override
    {
        switch (metric) {
        case PM_ToolBarItemSpacing:
            return 4;
        case PM_ToolBarItemMargin:
        case PM_ToolTipLabelFrameWidth:
            return 3;
        default:
            return QProxyStyle::pixelMetric(metric, option, widget);
        }
    }

    int styleHint(StyleHint hint, const QStyleOption *option, const QWidget *widget,
                  QStyleHintReturn *returned) const override
    {
        if (hint == SH_DialogButtonBox_ButtonsHaveIcons)
            return 0; // Fusion's are of another set
        return QProxyStyle::styleHint(hint, option, widget, returned);
    }

    void drawControl(ControlElement element, const QStyleOption *option, QPainter *painter,
                     const QWidget *widget) const override
    {
        const auto *entry = qstyleoption_cast<const QStyleOptionMenuItem *>(option);
        if (element == CE_ToolBar) // no border
            painter->fillRect(option->rect, option->palette.window());
        else if (element == CE_MenuItem && entry && isChosen(*entry))
            drawChosen(*entry, *painter, widget);
        else
            QProxyStyle::drawControl(element, option, painter, widget);
    }

    void drawComplexControl(ComplexControl control, const QStyleOptionComplex *option,
                            QPainter *painter, const QWidget *widget) const override
    {
        const auto *button = qstyleoption_cast<const QStyleOptionToolButton *>(option);
        if (control != CC_ToolButton || !button
            || button->toolButtonStyle != Qt::ToolButtonTextUnderIcon) {
            QProxyStyle::drawComplexControl(control, option, painter, widget);
            return;
        }
        QStyleOptionToolButton plain(*button); // its arrow is in its text, not far from it
        plain.features &= ~QStyleOptionToolButton::HasMenu;
        QProxyStyle::drawComplexControl(control, &plain, painter, widget);
    }

    void drawPrimitive(PrimitiveElement element, const QStyleOption *option, QPainter *painter,
                       const QWidget *widget) const override
    {
        QProxyStyle::drawPrimitive(element, option, painter, widget);
        if (element != PE_IndicatorCheckBox || themeOf(option->palette) != Theme::dark)
            return;
        painter->setPen(option->palette.color(QPalette::Dark));
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(option->rect.adjusted(0, 0, -1, -1));
    }

private:
    static bool isChosen(const QStyleOptionMenuItem &entry)
    {
        return entry.state.testFlags(State_Selected | State_Enabled) && !entry.icon.isNull();
    }

    /// Fusion draws its icon as if it lay on the window's colour.
    void drawChosen(const QStyleOptionMenuItem &entry, QPainter &painter,
                    const QWidget *widget) const
    {
        QStyleOptionMenuItem chosen(entry);
        const int size = pixelMetric(PM_SmallIconSize, &entry, widget);
        const double ratio = widget ? widget->devicePixelRatioF() : 1;
        chosen.icon = QIcon(entry.icon.pixmap(QSize(size, size), ratio, QIcon::Selected));
        QProxyStyle::drawControl(CE_MenuItem, &chosen, &painter, widget);
    }
};

QPalette paletteOf(Theme theme)
{
    const auto is = basicsOf(theme);
    QPalette palette(is.button, is.window);
    const auto faint = mixed(is.window, is.text, 0.45);
    palette.setColor(QPalette::Window, is.window);
    palette.setColor(QPalette::WindowText, is.text);
    palette.setColor(QPalette::Base, is.base);
    palette.setColor(QPalette::AlternateBase, mixed(is.base, is.text, 0.04));
    palette.setColor(QPalette::Text, is.text);
    palette.setColor(QPalette::PlaceholderText, mixed(is.base, is.text, 0.58));
    palette.setColor(QPalette::Button, is.button);
    palette.setColor(QPalette::ButtonText, is.text);
    palette.setColor(QPalette::BrightText, is.onAccent);
    palette.setColor(QPalette::Light, mixed(is.window, Qt::white, theme == Theme::dark ? 0.1 : 1));
    palette.setColor(QPalette::Midlight, mixed(is.window, is.text, 0.08));
    palette.setColor(QPalette::Mid, mixed(is.window, is.text, 0.2));
    palette.setColor(QPalette::Dark, mixed(is.window, is.text, 0.3));
    palette.setColor(QPalette::Shadow, mixed(is.window, Qt::black, 0.6));
    palette.setColor(QPalette::Highlight, is.accent);
    palette.setColor(QPalette::HighlightedText, is.onAccent);
    palette.setColor(QPalette::Link, is.accent);
    palette.setColor(QPalette::LinkVisited, is.accent);
    palette.setColor(QPalette::ToolTipBase, mixed(is.window, is.text, 0.1));
    palette.setColor(QPalette::ToolTipText, is.text);
    for (const auto role :
         {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::PlaceholderText})
        palette.setColor(QPalette::Disabled, role, faint);
    palette.setColor(QPalette::Disabled, QPalette::Highlight, mixed(is.window, is.text, 0.25));
    return palette;
}

} // namespace

Theme themeOf(ThemeChoice choice)
{
    // Before the program's own palette hides it: Qt 6.4 has no other way to ask.
    static const auto ofDesktop = themeOf(QApplication::palette());
    if (choice == ThemeChoice::system)
        return ofDesktop;
    return choice == ThemeChoice::dark ? Theme::dark : Theme::light;
}

void applyTheme(Theme theme)
{
    themeOf(ThemeChoice::system);   // is remembered
    static const bool styled = [] { // the same on every desktop, so that pictures can be compared
        QApplication::setStyle(new Style);
        return true;
    }();
    static_cast<void>(styled);
    const auto palette = paletteOf(theme);
    QApplication::setPalette(palette);
    QToolTip::setPalette(palette);
}

Theme themeOf(const QPalette &palette)
{
    return palette.color(QPalette::Window).lightness() < 128 ? Theme::dark : Theme::light;
}

QColor accentColour(const QPalette &palette)
{
    return palette.color(QPalette::Highlight);
}

QColor warningColour(const QPalette &palette)
{
    return themeOf(palette) == Theme::dark ? QColor("#e5a33d") : QColor("#b46a00");
}

QColor errorColour(const QPalette &palette)
{
    return themeOf(palette) == Theme::dark ? QColor("#ff6b5e") : QColor("#c02a1d");
}

QColor quietTextColour(const QPalette &palette)
{
    return mixed(palette.color(QPalette::Window), palette.color(QPalette::WindowText), 0.65);
}

const std::vector<QColor> &curveColours(const QPalette &palette)
{
    // Of [Okabe2008], without yellow on light backgrounds.
    static const std::vector<QColor> light{QColor("#0072b2"), QColor("#d55e00"), QColor("#009e73"),
                                           QColor("#cc79a7"), QColor("#8a6d00"), QColor("#56b4e9"),
                                           QColor("#1b1e23")};
    static const std::vector<QColor> dark{QColor("#56b4e9"), QColor("#e69f00"), QColor("#2fc69b"),
                                          QColor("#e79cc5"), QColor("#f0e442"), QColor("#ff8552"),
                                          QColor("#e6e8ea")};
    return themeOf(palette) == Theme::dark ? dark : light;
}

} // namespace gridhelm::ui
