// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/python/responses.h"

#include "app/python/errors.h"
#include "core/answers/joint_inputs.h"
#include "core/answers/sample_points.h"
#include "core/support/error.h"
#ifdef GRIDHELM_HAS_VTK
#include "data/answers/default_responses.h"
#include "data/mesh/place_samples.h"
#endif

#include <fmt/format.h>

#include <utility>

namespace gridhelm::python {

answers::Inputs inputsOf(const ParameterSpace &space, const InputList &list,
                         const Correlations &correlations, const JointInputs &joint)
{
    auto inputs = answers::uniformInputs(space);
    for (const auto &[name, value] : list) {
        const auto t = space.indexOf(name);
        inputs.distributions[t] =
            std::holds_alternative<std::string>(value)
                ? answers::InputDistribution::parse(std::get<std::string>(value), space[t])
                : answers::InputDistribution::ofSamples(std::get<std::vector<double>>(value),
                                                        space[t]);
    }
    if (!joint.empty()) {
        answers::JointSamples samples;
        for (const auto &[name, column] : joint) {
            samples.parameters.push_back(space.indexOf(name));
            samples.columns.push_back(column);
        }
        answers::addJointSamples(inputs, space, std::move(samples));
    }
    for (const auto &[a, b, correlation] : correlations)
        answers::addRankCorrelation(inputs, space, space.indexOf(a), space.indexOf(b), correlation,
                                    fmt::format("the correlation of {} and {}", a, b));
    answers::requireCorrelations(inputs);
    return inputs;
}

data::SamplesOfMesh placesOf(const data::Study &study)
{
#ifdef GRIDHELM_HAS_VTK
    return data::samplesOf(study);
#else
    static_cast<void>(study);
    throw Error("responses need VTK to find their regions on the mesh, and gridhelm was built "
                "without it: install libvtk9-dev, and gridhelm again");
#endif
}

Responses::Responses(const std::string &path, Machine machine)
    : m_machine(std::move(machine))
{
    auto study = data::Study::open(path);
    m_space = data::answerSpace(study);
    const auto definitions = data::responsesOf(study);
    if (definitions.empty())
        throw Error("the study has no responses yet: define one with study.response(\"peak\", "
                    "\"FIELD\", reduce=\"maximum\")");
    for (auto &response :
         data::answerableResponses(study, definitions, placesOf(study), m_machine.context)) {
        if (response.problem.empty())
            m_responses.push_back(std::move(response));
        else
            m_refused.emplace_back(response.definition.name, response.problem);
    }
    if (!m_responses.empty())
        m_model = std::make_shared<answers::ResponseModel>(data::together(m_responses));
}

const answers::ResponseModel &Responses::model() const
{
    if (!m_model)
        throw Error(m_refused.front().second);
    return *m_model;
}

std::vector<double> Responses::placeOf(std::span<const double> parameters) const
{
    try {
        space().requireInside(parameters);
        return space().toUnit(parameters);
    } catch (const Error &error) {
        throw ArgumentError(error.what());
    }
}

} // namespace gridhelm::python
