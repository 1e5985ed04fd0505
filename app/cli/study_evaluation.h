// SPDX-License-Identifier: GPL-3.0-or-later
//
// The fields of a study at any parameters, with the mesh they live on, as values: what eval, export
// and render have in common.
//
//     StudyEvaluation study(global, options);          // opens the file, chooses the fields
//     const auto at = study.parse("Re=400,t=2.5");
//     study.requireRange({at});                        // refuses, or warns that it extrapolates
//     const auto result = study.evaluate(at);
#pragma once

#include "app/cli/commands.h"
#include "data/evaluate/error_bands.h"
#include "data/evaluate/study_fields.h"
#include "data/mesh/mesh_motion.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gridhelm::cli {

struct EvaluationOptions
{
    std::string study;
    std::vector<std::string> fields; ///< if empty all, or the first one alone:
    bool firstFieldOnly = false;
    std::string level = "0";      ///< the first levels only; 0: all
    std::string resolution = "0"; ///< of scalar studies: points along the longest side
    bool extrapolate = false;
};

/// STUDY, --field, --level, --resolution and --extrapolate.
void addEvaluationOptions(CLI::App &command, EvaluationOptions &options);

/// Of a field that was evaluated by modes, or by coefficients in few bits.
struct ModesUsed
{
    std::uint64_t count = 0; ///< 0: by coefficients
    std::uint64_t of = 0;    ///< that there are
    double energyShare = 1;  ///< of the field here that they hold, if they are not all
    /// What they add to the error at most, see data::StudyFields::modesErrorBound().
    double errorBound = 0;
    bool isInFewBits = false; ///< whatever the rows are
    bool areKriged = false;   ///< the indicator is a standard deviation then
};

struct EvaluatedFields
{
    std::shared_ptr<const data::Mesh> mesh;
    std::vector<data::Field> fields;
    std::vector<std::vector<float>> values;     ///< values[f] belongs to fields[f]
    std::vector<std::vector<float>> indicators; ///< as long, see data::StudyFields::evaluate()
    std::vector<ModesUsed> modes;               ///< as many
    /// As many: none that was not measured, and none by a part of levels or modes or out of range.
    std::vector<std::optional<data::BandHere>> bands;
    data::GeometryValues geometry; ///< where the body is, if that depends on the parameters
    std::size_t invertedCells = 0; ///< of a mesh that moves: turned inside out
    double seconds = 0;            ///< that the evaluation took
    ComputedOn computedOn{};

    /// From the nodes of fields[f] to the body's surface, negative outside; empty if the body
    /// covers the mesh, or the field is not at its nodes.
    std::span<const float> distanceOf(std::size_t f) const;
};

/// For one thread at a time. Everything throws gridhelm::Error.
///
/// The fields of a scalar study come on an image of its box in space.
class StudyEvaluation
{
public:
    /// Throws for a study that has no mesh, fields or coefficients yet, and for unknown fields.
    /// Warns on stderr if points are missing.
    StudyEvaluation(const GlobalOptions &global, const EvaluationOptions &options);

    /// Those that --at names: without coordinates in space.
    const ParameterSpace &parameters() const { return m_study.parameters(); }
    /// All of the study's, coordinates in space among them.
    const ParameterSpace &space() const { return m_study.study().description().space; }
    /// On which all results are.
    const std::shared_ptr<const data::Mesh> &mesh() const { return m_study.mesh(); }
    const data::GeometryFields &geometryFields() const { return m_study.geometryFields(); }
    /// Those chosen, in the study's order.
    const std::vector<data::Field> &fields() const { return m_fields; }
    /// Points of the levels in use that have no coefficients: they contribute nothing.
    std::uint64_t missingPoints() const { return m_missingPoints; }

    /// "Re=400,t=2.5": every parameter once, but `along`, if that is not empty: it must not be
    /// there, and its value will be its lower limit.
    std::vector<double> parse(const std::string &at, std::string_view along = {}) const;

    /// Refuses points that are out of range; with --extrapolate one warning on stderr instead.
    void requireRange(const std::vector<std::vector<double>> &points) const;

    /// To be called before many evaluations: loads the fields if that is faster than reading what
    /// each evaluation needs, and if they fit into memory. `stop` is asked all the time; if it said
    /// yes, evaluations will read the file.
    void expect(std::size_t evaluations, const std::function<bool()> &stop = {});

    /// Reads the leading modes of the fields alone, as many as so many seconds suffice for, one of
    /// each at least; evaluations are by these from then on. To be called before expect(). Throws
    /// for a field that has no modes, or does not fit into memory.
    void readWithin(double seconds);

    /// `values`: one for each of parameters(), in their units.
    EvaluatedFields evaluate(std::span<const double> values);
    /// The same of some values alone, columns[f] of fields()[f], in the places that they have in
    /// `result`, which an evaluate() has made; the others are of whatever was there. False, and
    /// nothing is done, where that takes as long (StudyFields::evaluateColumns()) or the geometry
    /// depends on the parameters.
    bool evaluateColumns(std::span<const double> values,
                         const std::vector<std::vector<std::uint32_t>> &columns,
                         EvaluatedFields &result);

private:
    void chooseFields(const EvaluationOptions &options);
    void requireLevels() const;
    void countMissingPoints();
    void addBands(EvaluatedFields &result, std::span<const double> values) const;

    data::StudyFields m_study;
    bool m_isScalar;
    int m_groups;
    data::OutOfRange m_outOfRange;
    std::vector<data::FieldIndex> m_indices;
    std::vector<data::Field> m_fields;
    std::vector<std::optional<data::FieldBand>> m_bands; ///< as many, if they hold
    std::vector<std::uint64_t> m_leading; ///< as many: modes that were read alone; 0: all
    std::uint64_t m_missingPoints = 0;
    std::unique_ptr<const data::InvertedCells> m_cells; ///< made when it is needed
};

} // namespace gridhelm::cli
