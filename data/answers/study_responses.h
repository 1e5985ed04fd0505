// SPDX-License-Identifier: GPL-3.0-or-later
//
// The responses of a study, as numbers that depend on its parameters, with what was measured of how
// far they may be off (docs/theory/analysis.md).
#pragma once

#include "core/answers/field_expression.h"
#include "core/answers/response_model.h"
#include "core/execution/execution_context.h"
#include "core/surrogate/error_band.h"
#include "data/answers/response_samples.h"
#include "data/evaluate/field_surrogate.h"
#include "data/study/geometry_fields.h"
#include "data/study/response_definition.h"
#include "data/study/study.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace gridhelm::data {

/// Throws gridhelm::Error for scalar studies, for what needs snapshots.
void requireFieldsOnMesh(const Study &study);

/// The parameters that responses depend on: of a scalar study those that are not space.
ParameterSpace answerSpace(const Study &study);
ParameterSpace answerSpace(const ParameterSpace &whole);

/// A response as it is computed from a state: understood, and found on the mesh.
class ResponseOfState
{
public:
    /// Throws gridhelm::Error, beginning with the response's name, for a definition that says
    /// nothing, for fields of points and of cells in one formula, and what SamplesOfMesh refuses,
    /// of meshes that stay as they are.
    ResponseOfState(const Study &study, const ResponseDefinition &definition,
                    const SamplesOfMesh &samples);

    const ResponseDefinition &definition() const { return m_definition; }
    const answers::FieldExpression &expression() const { return m_expression; }
    /// Whether it is a weighted sum of values, the same for all parameters: mean or integral of an
    /// affine formula on a mesh that stays.
    bool isLinear() const { return m_isLinear; }
    /// Of the study, those that it needs: where the geometry depends on the parameters that, too.
    const std::vector<FieldIndex> &fields() const { return m_fields; }

    /// values[i]: those of fields()[i], as they are stored (Field). Throws gridhelm::Error for no
    /// finite number, and where the geometry depends on the parameters what SamplesOfMesh refuses
    /// in this state.
    double evaluate(const std::vector<std::vector<float>> &values) const;
    /// The points or cells of whose values it is made, ascending; nothing where the geometry
    /// depends on the parameters, since they are others in each state.
    std::optional<std::vector<std::uint32_t>> entities() const;
    /// The same response of these alone: values[i] are then those of entities(), in their order.
    ResponseOfState ofEntities() const;
    /// What it is where all stored numbers are 0, beside which it differs from state to state; 0
    /// where these are the values themselves, and where it is no number there.
    double atOffsets() const;
    /// Of a linear one: its constant, and what a row of fields()[i] adds to it.
    double constant() const;
    double partOf(std::size_t i, std::span<const float> row) const;

private:
    /// A variable's values, as places take them.
    struct Taken;
    static const WeightedSums &sumsOf(const answers::FieldExpression::Variable &variable,
                                      const ResponseSamples &samples);
    std::size_t numberOf(FieldIndex field) const; ///< in m_fields
    GeometryValues geometryIn(const std::vector<std::vector<float>> &values) const;
    ResponseSamples samplesIn(const std::vector<std::vector<float>> &values) const;
    /// The value, or gridhelm::Error for none.
    double finite(double value) const;
    std::vector<Taken> takenFrom(const std::vector<std::vector<float>> &values,
                                 const ResponseSamples &samples) const;

    ResponseDefinition m_definition;
    std::vector<FieldIndex> m_fields;
    std::vector<Field> m_of; ///< what m_fields are, for what their numbers stand for
    answers::FieldExpression m_expression;
    answers::Reduction m_reduction;
    std::optional<answers::FieldExpression::Affine> m_affine; ///< its formula, if that is so
    bool m_isLinear = false;
    GeometryFields m_geometry;
    ResponseSamples m_samples; ///< of a mesh that stays
    std::function<ResponseSamples(const GeometryValues &geometry)> m_samplesIn; ///< of others
};

/// How a response is evaluated.
enum class ResponseWay {
    rows,      ///< linear: one number for each row, exactly what the field's surrogate says
    snapshots, ///< a surrogate of its own, of its values at all snapshots
    field,     ///< the evaluated field, reduced: where that is less off at the hold-outs
};
std::string_view toString(ResponseWay way);

/// Root mean square of what a way is off at the hold-outs.
struct WayError
{
    std::string way; ///< "rows", "snapshots", or "field": reducing the evaluated field
    double rms = 0;
};

/// At a surrogate's runs, each predicted without itself and its other times.
struct LeftOutError
{
    double error = 0;              ///< ninetiethPercentile()
    FieldIndex field = 0;          ///< whose kriging has the runs
    std::vector<double> residuals; ///< of each of them: actual - predicted
};

struct StudyResponse
{
    /// Of values beside which they differ little there have to be more.
    static constexpr int usualDigits = 5, digitsBesideOffsets = 12;
    static constexpr int errorDigits = 3;

    ResponseDefinition definition;
    ResponseWay way = ResponseWay::rows;
    std::shared_ptr<const answers::ResponseModel> model; ///< of this one response
    /// |response - truth| is at most band.offset for band.coverage of the places, by hold-outs
    /// inside of the ranges; none without any.
    std::optional<ErrorBand> band;
    std::optional<LeftOutError> leftOut; ///< of kriging without a band; fields' lengths are kept
    std::vector<WayError> errors; ///< at the same hold-outs, of its own way first; empty without
    std::string whyUnmeasured;    ///< why hold-outs cannot tell, as a clause; empty: they can
    /// Points of the grid that add nothing to a surrogate of its own, because they have not run.
    std::uint64_t missingPoints = 0;
    int digits = usualDigits; ///< to show its values with
    std::string problem; ///< why it cannot be had, a sentence: then there is no model
    /// What the model evaluates where its way is the field's, whole in memory.
    std::map<FieldIndex, std::shared_ptr<const FieldSurrogate>> loaded;
};

/// How responses are read.
struct ResponseReading
{
    /// gridhelm::Error is thrown soon after a stop was requested: between rows, states and fits.
    std::stop_token stop = {};
    /// Those that were read before, of a study with the same contents (contentsStamp()):
    /// what is wanted again is taken as it is, and others share the fields that they hold.
    std::vector<StudyResponse> known = {};
};

/// Reads the rows (or snapshots) of what the responses need: once. Of a scalar study see
/// scalarResponses(); it takes no samples. Throws gridhelm::Error as above, and where snapshots are
/// missing.
std::vector<StudyResponse> studyResponses(const Study &study,
                                          const std::vector<ResponseDefinition> &definitions,
                                          const SamplesOfMesh &samples,
                                          const ExecutionContext &context,
                                          const ResponseReading &how = {});

/// The same where each may be refused by itself: those that are have a problem. Throws
/// gridhelm::Error for nothing that is about a single one, and where a stop was requested.
std::vector<StudyResponse> answerableResponses(const Study &study,
                                               const std::vector<ResponseDefinition> &definitions,
                                               const SamplesOfMesh &samples,
                                               const ExecutionContext &context,
                                               const ResponseReading &how = {});

/// Throws gridhelm::Error, with the response's name, for words about time that say nothing, a space
/// that has none, and a time outside of its range.
void requireSensibleTime(const ParameterSpace &space, const ResponseDefinition &definition);

/// The model of a response whose definition says what of all times: of each state before, of the
/// run afterwards (see answers::reducedInTime()). Others stay as they are.
void reduceInTime(const ParameterSpace &space, StudyResponse &response);

/// All of them as one model, in their order, where they are evaluated together: those of one
/// surrogate share its weights. Each has a model.
answers::ResponseModel together(const std::vector<StudyResponse> &responses);

/// "maximum of temperature, box 0,0,0,1,1,1".
std::string definitionInWords(const ResponseDefinition &definition);

/// Throws gridhelm::Error, with the names there are, for one that is not.
std::size_t responseIndex(const std::vector<ResponseDefinition> &definitions,
                          const std::string &name);

} // namespace gridhelm::data
