// SPDX-License-Identifier: GPL-3.0-or-later
//
// Private to data. Responses in many states, and surrogates of those that are not linear.
#pragma once

#include "data/answers/study_responses.h"
#include "data/evaluate/field_surrogate.h"

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <vector>

namespace gridhelm::data {

/// Fills the values of a field in the state of this number; false if they are not there.
using ReadState = std::function<bool(std::size_t state, FieldIndex field, std::span<float> values)>;

/// Values of responses in many states, one state after the other: values[r][state]; NaN where a
/// field is not there.
std::vector<std::vector<double>> valuesIn(const Study &study,
                                          const std::vector<const ResponseOfState *> &responses,
                                          std::size_t states, const ReadState &read);

/// The fields that responses reduce, in memory: each is loaded once.
class LoadedFields
{
public:
    explicit LoadedFields(const Study &study)
        : m_study(study)
    {
    }

    /// Null if it does not fit into memory.
    std::shared_ptr<const FieldSurrogate> of(FieldIndex field)
    {
        auto &loaded = m_loaded[field];
        if (!loaded && FieldSurrogate::fitsInMemory(m_study, field)) {
            loaded = std::make_shared<FieldSurrogate>(m_study, field);
            loaded->loadAll(m_study);
        }
        return loaded;
    }

private:
    const Study &m_study;
    std::map<FieldIndex, std::shared_ptr<FieldSurrogate>> m_loaded;
};

/// Makes the models of those that go the way of snapshots; those of one kind share the reading.
/// Points of a grid that have not run add nothing, as to fields. states[r] is of responses[r].
/// Throws gridhelm::Error where nothing can be made.
void fitSnapshots(const Study &study, const std::vector<ResponseOfState> &states,
                  std::vector<StudyResponse> &responses, LoadedFields &loaded,
                  const ExecutionContext &context);

} // namespace gridhelm::data
