// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "data/evaluate/study_fields.h"
#include "data/mesh/mesh_motion.h"
#include "data/mesh/mesh_probe.h"
#include "ui/probe/probe_answer.h"

#include <functional>
#include <memory>
#include <vector>

namespace gridhelm::ui {

/// Answers questions of one study, and keeps what the next ones will need: where the place is in
/// the mesh, the coefficients of that place, where the line runs. One thread at a time; throws
/// gridhelm::Error.
class PlaceEvaluator
{
public:
    PlaceEvaluator(std::shared_ptr<const StudyFacts> study,
                   std::shared_ptr<const sparse::Backend> backend);

    const std::shared_ptr<const StudyFacts> &study() const { return m_study; }

    /// What can be said at once, or with the coefficients of the shown field: all but those fields
    /// at the place that have not been read yet. Null if `stop` said so.
    std::shared_ptr<ProbeAnswer> answer(const ProbeQuestion &question,
                                        const std::function<bool()> &stop);
    /// Reads a field that answer() left out; false if there was none, or `stop` said so.
    bool readAnotherField(const std::function<bool()> &stop);

private:
    struct ProbedPlace
    {
        data::MeshEntity entity;
        std::unique_ptr<data::EntitySurrogate> surrogate; ///< null: not read yet
    };

    /// Places all over a field, whose values make its norm.
    struct NormPlaces
    {
        data::FieldIndex field = 0;
        std::vector<std::unique_ptr<data::EntitySurrogate>> entities;
    };

    vtkDataSet &mesh();
    /// Its nodes, if they move, to where they are in a state.
    void moveNodes(std::span<const float> displacement);
    void goTo(const ProbeQuestion &question);
    bool read(data::FieldIndex field, const data::FieldSurrogate *loaded,
              const std::function<bool()> &stop);
    void answerPlace(const ProbeQuestion &question, ProbeAnswer &answer) const;
    /// Null: the coefficients are not in memory yet, or `stop` said so.
    const NormPlaces *normPlaces(const ProbeQuestion &question, const data::FieldSurrogate *loaded,
                                 const std::function<bool()> &stop);
    std::vector<float> norms(const ProbeQuestion &question, const NormPlaces &places,
                             const std::vector<std::vector<double>> &axes) const;
    std::vector<float> shownValues(const ProbeQuestion &question,
                                   const data::EntitySurrogate &entity,
                                   const std::vector<std::vector<double>> &axes) const;
    std::vector<float> shownValues(const ProbeQuestion &question,
                                   const std::vector<std::vector<double>> &axes) const;
    /// Values at the place, those of states whose body is elsewhere without their numbers (NaN).
    void cutHoles(const std::vector<std::vector<double>> &axes, std::span<float> values,
                  std::size_t components) const;
    std::vector<double> valuesAlong(std::size_t t) const;
    /// `valuesAt`: all combinations of the axes, row-major.
    ProbeMap
    mapOf(const ProbeQuestion &question, std::size_t steps,
          const std::function<std::vector<float>(const std::vector<std::vector<double>> &axes)>
              &valuesAt) const;
    LineProfile profileOf(const ProbeQuestion &question);

    std::shared_ptr<const StudyFacts> m_study;
    data::StudyFields m_fields;
    vtkSmartPointer<vtkDataSet> m_mesh;           ///< null: not decoded yet
    std::unique_ptr<data::MovingNodes> m_nodes;   ///< null: they do not move, or have not yet
    std::unique_ptr<data::EntityFinder> m_finder; ///< null: not wanted yet, or nodes have moved
    std::optional<MeshPlace> m_place;
    std::vector<ProbedPlace> m_places;       ///< of each field at m_place
    std::vector<data::MeshEdge> m_cellEdges; ///< of the cell there
    std::optional<NormPlaces> m_normPlaces;  ///< none: not wanted yet
    std::optional<ProbeLine> m_line;
    std::vector<MeshPlace> m_linePlaces;
    std::unique_ptr<data::MeshProbe> m_lineProbe;
};

} // namespace gridhelm::ui
