// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/window/preferences/preferences.h"

#include <QDialog>
#include <QStringList>

class QCheckBox;
class QComboBox;
class QFormLayout;
class QSpinBox;

namespace gridhelm::ui {

class ColourMapBox;
class PathField;

/// Edit > Preferences: shows them, and says what they are when it is accepted.
class PreferencesDialog : public QDialog
{
    Q_OBJECT

public:
    /// `backends`: names of those that may be chosen.
    PreferencesDialog(const Preferences &preferences, const QStringList &backends,
                      QWidget *parent = nullptr);

    /// As the fields say.
    Preferences preferences() const;

private:
    void addLooks(QFormLayout &form);
    void addStart(QFormLayout &form, const QStringList &backends);
    void fill(const Preferences &preferences);

    QComboBox *m_theme;
    ColourMapBox *m_colours;
    QComboBox *m_range;
    QComboBox *m_backend;
    QSpinBox *m_threads;
    QSpinBox *m_undoSteps;
    QCheckBox *m_reopens;
    QCheckBox *m_asks;
    PathField *m_samples;
};

} // namespace gridhelm::ui
