// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/answers/response_form.h"

#include "core/answers/reduction.h"
#include "core/answers/time_reduction.h"
#include "data/answers/named_fields.h"
#include "ui/controls/plain_text.h"
#include "ui/controls/theme.h"
#include "ui/controls/toned_label.h"

#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPushButton>

#include <exception>
#include <functional>

namespace gridhelm::ui {
namespace {

QLabel *problemLabel(const QString &name, QWidget *parent)
{
    auto *label = new TonedLabel(errorColour, parent);
    label->setObjectName(name);
    label->hide();
    return label;
}

void showIn(QLabel &label, const QString &sentence)
{
    label.setText(sentence);
    label.setVisible(!sentence.isEmpty());
}

/// Why it is refused; empty: it is not.
QString problemOf(const std::function<void()> &check)
{
    try {
        check();
        return {};
    } catch (const std::exception &problem) {
        return QString::fromUtf8(problem.what());
    }
}

} // namespace

ResponseForm::ResponseForm(QWidget *parent)
    : QWidget(parent)
    , m_name(new QLineEdit(this))
    , m_formula(new QLineEdit(this))
    , m_place(new QLineEdit(this))
    , m_unit(new QLineEdit(this))
    , m_reduction(new QComboBox(this))
    , m_problem(problemLabel("responseProblem", this))
    , m_keep(new QPushButton("Keep", this))
    , m_cancel(new QPushButton("Cancel", this))
{
    m_reduction->setEditable(true);
    m_reduction->setInsertPolicy(QComboBox::NoInsert);
    m_reduction->addItems({"mean", "maximum", "minimum", "integral", "value", "deviation",
                           "percentile 95", "above 0.5"});
    m_name->setToolTip("Letters, digits, _ and -; what tables and formulas call it");
    m_formula->setToolTip("A field, or a formula of fields: U_x, mag(U), p + 0.5 * mag(U)^2, "
                          "grad_x(p), mag(grad(p)), div(U), mag(curl(U))");
    m_reduction->setToolTip(
        plainTip("How many values become one: " + QString::fromStdString(answers::reductionNames())
                 + ". Of a study over time one number of each run, if "
                   "\", mean in time\" follows, or another of "
                 + QString::fromStdString(answers::timeReductionNames())));
    m_place->setToolTip(plainTip("Where: " + QString::fromStdString(answers::placeNames())
                                 + "; the whole mesh if nothing is said. A click in the view gives "
                                   "a point, a line that is drawn there a line"));
    m_place->setPlaceholderText("the whole mesh, or click in the view");
    m_unit->setToolTip("For people");
    m_name->setObjectName("responseName");
    m_formula->setObjectName("responseFormula");
    m_reduction->setObjectName("responseReduction");
    m_place->setObjectName("responsePlace");
    m_unit->setObjectName("responseUnit");
    m_keep->setObjectName("keepResponse");
    m_cancel->setObjectName("cancelResponse");
    auto *rows = new QFormLayout;
    rows->setRowWrapPolicy(QFormLayout::WrapLongRows);
    rows->addRow("Name", m_name);
    m_formulaProblem = addRow(*rows, "Field or expression", m_formula);
    m_reductionProblem = addRow(*rows, "Statistic", m_reduction);
    m_placeProblem = addRow(*rows, "Region", m_place);
    rows->addRow("Unit", m_unit);
    auto *buttons = new QHBoxLayout;
    buttons->addStretch(1);
    buttons->addWidget(m_keep);
    buttons->addWidget(m_cancel);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addLayout(rows);
    layout->addWidget(m_problem);
    layout->addLayout(buttons);
    const auto keep = [this] {
        if (m_keep->isEnabled())
            emit wanted(definition(), m_replaced);
    };
    connect(m_keep, &QPushButton::clicked, this, keep);
    connect(m_cancel, &QPushButton::clicked, this, &ResponseForm::closed);
    for (auto *field : {m_name, m_formula, m_place, m_unit, m_reduction->lineEdit()}) {
        connect(field, &QLineEdit::textChanged, this, &ResponseForm::check);
        connect(field, &QLineEdit::returnPressed, this, keep);
    }
}

QLabel *ResponseForm::addRow(QFormLayout &layout, const QString &name, QWidget *widget)
{
    auto *problem = problemLabel(widget->objectName() + "Problem", this);
    layout.addRow(name, widget);
    layout.addRow(problem);
    return problem;
}

void ResponseForm::begin(const std::vector<data::Field> &fields,
                         const data::ResponseDefinition *edited)
{
    m_fields = fields;
    m_replaced = edited ? edited->name : std::string();
    const auto set = [](QLineEdit &field, const std::string &text) {
        field.setText(QString::fromStdString(text));
    };
    data::ResponseDefinition proposed{{}, {}, {}, "mean", {}};
    if (!fields.empty()) {
        proposed.expression = fields.front().components == 1 ? fields.front().name
                                                             : "mag(" + fields.front().name + ")";
        proposed.unit = fields.front().unit;
    }
    const auto &shown = edited ? *edited : proposed;
    set(*m_name, shown.name);
    set(*m_formula, shown.expression);
    m_reduction->setEditText(QString::fromStdString(shown.reduction));
    set(*m_place, shown.place);
    set(*m_unit, shown.unit);
    showProblem({});
    setBusy(false);
    check();
    m_name->setFocus();
}

void ResponseForm::showProblem(const QString &sentence)
{
    showIn(*m_problem, sentence);
}

void ResponseForm::setBusy(bool isBusy)
{
    m_isBusy = isBusy;
    m_keep->setText(isBusy ? "Computing…" : "Keep");
    check();
}

data::ResponseDefinition ResponseForm::definition() const
{
    const auto text = [](const QLineEdit *field) { return field->text().trimmed().toStdString(); };
    return {text(m_name), text(m_unit), text(m_formula),
            m_reduction->currentText().trimmed().toStdString(), text(m_place)};
}

namespace {

/// "0.3,0.6,0", as short as single precision allows.
QString placeText(const std::array<double, 3> &place)
{
    QStringList numbers;
    for (const double at : place)
        numbers << QString::number(at, 'g', 7);
    return numbers.join(',');
}

} // namespace

void ResponseForm::setPlace(const QString &place, const QString &reduction)
{
    m_place->setText(place);
    m_reduction->setEditText(reduction);
}

void ResponseForm::setPoint(const std::array<double, 3> &place)
{
    setPlace("point " + placeText(place), "value");
}

void ResponseForm::setLine(const std::array<double, 3> &from, const std::array<double, 3> &to)
{
    auto reduction = m_reduction->currentText();
    const QString value = "value"; // which is of a point
    if (answers::splitReduction(reduction.toStdString()).inSpace == "value")
        reduction.replace(reduction.indexOf(value), value.size(), "mean");
    setPlace("line " + placeText(from) + "," + placeText(to), reduction);
}

void ResponseForm::check()
{
    showProblem({});
    const auto now = definition();
    const auto formula = problemOf([&] {
        const answers::FieldExpression expression(now.expression, data::namedFields(m_fields));
    });
    const auto reduction = problemOf([&] {
        const auto [inSpace, inTime] = answers::splitReduction(now.reduction);
        answers::parseReduction(inSpace);
        if (!inTime.empty())
            answers::parseTimeReduction(inTime);
    });
    const auto place = problemOf([&] { answers::parsePlace(now.place); });
    showIn(*m_formulaProblem, formula);
    showIn(*m_reductionProblem, reduction);
    showIn(*m_placeProblem, place);
    const bool isSensible = formula.isEmpty() && reduction.isEmpty() && place.isEmpty();
    m_keep->setEnabled(isSensible && !now.name.empty() && !m_isBusy);
    m_keep->setToolTip(now.name.empty() ? "Give the response a name"
                                        : "Computes it once, and keeps it in the study");
}

void ResponseForm::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape)
        emit closed();
    else
        QWidget::keyPressEvent(event);
}

} // namespace gridhelm::ui
