// SPDX-License-Identifier: GPL-3.0-or-later
//
// Private to data. Responses in many states, and surrogates of those that are not linear.
#pragma once

#include "data/answers/stoppable_model.h"
#include "data/answers/study_responses.h"
#include "data/evaluate/field_surrogate.h"

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <stop_token>
#include <utility>
#include <vector>

namespace gridhelm::data {

/// Fills the values of a field in the state of this number; false if they are not there.
using ReadState = std::function<bool(std::size_t state, FieldIndex field, std::span<float> values)>;

/// Values of responses in many states, one state after the other: values[r][state]; NaN where a
/// field is not there. Throws gridhelm::Error soon after a stop was requested.
std::vector<std::vector<double>> valuesIn(const Study &study,
                                          const std::vector<const ResponseOfState *> &responses,
                                          std::size_t states, const ReadState &read,
                                          const std::stop_token &stop);

/// The fields that responses reduce, in memory: each is loaded once, those that are known
/// responses' never.
class LoadedFields
{
public:
    LoadedFields(const Study &study, const ResponseReading &how)
        : m_study(study)
        , m_stop(how.stop)
    {
        for (const auto &known : how.known)
            m_loaded.insert(known.loaded.begin(), known.loaded.end());
    }

    /// Null if it does not fit into memory. Throws gridhelm::Error where a stop was requested.
    std::shared_ptr<const FieldSurrogate> of(FieldIndex field)
    {
        auto &loaded = m_loaded[field];
        if (!loaded && FieldSurrogate::fitsInMemory(m_study, field)) {
            auto whole = std::make_shared<FieldSurrogate>(m_study, field);
            whole->loadAll(m_study, [this] { return m_stop.stop_requested(); });
            requireGoingOn(m_stop);
            loaded = std::move(whole);
        }
        return loaded;
    }

private:
    const Study &m_study;
    std::stop_token m_stop;
    std::map<FieldIndex, std::shared_ptr<const FieldSurrogate>> m_loaded;
};

/// Makes the models of those that go the way of snapshots; those of one kind share the reading.
/// Points of a grid that have not run add nothing, as to fields. states[r] is of responses[r].
/// Throws gridhelm::Error where nothing can be made, and soon after a stop was requested.
void fitSnapshots(const Study &study, const std::vector<ResponseOfState> &states,
                  std::vector<StudyResponse> &responses, LoadedFields &loaded,
                  const ExecutionContext &context, const std::stop_token &stop);

} // namespace gridhelm::data
