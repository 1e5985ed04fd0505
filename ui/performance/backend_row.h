// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/performance/backend_choice.h"

#include <QWidget>

#include <utility>

class QComboBox;
class QSettings;
class QSpinBox;

namespace gridhelm::ui {

/// What evaluates, and with how many threads: to see and to choose. What cannot be chosen is listed
/// with the reason.
class BackendRow : public QWidget
{
    Q_OBJECT

public:
    /// Begins with `omp` and the context's threads.
    explicit BackendRow(const ExecutionContext &context, QWidget *parent = nullptr);

    /// A usual one is taken at once, and used with restoreState().
    void add(const BackendOffer &offer);
    /// Some back ends cannot evaluate some studies: then `omp` does. Null: none is open.
    void setStudy(std::shared_ptr<const StudyFacts> study);

    /// The one in use cannot go on, for this reason: `omp` does.
    void giveUp(const QString &reason);

    /// Name of the one in use.
    QString backend() const;
    /// On which it evaluates: with one thread if it is serial.
    ExecutionContext context() const;

    /// "omp x2".
    QString text() const;

    void saveState(QSettings &settings) const;
    /// Whatever is not there any more stays as it is. Uses what is chosen then.
    void restoreState(QSettings &settings, bool withThreads);

signals:
    void chosen(std::shared_ptr<const gridhelm::sparse::Backend> backend);
    /// Something else evaluates than the user chose: why.
    void news(const QString &sentence);

private:
    const BackendOffer &offer() const;
    QString whyNot(const BackendOffer &offer) const;
    void refresh();
    void choose(int index);
    void use();

    std::vector<BackendOffer> m_offers;
    std::shared_ptr<const StudyFacts> m_study;
    QComboBox *m_names;
    QSpinBox *m_threadCount;
    ExecutionContext m_context;
    int m_index = 0;            ///< of the offer in use
    int m_threads = 1;          ///< of those that are not serial
    std::pair<int, int> m_used; ///< both, when one was used last
    bool m_isUsersChoice = false;
};

} // namespace gridhelm::ui
