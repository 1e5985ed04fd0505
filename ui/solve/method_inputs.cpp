// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/solve/method_inputs.h"

#include "ui/solve/option_rows.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <QStringList>

#include <algorithm>
#include <span>
#include <string_view>

namespace gridhelm::ui {
namespace {

QStringList texts(std::span<const std::string_view> names)
{
    QStringList list;
    for (const auto name : names)
        list << QString::fromUtf8(name);
    return list;
}

QString tipOf(const std::vector<const solvers::PoissonMethod *> &methods)
{
    QStringList lines;
    for (const auto *method : methods)
        lines << QString::fromUtf8(method->name) + ": " + QString::fromUtf8(method->summary);
    return lines.join('\n');
}

} // namespace

MethodInputs::MethodInputs(OptionRows &rows, const solvers::PoissonFamily &family)
    : m_methods(methodsOf(family))
{
    QStringList names;
    for (const auto *method : m_methods)
        names << QString::fromUtf8(method->name);
    m_method = rows.addChoice("method", "Method", names, tipOf(m_methods));
    m_purpose = rows.addNote("purpose");
    for (const auto *option : optionsOf(m_methods))
        add(rows, *option);
    QObject::connect(m_method, &QComboBox::currentTextChanged, &rows,
                     [this, &rows] { showWhatMatters(rows); });
    showWhatMatters(rows);
}

void MethodInputs::add(OptionRows &rows, const Option &option)
{
    const auto key = QString::fromUtf8(option.key), name = QString::fromUtf8(option.name),
               help = QString::fromUtf8(option.help);
    const auto standard = QString::fromUtf8(option.standardText),
               standardName = QString::fromUtf8(option.standardName);
    const auto rank = option.isRare ? OptionRows::Rank::rare : OptionRows::Rank::usual;
    QWidget *control = nullptr;
    if (option.type == Option::Type::whole) {
        control =
            rows.addNumber(key, name, static_cast<int>(option.low), static_cast<int>(option.high),
                           static_cast<int>(option.standard), standardName, help, rank);
    } else if (option.type == Option::Type::choice) {
        auto *choice = rows.addChoice(key, name, texts(option.choices), help, rank);
        choice->setCurrentText(standard);
        control = choice;
    } else if (!option.suggestions.empty()) {
        auto *choice = rows.addChoice(key, name, texts(option.suggestions), help, rank, true);
        choice->setCurrentText(standard);
        control = choice;
    } else {
        auto *field = rows.addText(key, name, standard, help, rank);
        field->setPlaceholderText(standardName);
        control = field;
    }
    m_rows.push_back({&option, control});
}

const solvers::PoissonMethod &MethodInputs::chosenMethod() const
{
    return *m_methods.at(static_cast<std::size_t>(std::max(m_method->currentIndex(), 0)));
}

void MethodInputs::showWhatMatters(OptionRows &rows)
{
    for (const auto &[option, control] : m_rows)
        rows.setMeaningful(control, hasOption(chosenMethod(), *option));
    m_purpose->setText(QString::fromUtf8(chosenMethod().purpose));
}

solvers::MethodSetup MethodInputs::setup() const
{
    solvers::MethodSetup setup;
    setup.prefix.clear();
    setup.method = chosenMethod().name;
    for (const auto &[option, control] : m_rows) {
        if (!hasOption(chosenMethod(), *option))
            continue;
        if (const auto *number = qobject_cast<const QSpinBox *>(control))
            setup.chosen.set(*option, std::int64_t{number->value()});
        else if (const auto *choice = qobject_cast<const QComboBox *>(control))
            setup.typed.emplace_back(option, chosen(choice));
        else if (const auto given = typed(qobject_cast<const QLineEdit *>(control)))
            setup.typed.emplace_back(option, *given);
    }
    return setup;
}

QString MethodInputs::method() const
{
    return m_method->currentText();
}

} // namespace gridhelm::ui
