// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/preferences/preferences.h"

#include "core/support/error.h"

#include <QSettings>
#include <QStandardPaths>

#include <algorithm>
#include <array>
#include <string>

namespace gridhelm::ui {
namespace {

constexpr std::array<const char *, 3> themeNames{"light", "dark", "system"};
constexpr auto themeKey = "theme", backendKey = "preferences/back end",
               threadsKey = "preferences/threads", coloursKey = "preferences/colours",
               rangeKey = "preferences/range of the study",
               askKey = "preferences/ask before closing",
               reopenKey = "preferences/reopen the last study",
               samplesKey = "preferences/folder of samples", undoKey = "preferences/steps of undo";

ColourMap coloursIn(const QSettings &settings, ColourMap otherwise)
{
    try {
        return parseColourMap(settings.value(coloursKey).toString().toStdString());
    } catch (const Error &) {
        return otherwise;
    }
}

} // namespace

QString Preferences::usualSampleFolder()
{
    return QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation) + "/Gridhelm";
}

Steering Preferences::appliedTo(Steering steering) const
{
    steering.view.colours = colours;
    steering.rangeMode = rangeMode;
    return steering;
}

Preferences readPreferences()
{
    const QSettings settings;
    Preferences is;
    const auto theme = std::ranges::find(themeNames, settings.value(themeKey).toString());
    if (theme != themeNames.end())
        is.theme = static_cast<ThemeChoice>(theme - themeNames.begin());
    is.backend = settings.value(backendKey).toString();
    is.threads = std::max(settings.value(threadsKey).toInt(), 0);
    is.colours = coloursIn(settings, is.colours);
    if (!settings.value(rangeKey, true).toBool())
        is.rangeMode = RangeMode::frame;
    is.asksBeforeClosing = settings.value(askKey, is.asksBeforeClosing).toBool();
    is.reopensStudy = settings.value(reopenKey, is.reopensStudy).toBool();
    if (const auto folder = settings.value(samplesKey).toString(); !folder.isEmpty())
        is.sampleFolder = folder;
    const int steps = settings.value(undoKey).toInt();
    if (steps >= 1 && steps <= Preferences::mostUndoSteps)
        is.undoSteps = steps;
    return is;
}

void keepPreferences(const Preferences &preferences)
{
    QSettings settings;
    settings.setValue(themeKey, themeNames[static_cast<std::size_t>(preferences.theme)]);
    settings.setValue(backendKey, preferences.backend);
    settings.setValue(threadsKey, preferences.threads);
    settings.setValue(coloursKey,
                      QString::fromStdString(std::string(toString(preferences.colours))));
    settings.setValue(rangeKey, preferences.rangeMode == RangeMode::study);
    settings.setValue(askKey, preferences.asksBeforeClosing);
    settings.setValue(reopenKey, preferences.reopensStudy);
    settings.setValue(samplesKey, preferences.sampleFolder == Preferences::usualSampleFolder()
                                      ? QString()
                                      : preferences.sampleFolder);
    settings.setValue(undoKey, preferences.undoSteps);
}

} // namespace gridhelm::ui
