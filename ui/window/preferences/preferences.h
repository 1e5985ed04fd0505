// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/support/colour_map.h"
#include "ui/controls/theme.h"
#include "ui/steering/steering.h"

#include <QString>

namespace gridhelm::ui {

/// What the user has chosen once for all, as Edit > Preferences has it and the settings keep it.
struct Preferences
{
    ThemeChoice theme = ThemeChoice::light;
    QString backend = {};                   ///< that evaluates; empty: as chosen last
    int threads = 0;                        ///< that evaluate; 0: as chosen last
    ColourMap colours = ColourMap::viridis; ///< of a study that is opened for the first time
    RangeMode rangeMode = RangeMode::study; ///< likewise: frame or study
    bool asksBeforeClosing = false;         ///< also when nothing runs
    bool reopensStudy = true;               ///< the last one, when the program starts
    QString sampleFolder = usualSampleFolder();
    int undoSteps = 500;

    bool operator==(const Preferences &) const = default;

    /// What a study looks like that nobody has looked at yet.
    Steering appliedTo(Steering steering) const;

    static QString usualSampleFolder();
    static constexpr int mostUndoSteps = 10000;
};

/// As the settings have them; what is missing or makes no sense there is as above.
Preferences readPreferences();
void keepPreferences(const Preferences &preferences);

} // namespace gridhelm::ui
