// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/solve/solver_form.h"

#include "ui/controls/theme.h"
#include "ui/solve/option_rows.h"
#include "ui/solve/solver_guide.h"

#include <QEvent>
#include <QLabel>
#include <QScrollArea>
#include <QSettings>
#include <QVBoxLayout>

namespace gridhelm::ui {
namespace {

/// Text in the colour of errors, whatever the theme is.
class ProblemLabel : public QLabel
{
public:
    using QLabel::QLabel;

    void colour()
    {
        auto colours = parentWidget()->palette();
        colours.setColor(QPalette::WindowText, errorColour(colours));
        setPalette(colours);
    }

protected:
    bool event(QEvent *event) override
    {
        if (event->type() == QEvent::ApplicationPaletteChange)
            colour();
        return QLabel::event(event);
    }
};

} // namespace

SolverForm::SolverForm(const QString &key, const About &about, QWidget *parent)
    : QWidget(parent)
    , m_key(key)
    , m_solver(about.solver)
    , m_summary(about.summary)
{
    auto *problem = new ProblemLabel(this);
    m_problem = problem;
    m_problem->setObjectName("problem");
    m_problem->setWordWrap(true);
    m_problem->setTextFormat(Qt::PlainText);
    m_problem->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_problem->setMargin(6);
    problem->colour();
    m_problem->hide();
    auto *area = new QScrollArea(this);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    auto *page = new QWidget(area);
    m_guide = new SolverGuide(about.problem, about.figures, page); // to be read during a run, too
    m_rows = new OptionRows(page);
    if (!about.purpose.isEmpty())
        m_rows->addNote("purpose")->setText(about.purpose);
    auto *column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_guide);
    column->addWidget(m_rows, 1);
    area->setWidget(page);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_problem);
    layout->addWidget(area, 1);
    connect(m_rows, &OptionRows::edited, this, [this] {
        showProblem({});
        emit edited();
    });
}

void SolverForm::showProblem(const QString &sentence)
{
    m_problem->setText(sentence);
    m_problem->setAccessibleName(sentence);
    m_problem->setVisible(!sentence.isEmpty());
}

QString SolverForm::problem() const
{
    return m_problem->text();
}

void SolverForm::setOptionsEnabled(bool isEnabled)
{
    m_rows->setEnabled(isEnabled);
}

void SolverForm::saveState(QSettings &settings) const
{
    settings.beginGroup(m_key);
    m_rows->saveState(settings);
    settings.setValue("guide", m_guide->isOpen());
    settings.endGroup();
}

void SolverForm::restoreState(QSettings &settings)
{
    settings.beginGroup(m_key);
    m_rows->restoreState(settings);
    m_guide->setOpen(settings.value("guide", false).toBool());
    settings.endGroup();
}

} // namespace gridhelm::ui
