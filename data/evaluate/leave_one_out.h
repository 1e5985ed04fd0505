// SPDX-License-Identifier: GPL-3.0-or-later
//
// How far a field is off at runs that are left out. Private to data.
#pragma once

#include "core/sparse/sparse_grid.h"
#include "data/evaluate/error_norms.h"
#include "data/evaluate/field_anywhere.h"
#include "data/evaluate/present_body.h"
#include "data/study/field_kriging.h"
#include "data/study/study.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace gridhelm::data {

/// Points at which errors are known of a grid without their run: those of blocks that have none
/// above them in any dimension that costs runs. Of dense dimensions the coarsest levels will do,
/// five values, of which no finer one needs to be read. In storage order.
std::vector<std::uint64_t> pointsLeftOut(const sparse::SparseGrid &grid);

/// The finest runs of a grid: its last group, or more generally the points, with all levels of
/// dense dimensions, of blocks that have none above them in any other one, where levels -1 and 0
/// count as one. Without them it is a grid, too, or nothing is left.
std::vector<bool> finestPoints(const sparse::SparseGrid &grid);
/// Those of them that are enough to compare by: dense dimensions as in pointsLeftOut().
std::vector<std::uint64_t> finestPointsLeftOut(const sparse::SparseGrid &grid);

/// Coefficients of a point; false if they are not final.
using ReadCoefficients = std::function<bool(std::uint64_t point, std::span<float>)>;
/// Whether a point below another one is left out with it; empty: none is.
using IsLeftOutWith = std::function<bool(std::uint64_t below, std::uint64_t point)>;

/// At a point the error of the grid that lacks it and all points above those that are left out with
/// it: its coefficient, and what these add there (error-bounds.md, eq:leave-run-out).
class ErrorWithout
{
public:
    /// `grid` must outlive it.
    ErrorWithout(const sparse::SparseGrid &grid, std::size_t values, ReadCoefficients read,
                 IsLeftOutWith isLeftOut);

    /// False if a coefficient is not final.
    bool read(std::uint64_t point, std::span<float> error);

private:
    bool add(std::uint64_t point, double weight, std::span<float> error);

    const sparse::SparseGrid &m_grid;
    ReadCoefficients m_read;
    IsLeftOutWith m_isLeftOut;
    std::vector<float> m_coefficients;
};

/// The point's run: all points that differ from it in dense dimensions alone. `grid` must outlive
/// it.
IsLeftOutWith itsRun(const sparse::SparseGrid &grid);

/// Those of the file. `study` must outlive it.
ReadCoefficients storedCoefficients(const Study &study, FieldIndex field);

/// Errors of one field of a vector study, relative to the snapshot where it is still there, else to
/// the surrogate; of one number to its spread (scalarSpread()); on a background grid where the body
/// is.
class LeftOutErrors
{
public:
    /// All must outlive it.
    LeftOutErrors(const Study &study, FieldIndex field, const FieldAnywhere &surrogate,
                  const PresentBody &body);

    /// What errors of a single number are relative to.
    const std::optional<Norms> &spread() const { return m_spread; }

    /// Of the coefficients, at those of the points where they are final.
    void addSparseGrid(ErrorKind kind, const std::vector<std::uint64_t> &points,
                       const IsLeftOutWith &isLeftOut, std::vector<ErrorFigure> &figures,
                       const std::stop_token &stop) const;
    /// Of the coefficients that these points (empty: all) have, which are a grid, at these of
    /// kriging's runs: places off the grid. Missing coefficients are 0, as where it is shown.
    void addSparseGridAt(ErrorKind kind, const std::vector<bool> &points,
                         const FieldKriging &kriging, const std::vector<std::size_t> &runs,
                         std::vector<ErrorFigure> &figures, const std::stop_token &stop) const;
    /// Of the field's kriging, which it has, at these of its runs, where `errors` are runs x modes
    /// errors of the modes' coefficients.
    void addKriging(ErrorKind kind, const FieldKriging &kriging, const std::vector<double> &errors,
                    const std::vector<std::size_t> &runs, std::vector<ErrorFigure> &figures,
                    const std::stop_token &stop) const;

private:
    /// What is predicted of a run, whose coefficients of modes are given.
    using Predict = std::function<void(std::size_t run, const std::vector<double> &itself,
                                       std::span<float> values)>;
    void addAtRuns(ErrorKind kind, const FieldKriging &kriging,
                   const std::vector<std::size_t> &runs, const Predict &predict,
                   std::vector<ErrorFigure> &figures, const std::stop_token &stop) const;

    const Study &m_study;
    FieldIndex m_field;
    const FieldAnywhere &m_surrogate;
    const PresentBody &m_body;
    std::optional<Norms> m_spread; ///< of a single number
};

} // namespace gridhelm::data
