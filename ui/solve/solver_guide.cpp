// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/solve/solver_guide.h"

#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

#include <string_view>

namespace gridhelm::ui {
namespace {

QString paragraph(const QString &heading, const QString &text)
{
    return QString("<p><b>%1</b><br>%2</p>").arg(heading, text);
}

QString plain(std::string_view text)
{
    return QString::fromUtf8(text).toHtmlEscaped();
}

QString guideText(const solvers::ProblemInWords &problem,
                  const std::vector<solvers::Quantity> &figures)
{
    QStringList lines;
    for (const auto figure : figures)
        lines << QString("<i>%1</i>: %2").arg(plain(nameOf(figure)), plain(meaningOf(figure)));
    return paragraph("Equation", plain(problem.meaning))
           + paragraph("Domain", plain(problem.domain))
           + paragraph("Figures of a run", lines.join("<br>"))
           + paragraph("Converged", plain(solvers::convergedInWords))
           + paragraph("Cold and warm start", plain(problem.start));
}

} // namespace

SolverGuide::SolverGuide(const solvers::ProblemInWords &problem,
                         const std::vector<solvers::Quantity> &figures, QWidget *parent)
    : QWidget(parent)
    , m_open(new QToolButton(this))
    , m_text(new QLabel(guideText(problem, figures), this))
{
    auto *equation = new QLabel("Solves " + QString::fromUtf8(problem.equation), this);
    equation->setObjectName("equation");
    equation->setTextFormat(Qt::PlainText);
    equation->setWordWrap(true);
    m_open->setObjectName("guide");
    m_open->setText("What this means");
    m_open->setToolTip("The equation, its domain, the figures of a run, and when it has converged");
    m_open->setCheckable(true);
    m_open->setAutoRaise(true);
    m_open->setArrowType(Qt::RightArrow);
    m_open->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_text->setObjectName("guide-text");
    m_text->setTextFormat(Qt::RichText);
    m_text->setWordWrap(true);
    m_text->hide();
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 6, 8, 0);
    layout->setSpacing(2);
    layout->addWidget(equation);
    layout->addWidget(m_open);
    layout->addWidget(m_text);
    connect(m_open, &QToolButton::toggled, this, [this](bool isOpen) {
        m_open->setArrowType(isOpen ? Qt::DownArrow : Qt::RightArrow);
        m_text->setVisible(isOpen);
    });
}

bool SolverGuide::isOpen() const
{
    return m_open->isChecked();
}

void SolverGuide::setOpen(bool isOpen)
{
    m_open->setChecked(isOpen);
}

} // namespace gridhelm::ui
