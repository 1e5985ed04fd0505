// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/campaign/grid_chooser.h"

#include "core/support/error.h"
#include "data/campaign/fill_step.h"
#include "data/campaign/make_means.h"
#include "data/campaign/refine_goal.h"
#include "data/compress/compress.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace gridhelm::data {

namespace {

/// What has come, runs that have failed left out. False if it was stopped.
bool compressWhatIsThere(StudyWriter &writer, const RefineStep &step, const StepControl &control)
{
    CompressOptions options;
    options.allowMissing = true;
    options.cpu = step.context.cpu();
    options.backend = step.backend;
    options.progress = [&](std::uint64_t, std::uint64_t) { return goesOn(control); };
    return !compress(writer, options).cancelled;
}

} // namespace

GridChooser::GridChooser(StudyWriter &writer, const RefineStep &step, const StepControl &control)
    : m_writer(writer)
    , m_step(step)
    , m_control(control)
    , m_fields(fieldsOf(writer, step.field))
    , m_means(meansFor(writer, step))
    , m_state(writer, m_fields, countsOf(writer, m_fields, step))
    , m_mixture(writer, fieldsToChooseBy(m_fields, m_means, step))
{
}

bool GridChooser::update()
{
    // Coefficients take modes away, which are made again when it ends: a kill must not forget them.
    reconsiderForms(m_writer, m_means, false);
    if (!compressWhatIsThere(m_writer, m_step, m_control) || !chooseSurrogates()
        || !goesOn(m_control)) // nothing asks where there is nothing to compress
        return false;
    m_state.update();
    return true;
}

/// Where runs may be off the grid, which they are depends on what is better. False if it was
/// stopped.
bool GridChooser::chooseSurrogates()
{
    CompressStep compression;
    compression.context = m_step.context;
    compression.backend = m_step.backend;
    CompressStepReport made;
    return std::ranges::all_of(m_mixture.fieldsToChoose(), [&](FieldIndex field) {
        return chooseSurrogate(
            m_writer, field, m_means[field], compression, m_control,
            [&](double) { return goesOn(m_control); }, made);
    });
}

std::vector<std::optional<double>> GridChooser::estimates() const
{
    std::vector<std::optional<double>> errors;
    for (std::size_t f = 0; f < m_fields.size(); ++f) {
        const auto offGrid = m_mixture.errorOffGrid(m_fields[f]);
        errors.push_back(offGrid ? offGrid : m_state.estimate(f));
    }
    return errors;
}

/// On the grid or off it, whichever is more in arrears.
AddedRuns GridChooser::add(std::uint64_t wanted, std::uint64_t most)
{
    const bool isOffGrid = wanted > 0 && 2 * m_mixture.offGridOf(wanted) >= wanted;
    auto added = isOffGrid ? leaveGrid(wanted) : growGrid(wanted, most);
    if (!added.isAny())
        added = isOffGrid ? growGrid(wanted, most) : leaveGrid(wanted);
    return added;
}

AddedRuns GridChooser::growGrid(std::uint64_t wanted, std::uint64_t most)
{
    const auto blocks = m_state.choose(wanted, most);
    try {
        if (!blocks.empty())
            m_writer.growBlocks(blocks, m_control.stop);
    } catch (const Error &) {
        if (!m_control.stop.stop_requested())
            throw;
        return {}; // the grid is as before
    }
    return {blocks.size(), 0};
}

AddedRuns GridChooser::leaveGrid(std::uint64_t wanted)
{
    if (!m_mixture.mayLeaveGrid())
        return {};
    planPlaces(m_writer, static_cast<std::size_t>(wanted));
    return {0, wanted};
}

std::string GridChooser::exhaustion() const
{
    constexpr auto any = std::numeric_limits<std::uint64_t>::max();
    return !m_mixture.mayLeaveGrid() && m_state.choose(1, any).empty()
               ? "the grid has no block left that its level caps allow"
               : "";
}

} // namespace gridhelm::data
