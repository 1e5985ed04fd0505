// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/preferences/preferences_dialog.h"

#include "core/support/system_info.h"
#include "ui/campaign/path_field.h"
#include "ui/controls/colour_map_box.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>

namespace gridhelm::ui {
namespace {

constexpr auto asChosenLast = "as chosen last";

/// With the name and the sentence that a reader of the screen says.
template <typename Widget>
Widget *described(Widget *widget, const QString &name, const QString &tip)
{
    widget->setAccessibleName(name);
    widget->setToolTip(tip);
    return widget;
}

template <typename T>
void chooseEntry(QComboBox &box, T value)
{
    box.setCurrentIndex(std::max(box.findData(static_cast<int>(value)), 0));
}

} // namespace

PreferencesDialog::PreferencesDialog(const Preferences &preferences, const QStringList &backends,
                                     QWidget *parent)
    : QDialog(parent)
{
    setWindowTitle("Preferences");
    setObjectName("preferences");
    auto *form = new QFormLayout;
    addLooks(*form);
    addStart(*form, backends);
    using Box = QDialogButtonBox;
    auto *buttons = new Box(Box::Ok | Box::Cancel | Box::RestoreDefaults, this);
    buttons->button(Box::Ok)->setToolTip("Keeps what the fields say (Enter)");
    buttons->button(Box::Cancel)->setToolTip("Leaves everything as it was (Esc)");
    auto *defaults = buttons->button(Box::RestoreDefaults);
    defaults->setToolTip("Fills the fields as they were when the program was new");
    connect(buttons, &Box::accepted, this, &QDialog::accept);
    connect(buttons, &Box::rejected, this, &QDialog::reject);
    connect(defaults, &QPushButton::clicked, this, [this] { fill(Preferences{}); });
    auto *layout = new QVBoxLayout(this);
    layout->addLayout(form);
    layout->addStretch(1);
    layout->addWidget(buttons);
    fill(preferences);
}

void PreferencesDialog::addLooks(QFormLayout &form)
{
    m_theme = described(new QComboBox(this), "Theme",
                        "Colours of the window; as the desktop: as it was when the program began");
    m_theme->addItem("light", static_cast<int>(ThemeChoice::light));
    m_theme->addItem("dark", static_cast<int>(ThemeChoice::dark));
    m_theme->addItem("as the desktop", static_cast<int>(ThemeChoice::system));
    m_colours = described(new ColourMapBox(this), "Colours of new studies",
                          "Colours of a study that is opened; a saved view has its own");
    m_range = described(new QComboBox(this), "Range of new studies",
                        "Where the colours of a study that is opened end; a saved view has its "
                        "own");
    m_range->addItem("of this frame", static_cast<int>(RangeMode::frame));
    m_range->addItem("of the whole study", static_cast<int>(RangeMode::study));
    m_undoSteps = described(new QSpinBox(this), "Steps of undo",
                            "So many steps can be taken back, from the next study on that is "
                            "opened");
    m_undoSteps->setRange(1, Preferences::mostUndoSteps);
    form.addRow("&Theme", m_theme);
    form.addRow("&Colours", m_colours);
    form.addRow("&Range", m_range);
    form.addRow("Steps of &undo", m_undoSteps);
}

void PreferencesDialog::addStart(QFormLayout &form, const QStringList &backends)
{
    m_backend = described(new QComboBox(this), "Back end at the start",
                          "What evaluates fields when the program starts; the panel Performance "
                          "chooses at once");
    m_backend->addItem(asChosenLast);
    m_backend->addItems(backends);
    m_threads = described(new QSpinBox(this), "Threads at the start",
                          QString("Threads that evaluate when the program starts; this machine "
                                  "has %1")
                              .arg(querySystemInfo().threadCount));
    m_threads->setRange(0, 2 * querySystemInfo().threadCount);
    m_threads->setSpecialValueText(asChosenLast);
    m_reopens =
        described(new QCheckBox("Open the &last study again", this), "Open the last study again",
                  "When the program starts without a study, it goes on with the last one");
    m_asks = described(new QCheckBox("As&k before a study is closed with the window", this),
                       "Ask before a study is closed with the window",
                       "It always asks before running jobs are stopped");
    m_samples = new PathField(PathField::Purpose::folder, "Folder of sample studies", {}, this);
    form.addRow("&Back end", m_backend);
    form.addRow("T&hreads", m_threads);
    form.addRow("At the start", m_reopens);
    form.addRow("At the end", m_asks);
    form.addRow("&Samples", m_samples);
}

void PreferencesDialog::fill(const Preferences &preferences)
{
    chooseEntry(*m_theme, preferences.theme);
    m_colours->setColourMap(preferences.colours);
    chooseEntry(*m_range, preferences.rangeMode);
    m_undoSteps->setValue(preferences.undoSteps);
    m_backend->setCurrentIndex(std::max(m_backend->findText(preferences.backend), 0));
    m_threads->setValue(preferences.threads);
    m_reopens->setChecked(preferences.reopensStudy);
    m_asks->setChecked(preferences.asksBeforeClosing);
    m_samples->setPath(preferences.sampleFolder);
}

Preferences PreferencesDialog::preferences() const
{
    Preferences chosen;
    chosen.theme = static_cast<ThemeChoice>(m_theme->currentData().toInt());
    chosen.colours = m_colours->colourMap();
    chosen.rangeMode = static_cast<RangeMode>(m_range->currentData().toInt());
    chosen.undoSteps = m_undoSteps->value();
    chosen.backend = m_backend->currentIndex() > 0 ? m_backend->currentText() : QString();
    chosen.threads = m_threads->value();
    chosen.reopensStudy = m_reopens->isChecked();
    chosen.asksBeforeClosing = m_asks->isChecked();
    if (!m_samples->path().isEmpty())
        chosen.sampleFolder = m_samples->path();
    return chosen;
}

} // namespace gridhelm::ui
