// SPDX-License-Identifier: GPL-3.0-or-later
//
// Responses of a study that Python asks questions about, and what it says of the parameters.
#pragma once

#include "app/python/study.h"
#include "core/answers/input_distribution.h"
#include "core/answers/response_model.h"
#include "core/parameters/parameter_space.h"
#include "data/answers/study_responses.h"
#include "data/study/study.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

namespace gridhelm::python {

/// Of a parameter that is named: what --input says on the command line, or samples.
using InputValue = std::variant<std::string, std::vector<double>>;
using InputList = std::vector<std::pair<std::string, InputValue>>;
/// Rank correlations of two parameters each.
using Correlations = std::vector<std::tuple<std::string, std::string, double>>;
/// Samples of parameters, whose rows belong together.
using JointInputs = std::vector<std::pair<std::string, std::vector<double>>>;

/// Those that are not named are uniform over their ranges. Throws gridhelm::Error for names that
/// there are not, and for what the command line refuses.
answers::Inputs inputsOf(const ParameterSpace &space, const InputList &list,
                         const Correlations &correlations = {}, const JointInputs &joint = {});

/// Where responses find their places on the mesh. Throws gridhelm::Error in a build without VTK.
data::SamplesOfMesh placesOf(const data::Study &study);

/// Responses of a study, as it was when they were asked for: one that cannot be had takes none of
/// the others away. Immutable; thread-safe.
class Responses
{
public:
    /// Throws gridhelm::Error for a study that has none.
    Responses(const std::string &path, Machine machine);

    const std::vector<data::StudyResponse> &all() const { return m_responses; } ///< that can be had
    /// Names of the others, and why they cannot be had, a sentence each.
    const std::vector<std::pair<std::string, std::string>> &refused() const { return m_refused; }
    const ParameterSpace &space() const { return *m_space; }
    /// Of all() together. Throws gridhelm::Error, with the first sentence of refused(), for none.
    const answers::ResponseModel &model() const;
    const Machine &machine() const { return m_machine; }

    /// In the unit cube. Throws ArgumentError for what is out of the ranges.
    std::vector<double> placeOf(std::span<const double> parameters) const;

private:
    Machine m_machine;
    std::optional<ParameterSpace> m_space;
    std::vector<data::StudyResponse> m_responses;
    std::vector<std::pair<std::string, std::string>> m_refused;
    std::shared_ptr<const answers::ResponseModel> m_model;
};

} // namespace gridhelm::python
