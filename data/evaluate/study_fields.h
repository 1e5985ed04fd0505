// SPDX-License-Identifier: GPL-3.0-or-later
//
// The fields of a study at any parameters, on the mesh that they live on: of vector and of scalar
// studies in the same way. What the command line and the window evaluate with.
#pragma once

#include "core/sparse/backend.h"
#include "data/evaluate/entity_surrogate.h"
#include "data/evaluate/field_surrogate.h"
#include "data/evaluate/sample_scalar.h"
#include "data/study/geometry_fields.h"
#include "data/study/study.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace gridhelm::data {

/// Throws gridhelm::Error for what is not finite: extrapolated too far.
void requireFinite(const Field &field, const FieldOutput &out);

/// The fields of a scalar study come on an image of its box in space.
///
/// One thread at a time, but for the objects that surrogate() returns. Everything throws
/// gridhelm::Error.
class StudyFields
{
public:
    /// `backend` evaluates what is in memory, the CPU of its context what is read from the file;
    /// resolution: of the images of scalar studies, see scalarImageMesh().
    /// Throws if there is no mesh yet.
    StudyFields(Study study, std::shared_ptr<const sparse::Backend> backend,
                std::size_t resolution = 0);

    /// From now on. Coefficients of vector studies stay in memory, those of scalar ones are loaded
    /// again.
    void setBackend(std::shared_ptr<const sparse::Backend> backend);

    const Study &study() const { return m_study; }
    /// Without coordinates in space.
    const ParameterSpace &parameters() const;
    /// On which all fields are.
    const std::shared_ptr<const Mesh> &mesh() const { return m_mesh; }
    /// All of the study's, in its order.
    const std::vector<Field> &fields() const { return m_fields; }
    /// Of the grid: levels that can be asked for.
    int groups() const { return m_study.grid()->groups(); }
    /// Rows that an evaluation of a field reads, at most: one of each block, or all modes.
    std::uint64_t rows(FieldIndex field, int groups) const;
    /// What the study says of the modes of a field; nothing if it has none, or is scalar.
    const std::optional<ModeSet> &modes(FieldIndex field) const;
    /// Whether a field is evaluated by modes, or by coefficients, in few bits.
    bool isInFewBits(FieldIndex field) const;
    /// Whether a field is evaluated by kriging of its modes.
    bool isKriged(FieldIndex field) const;
    /// What the modes, or the few bits, of a field add to its error at these parameters, at most:
    /// relative to the root mean square of all snapshots, in the norm of ModeSet. 0 of exact
    /// coefficients; where the field is kriged, what they lack of any snapshot that they were made
    /// of.
    double modesErrorBound(FieldIndex field, std::span<const double> values,
                           OutOfRange outOfRange = OutOfRange::refused) const;
    /// Points of the first `groups` groups that have no coefficients: they contribute nothing.
    /// Kriging needs none of them.
    std::uint64_t missingPoints(FieldIndex field, int groups) const;

    /// Where the coefficients of a field are kept in memory, made and still empty at the first
    /// call; none if they do not fit, or if the study is scalar. It may be loaded in another thread
    /// (by a Study of its own) while this one evaluates.
    std::shared_ptr<FieldSurrogate> surrogate(FieldIndex field);

    /// To be called before many evaluations of these fields: loads the first `groups` groups of
    /// each where that is less to read than what so many evaluations read from the file, as far as
    /// they fit into memory. `stop` is asked all the time; if it said yes, or a field does not fit,
    /// evaluations read the file.
    void expect(std::span<const FieldIndex> fields, double evaluations, int groups,
                const std::function<bool()> &stop = {});

    /// The field at these parameters (one value for each of parameters(), in their units), as
    /// numbers that stand for values by the field's offset and scale (Field), with the magnitude of
    /// what the last complete level adds as indicator (kriging: the standard deviation of each
    /// value). Reads memory as far as it is loaded, else the file. Of a prefix nothing is all, also
    /// of what is not loaded. Scalar studies load what they need at the first call, and cannot
    /// extrapolate. Says what it was; of scalar studies where only.
    EvaluationWork evaluate(FieldIndex field, std::span<const double> values, FieldOutput out,
                            FieldPrefix prefix = {}, OutOfRange outOfRange = OutOfRange::refused);

    /// The same of some of the field's values alone (ascending), with as many indicators; false,
    /// and nothing is done, if the prefix is not in memory, or the study is scalar: then all of it
    /// is as quick.
    bool evaluateColumns(FieldIndex field, std::span<const double> values,
                         std::span<const std::uint32_t> columns, FieldOutput out,
                         FieldPrefix prefix = {}, OutOfRange outOfRange = OutOfRange::refused);

    /// Where the body is for these parameters; empty if the study's mesh is fixed. Otherwise as
    /// evaluate(), whose fields are on the mesh that it describes.
    GeometryValues geometry(std::span<const double> values, int groups = 0,
                            OutOfRange outOfRange = OutOfRange::refused);
    const GeometryFields &geometryFields() const { return m_geometry; }

    /// One of the field's points or cells, to be evaluated at many parameters; see
    /// makeEntitySurrogate(). Scalar studies load the field at the first call.
    std::unique_ptr<EntitySurrogate> entity(FieldIndex field, std::uint64_t entity,
                                            const FieldSurrogate *loaded = nullptr,
                                            const std::function<bool()> &stop = {});

private:
    struct KeptWeights
    {
        std::shared_ptr<const Surrogate> surrogate; ///< null until it was needed
        std::optional<ModeSet> modes;
    };
    const KeptWeights &weightsOf(FieldIndex field) const;
    int completeGroups(FieldIndex field);
    std::shared_ptr<const ScalarSurrogate> scalarSurrogate(FieldIndex field, int groups);

    Study m_study;
    std::shared_ptr<const sparse::Backend> m_backend;
    std::vector<Field> m_fields;
    GeometryFields m_geometry; ///< of vector studies
    std::shared_ptr<const Mesh> m_mesh;
    std::vector<std::shared_ptr<FieldSurrogate>> m_surrogates;
    std::vector<std::optional<int>> m_completeGroups; ///< where it was needed
    mutable std::vector<KeptWeights> m_weights;

    // Scalar studies.
    struct LoadedScalar
    {
        int groups = 0;
        std::shared_ptr<const ScalarSurrogate> surrogate;
    };
    std::optional<ParameterSpace> m_runSpace; ///< without coordinates in space
    ImageMesh m_image;
    std::vector<LoadedScalar> m_scalar;
};

} // namespace gridhelm::data
