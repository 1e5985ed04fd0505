// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/python/answer_form.h"

#include "app/python/tuples.h"
#include "core/support/error.h"
#include "data/study/stored_values.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <tuple>

namespace gridhelm::python {

namespace nb = nanobind;

AnswerForms::AnswerForms(Callable accept)
    : m_accept(std::move(accept))
{
}

std::vector<data::RunSnapshot> AnswerForms::snapshots(const Answer &answer, std::size_t times)
{
    const auto form = formOf({answer.text, times});
    const auto states = std::max<std::size_t>(times, 1);
    std::size_t values = 0;
    for (const auto &field : form->fields)
        values += states * static_cast<std::size_t>(field.values());
    if (values != answer.values.size())
        throw Error("the process that ran the function has sent other arrays than it said: do not "
                    "write to files that the function has not opened");
    std::vector<data::RunSnapshot> all(states, *form);
    std::size_t begin = 0;
    for (std::size_t f = 0; f < form->fields.size(); ++f) {
        const auto length = static_cast<std::size_t>(form->fields[f].values());
        for (auto &snapshot : all) { // times are the first axis of each array
            snapshot.values.push_back(data::storedValues(
                snapshot.fields[f], std::span(answer.values).subspan(begin, length)));
            begin += length;
        }
    }
    return all;
}

std::shared_ptr<const data::RunSnapshot> AnswerForms::formOf(const Key &key)
{
    {
        const std::scoped_lock lock(m_mutex);
        if (const auto found = m_forms.find(key); found != m_forms.end())
            return found->second;
    }
    auto form = std::make_shared<data::RunSnapshot>();
    {
        const nb::gil_scoped_acquire lock;
        try {
            const auto [mesh, fields] = nb::cast<std::tuple<MeshTuple, std::vector<FieldTuple>>>(
                m_accept.object()(key.first, key.second));
            form->mesh = meshFrom(mesh);
            form->fields = fieldsFrom(fields);
        } catch (nb::python_error &error) {
            if (error.matches(PyExc_ValueError))
                throw Error(nb::cast<std::string>(nb::str(error.value())));
            throw Error(error.what());
        }
    }
    const std::scoped_lock lock(m_mutex);
    return m_forms[key] = form;
}

} // namespace gridhelm::python
