// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/execution/execution_context.h"
#include "data/answers/response_validation.h"
#include "ui/answers/background_answer.h"
#include "ui/steering/study_facts.h"

#include <QWidget>

#include <memory>
#include <vector>

class QComboBox;
class QLabel;

namespace gridhelm::ui {

class HistogramPlot;
class ScatterPlot;

/// Errors as plots: of a response predicted over actual values, its residuals over a parameter and
/// as a histogram; of the field its relative error over a parameter. A dot moves the sliders there.
/// Responses are read in the background, when the page is seen.
class ValidationPage : public QWidget
{
    Q_OBJECT

public:
    explicit ValidationPage(const ExecutionContext &context, QWidget *parent = nullptr);

    /// Null: none is open.
    void setStudy(std::shared_ptr<const StudyFacts> study, data::FieldIndex field);

    bool isComputing() const { return m_reading.isRunning(); }
    QComboBox *quantity() const { return m_quantity; }
    QComboBox *over() const { return m_over; }
    ScatterPlot *plot() const { return m_plot; }
    HistogramPlot *histogram() const { return m_histogram; }
    QString text() const;

signals:
    void placeChosen(const std::vector<double> &parameters);
    void news(const QString &sentence);
    void failed(const QString &sentence);

protected:
    void showEvent(QShowEvent *event) override;

private:
    void readAgain();
    void listQuantities();
    void listAxes();
    void draw();
    void drawResponse(const data::StudyResponse &response,
                      const data::ResponseValidation &validation);
    void drawField();
    /// The parameter that the plot is over; nothing for the actual value.
    std::optional<std::size_t> parameter() const;
    QString parameterAxis(std::size_t parameter) const;

    ExecutionContext m_context;
    std::shared_ptr<const StudyFacts> m_study;
    data::FieldIndex m_field = 0;
    bool m_isStale = false;
    bool m_isChosen = false; ///< what is shown, by the user
    std::vector<data::StudyResponse> m_responses;
    std::vector<data::ResponseValidation> m_validations; ///< of each of them
    QString m_problem;                                   ///< why there are none
    std::vector<std::vector<double>> m_places;           ///< parameters of each dot
    BackgroundAnswer m_reading;
    QComboBox *m_quantity, *m_over;
    ScatterPlot *m_plot;
    HistogramPlot *m_histogram;
    QLabel *m_text;
};

} // namespace gridhelm::ui
