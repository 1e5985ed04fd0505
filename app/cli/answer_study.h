// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the commands that answer questions (responses, sobol, uncertainty, optimize, match) have in
// common: responses of a study, chosen by name, and what is known of its parameters.
#pragma once

#include "app/cli/commands.h"
#include "core/answers/input_distribution.h"
#include "data/answers/run_places.h"
#include "data/answers/study_responses.h"
#include "data/study/study.h"

#include <nlohmann/json.hpp>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gridhelm::cli {

constexpr std::size_t mostSamples = 10'000'000; ///< that anybody may ask for

struct InputOptions
{
    std::vector<std::string> inputs;       ///< --input Re=normal(400,50)
    std::vector<std::string> samples;      ///< --input-csv NAME=FILE: its column of that name
    std::vector<std::string> joint;        ///< --inputs FILE: all columns of parameters
    std::vector<std::string> correlations; ///< --correlate a,b=0.5
    std::string fixed;                     ///< --fix t=2.5
};
/// "name=text" as its two parts. Throws gridhelm::Error without "=", with `whose` at the end.
std::pair<std::string, std::string> assignment(const std::string &typed, std::string_view option,
                                               std::string_view whose = {});
void addInputOptions(CLI::App &command, InputOptions &options, bool withCorrelations);
/// Of all parameters; those that are not named are uniform over their ranges.
answers::Inputs inputsOf(const ParameterSpace &space, const InputOptions &options);
/// What --fix holds, of each parameter, in its unit.
std::vector<std::optional<double>> fixedOf(const ParameterSpace &space, const std::string &typed);
nlohmann::json inputsJson(const ParameterSpace &space, const answers::Inputs &inputs);

/// A study with some of its responses, evaluated together.
struct AnswerStudy
{
    data::Study study;
    std::vector<data::StudyResponse> responses;
    std::shared_ptr<const answers::ResponseModel> model; ///< of all of them, in their order
    ParameterSpace answered;                             ///< without space
    std::vector<std::string> refused = {}; ///< of others why they cannot be had, sentences

    const ParameterSpace &space() const { return answered; }
    std::size_t indexOf(const std::string &name) const;
    /// Whether a field has to be evaluated for each number: milliseconds instead of microseconds.
    bool isSlow() const { return !model->functions().empty(); }
};
/// Those of these names, or all that can be had, with a note on the others. Throws gridhelm::Error
/// if there are none, and for one of these names that cannot be had.
AnswerStudy openAnswers(const GlobalOptions &global, const std::string &path,
                        const std::vector<std::string> &names);

/// --response NAME, may be repeated.
void addResponseOption(CLI::App &command, std::vector<std::string> &names);

/// "3.21 K".
std::string withUnit(double value, const std::string &unit,
                     int digits = data::StudyResponse::usualDigits);
/// "95 % error bound 0.4 K (calibrated at 20 validation points)", or what to do to know.
std::string errorText(const data::StudyResponse &response, const data::Study &study);
nlohmann::json responseJson(const data::StudyResponse &response);

/// A CSV: the parameters of each place of the unit cube, and responses there, values[k][i] of the
/// k-th one at the i-th place.
void writePlaces(const AnswerStudy &opened, std::span<const double> places,
                 const std::vector<std::vector<double>> &values, const std::string &path);

/// A CSV of runs: what each is called, its parameters, and of each response what the run has
/// itself, data::valuesOfRuns(), and in the next column, NAME_surrogate, what is predicted.
void writeRuns(const AnswerStudy &opened, const std::vector<data::RunPlace> &runs,
               const std::vector<std::vector<double>> &own,
               const std::vector<std::vector<double>> &predicted, const std::string &path);

/// {"Re": 400, "t": 2.5}.
nlohmann::json placeJson(const ParameterSpace &space, std::span<const double> values);

} // namespace gridhelm::cli
