// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/python/page.h"

#include "app/python/study.h"
#include "app/python/watched_work.h"
#include "data/mesh/page_of_study.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace gridhelm::python {
namespace {

/// The page, and of each field what it adds: modes, relative L2, a single value; what the page
/// lacks.
std::tuple<std::string, std::vector<std::tuple<std::string, std::size_t, double, double>>,
           std::vector<std::string>>
pageOf(const std::string &path, const std::vector<double> &place,
       const std::vector<std::string> &fields, std::optional<double> error,
       std::optional<std::size_t> mostBytes, const std::string &devices, int threads)
{
    data::PageQuestion question{.place = place, .fields = fields};
    question.options.error = error;
    question.options.mostBytes = mostBytes;
    question.options.context = machineWith(devices, threads).context;
    const auto page = watched(
        [=](const std::stop_token &stop) {
            auto stoppable = question;
            stoppable.options.stop = stop;
            return data::pageOfStudy(path, stoppable);
        },
        Unstopped::waited);
    std::vector<std::tuple<std::string, std::size_t, double, double>> added;
    for (const auto &field : page.fields)
        added.emplace_back(field.name, field.modes, field.relativeL2, field.largest);
    auto notes = page.notes;
    if (!page.reduction.empty())
        notes.push_back(page.reduction);
    return {page.html, added, notes};
}

} // namespace

void bindPage(nanobind::module_ &module)
{
    module.def("page_of", &pageOf);
}

} // namespace gridhelm::python
