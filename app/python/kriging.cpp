// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/python/kriging.h"

#include "app/python/arrays.h"
#include "app/python/errors.h"
#include "app/python/study.h"
#include "app/python/watched_work.h"
#include "core/kriging/fit.h"
#include "core/kriging/kriging_deviations.h"
#include "core/kriging/kriging_surrogate.h"

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <utility>

namespace gridhelm::python {
namespace {

namespace nb = nanobind;

/// What was fitted; immutable, thread-safe.
class Kriging
{
public:
    Kriging(kriging::Model model, std::vector<double> leaveOneOut, ExecutionContext context)
        : m_surrogate(std::move(model))
        , m_leaveOneOut(std::move(leaveOneOut))
        , m_context(std::move(context))
    {
    }

    const kriging::KrigingSurrogate &surrogate() const { return m_surrogate; }
    const std::vector<double> &leaveOneOut() const { return m_leaveOneOut; }
    std::size_t outputs() const { return m_surrogate.model().outputs(); }

    /// Factored when they are asked for the first time.
    const kriging::KrigingDeviations &deviations()
    {
        const std::scoped_lock lock(m_mutex);
        if (!m_deviations)
            m_deviations =
                std::make_unique<kriging::KrigingDeviations>(m_surrogate.model(), m_context);
        return *m_deviations;
    }

private:
    kriging::KrigingSurrogate m_surrogate;
    std::vector<double> m_leaveOneOut;
    ExecutionContext m_context;
    std::mutex m_mutex;
    std::unique_ptr<kriging::KrigingDeviations> m_deviations;
};

std::shared_ptr<Kriging> fit(const Points &places, const Points &values, int threads)
{
    const kriging::Runs runs{places.shape(0),
                             static_cast<int>(places.shape(1)),
                             values.shape(1),
                             {places.data(), places.data() + places.size()},
                             {values.data(), values.data() + values.size()}};
    const ExecutionContext context(cpuWith(threads));
    return watched(
        [=](const std::stop_token &stop) -> std::shared_ptr<Kriging> {
            kriging::FitOptions options;
            options.progress = [&](double) { return !stop.stop_requested(); };
            try {
                auto fitted = kriging::fit(runs, options, context);
                return std::make_shared<Kriging>(std::move(fitted.model),
                                                 std::move(fitted.leaveOneOut), context);
            } catch (const kriging::FitStopped &) {
                return nullptr; // nobody waits for it any more
            }
        },
        Unstopped::left);
}

/// weights() of a surrogate whose rows are outputs, as numbers.
void spread(const SparseWeights &weights, std::span<double> out)
{
    std::ranges::fill(out, 0.0);
    for (std::size_t i = 0; i < weights.rows.size(); ++i)
        out[weights.rows[i]] += weights.weights[i];
}

/// `length` numbers of each place, which what(place, out) writes.
template <typename What>
std::vector<double> ofEachPlace(const Points &points, std::size_t length, What what)
{
    const std::vector<double> places(points.data(), points.data() + points.size());
    const auto n = points.shape(0), d = points.shape(1);
    return watched(
        [=](const std::stop_token &stop) {
            std::vector<double> out(n * length);
            for (std::size_t i = 0; i < n && !stop.stop_requested(); ++i)
                what(std::span(places).subspan(i * d, d),
                     std::span(out).subspan(i * length, length));
            return out;
        },
        Unstopped::left);
}

/// states x outputs.
DoubleArray values(const std::shared_ptr<Kriging> &model, const Points &points)
{
    const auto m = model->outputs();
    const auto numbers =
        ofEachPlace(points, m, [=](std::span<const double> x, std::span<double> out) {
            spread(model->surrogate().weights(x, 1, OutOfRange::extrapolated), out);
        });
    return arrayOf(numbers, {points.shape(0), m});
}

/// states x outputs x parameters, by coordinates of the unit cube.
DoubleArray slopes(const std::shared_ptr<Kriging> &model, const Points &points)
{
    const auto m = model->outputs(), d = points.shape(1);
    const auto numbers =
        ofEachPlace(points, m * d, [=](std::span<const double> x, std::span<double> out) {
            std::vector<double> slope(m);
            for (std::size_t t = 0; t < d; ++t) {
                spread(model->surrogate().derivativeWeights(x, static_cast<int>(t), 1,
                                                            OutOfRange::extrapolated),
                       slope);
                for (std::size_t k = 0; k < m; ++k)
                    out[k * d + t] = slope[k];
            }
        });
    return arrayOf(numbers, {points.shape(0), m, d});
}

/// Standard deviations, states x outputs.
DoubleArray deviations(const std::shared_ptr<Kriging> &model, const Points &points)
{
    const auto m = model->outputs();
    const auto numbers =
        ofEachPlace(points, m, [=](std::span<const double> x, std::span<double> out) {
            std::ranges::transform(model->deviations().variances(x), out.begin(),
                                   [](double v) { return std::sqrt(std::max(v, 0.0)); });
        });
    return arrayOf(numbers, {points.shape(0), m});
}

} // namespace

void bindKriging(nb::module_ &module)
{
    nb::class_<Kriging>(module, "Kriging")
        .def("values", &values)
        .def("slopes", &slopes)
        .def("deviations", &deviations)
        .def("leave_one_out", [](const std::shared_ptr<Kriging> &model) {
            const auto m = model->outputs();
            return arrayOf(model->leaveOneOut(), {model->leaveOneOut().size() / m, m});
        });
    module.def("fit_kriging", &fit, nb::arg("places"), nb::arg("values"), nb::arg("threads"));
}

} // namespace gridhelm::python
