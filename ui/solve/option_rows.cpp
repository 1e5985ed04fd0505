// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/solve/option_rows.h"

#include "ui/controls/plain_text.h"

#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSettings>
#include <QSpinBox>
#include <QToolButton>

namespace gridhelm::ui {
namespace {

/// What a wheel turned over a scrolling page must not change.
class QuietWheel : public QObject
{
public:
    using QObject::QObject;

protected:
    bool eventFilter(QObject *watched, QEvent *event) override
    {
        if (event->type() != QEvent::Wheel || static_cast<QWidget *>(watched)->hasFocus())
            return false;
        event->ignore();
        return true;
    }
};

} // namespace

OptionRows::OptionRows(QWidget *parent)
    : QWidget(parent)
    , m_layout(new QFormLayout(this))
    , m_more(new QToolButton(this))
{
    m_layout->setContentsMargins(8, 6, 8, 6);
    m_layout->setVerticalSpacing(4);
    m_layout->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    m_more->setObjectName("more");
    m_more->setText("More");
    m_more->setToolTip("Options that are rarely changed");
    m_more->setCheckable(true);
    m_more->setAutoRaise(true);
    m_more->setArrowType(Qt::RightArrow);
    m_more->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    connect(m_more, &QToolButton::toggled, this, [this](bool isOpen) {
        m_more->setArrowType(isOpen ? Qt::DownArrow : Qt::RightArrow);
        showRows();
    });
}

void OptionRows::finish()
{
    m_layout->addRow(m_more);
    QWidget *last = nullptr; // Tab goes down the rows, through "More" before what it opens
    for (int row = 0; row < m_layout->rowCount(); ++row) {
        auto *item = m_layout->itemAt(row, QFormLayout::FieldRole);
        if (item && item->widget() && last)
            setTabOrder(last, item->widget());
        if (item && item->widget())
            last = item->widget();
    }
    showRows();
}

void OptionRows::addRow(const QString &label, QWidget *row, QWidget *control, const QString &tip,
                        Rank rank)
{
    control->setToolTip(tip);
    control->setAccessibleName(label);
    auto *name = new QLabel(label, this);
    name->setToolTip(tip);
    name->setBuddy(control);
    m_layout->addRow(name, row);
    m_rows[row] = {rank, true};
    m_rowOf[control] = row;
    control->installEventFilter(new QuietWheel(control));
}

QLineEdit *OptionRows::addText(const QString &key, const QString &label, const QString &text,
                               const QString &tip, Rank rank)
{
    auto *field = new QLineEdit(text, this);
    field->setObjectName(key);
    addRow(label, field, field, tip, rank);
    connect(field, &QLineEdit::textChanged, this, &OptionRows::edited);
    return field;
}

QComboBox *OptionRows::addChoice(const QString &key, const QString &label, const QStringList &names,
                                 const QString &tip, Rank rank, bool isEditable)
{
    auto *choice = new QComboBox(this);
    choice->setObjectName(key);
    choice->addItems(names);
    choice->setEditable(isEditable);
    if (isEditable)
        choice->setCompleter(nullptr); // "30" is meant, not the "300x200" that begins like it
    choice->setInsertPolicy(QComboBox::NoInsert);
    choice->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    choice->setMinimumContentsLength(8);
    addRow(label, choice, choice, tip, rank);
    connect(choice, &QComboBox::currentTextChanged, this, &OptionRows::edited);
    return choice;
}

QSpinBox *OptionRows::addNumber(const QString &key, const QString &label, int lowest, int highest,
                                int number, const QString &lowestText, const QString &tip,
                                Rank rank)
{
    auto *spin = new QSpinBox(this);
    spin->setObjectName(key);
    spin->setRange(lowest, highest);
    spin->setSpecialValueText(lowestText);
    spin->setValue(number);
    addRow(label, spin, spin, tip, rank);
    connect(spin, &QSpinBox::valueChanged, this, &OptionRows::edited);
    return spin;
}

QCheckBox *OptionRows::addSwitch(const QString &key, const QString &label, bool isOn,
                                 const QString &tip, Rank rank)
{
    auto *box = new QCheckBox(label, this);
    box->setObjectName(key);
    box->setChecked(isOn);
    box->setToolTip(tip);
    m_layout->addRow(box);
    m_rows[box] = {rank, true};
    m_rowOf[box] = box;
    connect(box, &QCheckBox::toggled, this, &OptionRows::edited);
    return box;
}

QLineEdit *OptionRows::addFile(const QString &key, const QString &label, const QString &tip,
                               Rank rank, const QString &kinds)
{
    auto *row = new QWidget(this);
    auto *layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    auto *field = new QLineEdit(row);
    field->setObjectName(key);
    field->setPlaceholderText("none");
    auto *look = new QToolButton(row);
    look->setText("…");
    look->setToolTip("Choose a file");
    look->setAccessibleName(label + ": choose a file");
    layout->addWidget(field, 1);
    layout->addWidget(look);
    addRow(label, row, field, tip, rank);
    connect(field, &QLineEdit::textChanged, this, &OptionRows::edited);
    connect(look, &QToolButton::clicked, this, [this, field, label, kinds] {
        const auto path =
            QFileDialog::getOpenFileName(this, label, field->text(), kinds + ";;All files (*)");
        if (!path.isEmpty())
            field->setText(path);
    });
    return field;
}

void OptionRows::addControl(const QString &label, QWidget *control, Rank rank)
{
    auto *name = new QLabel(label, this);
    name->setToolTip(control->toolTip());
    m_layout->addRow(name, control);
    m_rows[control] = {rank, true};
    m_rowOf[control] = control;
}

QLabel *OptionRows::addNote(const QString &name)
{
    auto *note = new PlainLabel(this);
    note->setObjectName(name);
    note->setWordWrap(true);
    note->setForegroundRole(QPalette::PlaceholderText); // quieter than what can be chosen
    m_layout->addRow(note);
    return note;
}

void OptionRows::setMeaningful(QWidget *control, bool isMeaningful)
{
    m_rows.at(m_rowOf.at(control)).isMeaningful = isMeaningful;
    showRows();
}

void OptionRows::showRows()
{
    bool hasRare = false;
    for (const auto &[row, is] : m_rows) {
        hasRare = hasRare || (is.rank == Rank::rare && is.isMeaningful);
        m_layout->setRowVisible(row,
                                is.isMeaningful && (is.rank == Rank::usual || m_more->isChecked()));
    }
    m_more->setVisible(hasRare);
}

void OptionRows::saveState(QSettings &settings) const
{
    for (const auto *field : findChildren<QLineEdit *>()) {
        if (!field->objectName().isEmpty() && !field->objectName().startsWith("qt_"))
            settings.setValue(field->objectName(), field->text());
    }
    for (const auto *choice : findChildren<QComboBox *>())
        settings.setValue(choice->objectName(), choice->currentText());
    for (const auto *spin : findChildren<QSpinBox *>())
        settings.setValue(spin->objectName(), spin->value());
    for (const auto *box : findChildren<QCheckBox *>())
        settings.setValue(box->objectName(), box->isChecked());
    settings.setValue("more", m_more->isChecked());
}

void OptionRows::restoreState(QSettings &settings)
{
    for (auto *choice : findChildren<QComboBox *>()) {
        const auto text = settings.value(choice->objectName(), choice->currentText()).toString();
        if (choice->isEditable())
            choice->setEditText(text);
        else if (choice->findText(text) >= 0)
            choice->setCurrentText(text);
    }
    for (auto *field : findChildren<QLineEdit *>()) {
        if (!field->objectName().isEmpty() && !field->objectName().startsWith("qt_"))
            field->setText(settings.value(field->objectName(), field->text()).toString());
    }
    for (auto *spin : findChildren<QSpinBox *>())
        spin->setValue(settings.value(spin->objectName(), spin->value()).toInt());
    for (auto *box : findChildren<QCheckBox *>())
        box->setChecked(settings.value(box->objectName(), box->isChecked()).toBool());
    m_more->setChecked(settings.value("more", false).toBool());
}

std::optional<std::string> typed(const QLineEdit *field)
{
    const auto text = field->text().trimmed();
    return text.isEmpty() ? std::nullopt : std::optional(text.toStdString());
}

std::string chosen(const QComboBox *choice)
{
    return choice->currentText().trimmed().toStdString();
}

} // namespace gridhelm::ui
