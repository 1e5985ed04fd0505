// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/performance/backend_choice.h"

#include <QStringList>
#include <QWidget>

#include <array>
#include <map>
#include <utility>

class QComboBox;
class QSettings;
class QSpinBox;

namespace gridhelm::ui {

/// What evaluates, with how many threads, and on which devices: to see and to choose. What cannot
/// be chosen is listed with the reason.
class BackendRow : public QWidget
{
    Q_OBJECT

public:
    /// Begins with `omp` and the context's threads.
    explicit BackendRow(const ExecutionContext &context, QWidget *parent = nullptr);

    /// Where GPUs may be used. Before the first add().
    void setDevices(const Devices &devices);
    /// A usual one is taken at once, and used with restoreState().
    void add(const BackendOffer &offer);
    /// Some back ends cannot evaluate some studies: then `omp` does. Null: none is open.
    void setStudy(std::shared_ptr<const StudyFacts> study);

    /// On this context from now on, with the same choice: what it has told once, it tells again.
    void beginAnew(const ExecutionContext &context);

    /// As the user would; throws gridhelm::Error, with what there is, if that one cannot be chosen.
    void choose(const QString &name);

    /// The one in use cannot go on, for this reason: `omp` does.
    void giveUp(const QString &reason);

    /// From now on, as far as it can be: empty and 0 leave what there is.
    void prefer(const QString &backend, int threads);

    /// Name of the one in use.
    QString backend() const;
    /// Of those that this program has, whether they can evaluate the study or not.
    QStringList names() const;
    /// "CPU and NVIDIA H200" ..., or why there is nothing but the CPU.
    QStringList deviceTexts() const;
    /// On which it evaluates: with one thread if it is serial, on the chosen devices, with what was
    /// tuned for these and so many threads.
    ExecutionContext context() const;
    /// "auto", "cpu", "gpu:1": the chosen ones; empty if there are none to choose.
    QString device() const;

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
    QString unavailableReason(const BackendOffer &offer) const;
    void refresh();
    void choose(int index);
    void chooseDevice(int index);
    void take(const QString &backend, int threads);
    void useIfNew();
    void use();

    std::vector<BackendOffer> m_offers;
    std::shared_ptr<const StudyFacts> m_study;
    Devices m_devices;
    QComboBox *m_names;
    QComboBox *m_deviceNames;
    QSpinBox *m_threadCount;
    ExecutionContext m_context;
    /// By the number of threads and of m_devices, each with what was tuned for them, which is
    /// looked for when they are used for the first time.
    mutable std::map<std::pair<int, int>, ExecutionContext> m_contexts;
    int m_index = 0;           ///< of the offer in use
    int m_threads = 1;         ///< of those that are not serial
    int m_device = 0;          ///< of m_devices
    std::array<int, 3> m_used; ///< all three, when one was used last
    bool m_isUsersChoice = false;
};

} // namespace gridhelm::ui
