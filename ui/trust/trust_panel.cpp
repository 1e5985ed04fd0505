// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trust/trust_panel.h"

#include "data/campaign/campaign_text.h"
#include "data/evaluate/hold_out.h"
#include "ui/controls/plain_text.h"
#include "ui/controls/table_copying.h"
#include "ui/trust/error_model.h"
#include "ui/trust/validation_page.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSortFilterProxyModel>
#include <QTabWidget>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace gridhelm::ui {
namespace {

constexpr std::array kinds{data::ErrorKind::heldOut, data::ErrorKind::leaveOneOut,
                           data::ErrorKind::indicator};
constexpr int allKinds = -1;

/// So that the window need not be as high as all of it.
QScrollArea *scrolled(QWidget *page)
{
    auto *scroll = new QScrollArea;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::NoFocus); // what is in it scrolls when it has the focus
    scroll->setWidget(page);
    return scroll;
}

} // namespace

TrustPanel::TrustPanel(SteeringModel &model, const ExecutionContext &context, QWidget *parent)
    : QWidget(parent)
    , m_model(model)
    , m_errors(new ErrorModel(this))
    , m_sorted(new QSortFilterProxyModel(this))
    , m_headline(new PlainLabel(this))
    , m_details(new PlainLabel(this))
    , m_kind(new QComboBox(this))
    , m_table(new QTableView(this))
    , m_go(new QPushButton("Go there", this))
    , m_pages(new QTabWidget(this))
    , m_validation(new ValidationPage(context, this))
{
    for (auto *text : {m_headline, m_details}) {
        text->setWordWrap(true);
        text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    m_headline->setAccessibleName("Accuracy of the field");
    m_details->setAccessibleName("Measured errors");
    m_details->setAlignment(Qt::AlignTop);
    m_details->setContentsMargins(0, 6, 0, 0);
    m_kind->setObjectName("errorKind");
    m_kind->setAccessibleName("Kind of error");
    m_kind->setToolTip("Errors that were measured in this way alone");
    m_go->setToolTip("The sliders go to the parameters of the chosen row (Enter)");
    m_go->setEnabled(false);

    m_sorted->setSourceModel(m_errors);
    m_sorted->setSortRole(ErrorModel::sortRole);
    m_table->setModel(m_sorted);
    m_table->setAccessibleName("Sample points and their errors");
    m_table->setSortingEnabled(true);
    m_table->horizontalHeader()->setSortIndicatorClearable(true);
    m_table->horizontalHeader()->setSortIndicator(-1, Qt::DescendingOrder); // as the model has it
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setTabKeyNavigation(false);
    m_table->verticalHeader()->hide();
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);

    new TableCopying(*m_table);

    auto *row = new QHBoxLayout;
    row->addWidget(m_kind);
    row->addWidget(m_go);
    row->addStretch(1);
    auto *table = new QWidget(this);
    auto *inTable = new QVBoxLayout(table);
    inTable->setContentsMargins(0, 6, 0, 0);
    inTable->addLayout(row);
    inTable->addWidget(m_table, 1);
    m_pages->setDocumentMode(true);
    m_pages->setTabToolTip(m_pages->addTab(scrolled(m_validation), "Plots"),
                           "Predicted over actual values, residuals, errors over a parameter");
    m_pages->setTabToolTip(m_pages->addTab(table, "Table"), "Every place, the worst first");
    m_pages->setTabToolTip(m_pages->addTab(scrolled(m_details), "Details"),
                           "Each kind of error, and what the field is evaluated by");
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(m_headline);
    layout->addWidget(m_pages, 1);

    connect(m_kind, &QComboBox::activated, this, &TrustPanel::showErrors);
    connect(m_table, &QTableView::activated, this, &TrustPanel::goTo);
    connect(m_go, &QPushButton::clicked, this, [this] { goTo(m_table->currentIndex()); });
    connect(m_validation, &ValidationPage::placeChosen, this,
            [this](const auto &parameters) { moveTo(parameters); });
    connect(m_validation, &ValidationPage::news, this, &TrustPanel::news);
    connect(m_validation, &ValidationPage::failed, this, &TrustPanel::failed);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            [this] { m_go->setEnabled(m_table->selectionModel()->hasSelection()); });
    connect(m_errors, &QAbstractItemModel::modelReset, this, [this] { m_go->setEnabled(false); });
    connect(&model, &SteeringModel::studyChanged, this, &TrustPanel::showKinds);
    connect(&model, &SteeringModel::changed, this, [this](const Steering &before) {
        if (before.field != m_model.now().field)
            showKinds();
    });
    showKinds();
}

QString TrustPanel::summary() const
{
    return QStringList{headline(), details()}.join('\n');
}

std::vector<data::ErrorFigure> TrustPanel::figures() const
{
    std::vector<data::ErrorFigure> ofField;
    std::ranges::copy_if(m_model.study()->errors, std::back_inserter(ofField),
                         [&](const auto &figure) { return figure.field == m_model.now().field; });
    return ofField;
}

QString TrustPanel::headline() const
{
    const auto &study = m_model.study();
    if (!study)
        return {};
    if (figures().empty())
        return "No errors of this field have been measured yet; to know: "
               + remedyText(study->outlook) + ".";
    const auto field = m_model.now().field;
    QStringList lines;
    if (const auto &accuracy = study->accuracies.at(field))
        lines << QString::fromStdString(data::accuracyText(*accuracy, study->fields[field]));
    if (const auto &band = study->bands.at(field))
        lines << QString::fromStdString(data::bandSentence(*band, study->fields[field].name)) + ".";
    return lines.join('\n');
}

QString TrustPanel::details() const
{
    const auto &study = m_model.study();
    if (!study)
        return {};
    const auto field = m_model.now().field;
    const auto name = study->fields[field].name;
    QStringList lines;
    const auto all = figures();
    if (!all.empty())
        lines << "Errors of " + QString::fromStdString(name) + ", by the norm of the field:";
    for (const auto &of : data::summarize(all)) {
        auto line = QString("%1: %2 points, %3 in the mean, %4 at worst")
                        .arg(errorKindText(of.kind))
                        .arg(of.places)
                        .arg(percentText(of.meanRelativeL2), percentText(of.largestRelativeL2));
        if (of.gridPoints != study->gridPoints)
            line += QString(" (measured with %1 of %2 grid points: compress again)")
                        .arg(of.gridPoints)
                        .arg(study->gridPoints);
        else if (of.missingPoints > 0)
            line += QString(" (%1 grid points had no snapshot)").arg(of.missingPoints);
        if (const auto &doubt = study->doubts.at(field);
            of.kind == data::ErrorKind::leaveOneOut && !doubt.empty())
            line += QString(" (%1)").arg(QString::fromStdString(doubt));
        lines << line;
    }
    lines << QString("Evaluated by %1.").arg(QString::fromStdString(study->surrogates.at(field)));
    if (all.empty())
        return lines.join('\n');
    if (const auto &modes = study->modes.at(field))
        lines << QString::fromStdString(data::modesText(*modes, name));
    for (const auto &note : data::holdOutNotes(study->holdOuts))
        lines << QString::fromStdString(note);
    return lines.join('\n');
}

/// Those that the field has errors of.
void TrustPanel::showKinds()
{
    const QSignalBlocker quiet(m_kind);
    const auto chosen = m_kind->currentData();
    m_kind->clear();
    m_kind->addItem("all", allKinds);
    if (const auto &study = m_model.study()) {
        for (const auto kind : kinds) {
            const bool isThere = std::ranges::any_of(study->errors, [&](const auto &figure) {
                return figure.kind == kind && figure.field == m_model.now().field;
            });
            if (isThere) {
                m_kind->addItem(errorKindText(kind), static_cast<int>(kind));
                m_kind->setItemData(m_kind->count() - 1, errorKindTip(kind), Qt::ToolTipRole);
            }
        }
    }
    m_kind->setCurrentIndex(std::max(0, m_kind->findData(chosen)));
    showErrors();
}

void TrustPanel::showErrors()
{
    m_headline->setText(headline());
    m_details->setText(details());
    m_validation->setStudy(m_model.study(), m_model.now().field);
    const int kind = m_kind->currentData().toInt();
    m_errors->show(m_model.study(), m_model.now().field,
                   kind == allKinds ? std::nullopt
                                    : std::optional(static_cast<data::ErrorKind>(kind)));
    m_table->setVisible(m_errors->rowCount() > 0);
    m_kind->setEnabled(m_kind->count() > 1);
}

void TrustPanel::goTo(const QModelIndex &row)
{
    if (!row.isValid())
        return;
    moveTo(m_errors->figure(m_sorted->mapToSource(row).row()).parameters);
}

void TrustPanel::moveTo(const std::vector<double> &parameters)
{
    auto steering = m_model.now();
    steering.parameters = parameters;
    m_model.change("go to an error", steering);
}

} // namespace gridhelm::ui
