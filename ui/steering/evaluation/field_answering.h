// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/machine/latest_request_worker.h"
#include "ui/steering/evaluation/coefficient_loader.h"
#include "ui/steering/evaluation/open_study.h"

#include <QString>

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace gridhelm::ui {

/// What the thread of a FieldService does: which levels and which part of a field are evaluated
/// now, which later, and which not any more.
///
/// All in the worker's thread, if nothing else is said; nothing throws.
class FieldAnswering
{
public:
    /// Who hears of it, in the thread of the worker's owner.
    struct Listener
    {
        std::function<void(std::shared_ptr<const StudyFacts>)> opened;
        std::function<void(const QString &sentence)> openFailed;
        std::function<void(const std::filesystem::path &study)> nothingToShow;
        std::function<void(std::shared_ptr<const FieldFrame>)> frameReady, partReady;
        std::function<void(const QString &sentence)> failed, backendFailed;
    };

    /// By the owner. The worker must have ended when this goes.
    FieldAnswering(LatestRequestWorker &worker, std::shared_ptr<const sparse::Backend> backend,
                   Listener listener);

    /// Any thread.
    void setBudget(double seconds) { m_pace.budgetSeconds = seconds; }

    /// Instead of the present study, which stays if this one cannot be opened (if it has nothing to
    /// show yet, none is open); none: closes it.
    void open(const std::optional<std::filesystem::path> &path);
    void evaluateBy(std::shared_ptr<const sparse::Backend> backend);
    /// As `requesterOf(request)`.
    void answer(const FieldRequest &request);
    /// When nothing is asked: goes on with what was answered by some levels only, and looks whether
    /// the study has changed.
    void useTime();

    /// Whose newer requests replace it.
    static LatestRequestWorker::Requester requesterOf(const FieldRequest &request);

private:
    using Questions = std::map<LatestRequestWorker::Requester, FieldRequest>;

    template <typename Action>
    void attempt(Action action);
    bool openNow(const std::filesystem::path &path, bool isFollowing = false);
    void sayNotFollowed(const std::exception &problem);
    void say(const std::exception &problem);
    void sayNotOpened(const std::exception &problem);
    void close();
    void answerNow(const FieldRequest &request);
    void answerPart(const FieldRequest &request);
    /// Those that still make sense, as if they were asked now.
    void answerAgain(const Questions &questions);
    void improve();
    bool hasChanged();
    void follow();
    /// And of the other fields that are asked for.
    void startLoading(data::FieldIndex field);
    bool isLoaded(const FieldRequest &request);
    bool wholeUnlessNews(const FieldRequest &request);
    void deliver(std::shared_ptr<const FieldFrame> frame);

    LatestRequestWorker &m_worker;
    std::shared_ptr<const sparse::Backend> m_backend;
    const Listener m_listener;
    EvaluationPace m_pace;
    std::filesystem::path m_path;                  ///< of m_study
    std::unique_ptr<OpenStudy> m_study;            ///< null: none is open
    bool m_mustOpenAgain = false;                  ///< m_study is not what the file has
    std::string m_whyNotFollowed;                  ///< as it was said
    Questions m_lastAsked;                         ///< of the open study
    Questions m_inexact;                           ///< answered, but not by the whole field
    std::vector<data::FieldIndex> m_loadingFields; ///< by m_loader, also if it is done
    std::uint64_t m_improvedAt = 0;                ///< steps of the loader
    CoefficientLoader m_loader;                    ///< ends before m_study
};

} // namespace gridhelm::ui
