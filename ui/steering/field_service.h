// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sparse/backend.h"
#include "ui/machine/latest_request_worker.h"
#include "ui/steering/field_frame.h"

#include <QObject>

#include <chrono>
#include <filesystem>
#include <memory>

namespace gridhelm::ui {

class FieldAnswering;

/// Opens a study and evaluates it, in a thread of its own (see LatestRequestWorker). Where the
/// whole field would take longer than a frame may, a request with isDragging is answered by the
/// first levels alone, and by the whole field when nothing newer has come; so is a study whose
/// coefficients are still being loaded. If the request says what is visible, that comes first, of
/// as many levels as there is time for, mostly all. Each side has a newest question of its own
/// (companions: one for each field); as long as it asks, every other answer is the steered one's. A
/// study that another program (or a campaign in this one) writes is followed.
///
/// Public functions and signals: on the thread where it lives. None of them waits.
class FieldService : public QObject
{
    Q_OBJECT

public:
    FieldService(std::shared_ptr<const sparse::Backend> backend, QObject *parent = nullptr);
    /// Waits until the threads have noticed: a few milliseconds.
    ~FieldService() override;

    /// How long an evaluation with isDragging may take; 8 ms if nothing is said: enough of a frame
    /// (1/60 s) is left to draw it.
    void setBudget(std::chrono::duration<double> budget);

    /// What evaluates from now on. The last questions are answered again by it.
    void setBackend(std::shared_ptr<const sparse::Backend> backend);

    /// Forgets all requests, and the present study when the new one is there.
    void open(const std::filesystem::path &path);
    /// Forgets all requests and the present study.
    void close();
    /// Returns the request's number. Nothing comes of it if there is no study.
    std::uint64_t request(FieldRequest request);

signals:
    /// A study is there; again whenever its file has changed, after which fields and grid may be
    /// others.
    void opened(std::shared_ptr<const gridhelm::ui::StudyFacts> facts);
    /// After open(): the study that was open before still is, but its requests are forgotten.
    /// Otherwise: the open study is damaged now, and none is open.
    void openFailed(const QString &sentence);
    /// After open(), or when the open study has been replaced: this one is in order, but has no
    /// coefficients yet. None is open.
    void nothingToShow(const std::filesystem::path &study);
    /// For both sides: see its request. A whole field.
    void frameReady(std::shared_ptr<const gridhelm::ui::FieldFrame> frame);
    /// What is visible of a field; all of it follows unless something newer is wanted.
    void partReady(std::shared_ptr<const gridhelm::ui::FieldFrame> part);
    void failed(const QString &sentence);
    /// The back end in use cannot go on with this study; another one could.
    void backendFailed(const QString &sentence);

private:
    std::uint64_t m_lastNumber = 0;
    LatestRequestWorker m_worker;                ///< before what it works with: see the destructor
    std::unique_ptr<FieldAnswering> m_answering; ///< whose threads wake the worker
};

} // namespace gridhelm::ui
