// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/report_pictures.h"

#include "app/cli/scene_picture.h"
#include "app/cli/study_evaluation.h"
#include "ui/scene/colour/shown_values.h"
#include "ui/scene/scene.h"

#include <fmt/format.h>

namespace gridhelm::cli {

std::vector<data::ReportedPicture> reportPictures(const GlobalOptions &global,
                                                  const std::string &study,
                                                  const std::vector<std::string> &fields,
                                                  std::span<const double> place)
{
    if (fields.empty())
        return {};
    constexpr int width = 1200, height = 900; // as render's
    EvaluationOptions options;
    options.study = study;
    options.fields = fields;
    StudyEvaluation evaluation(global, options);
    const auto result = evaluation.evaluate(place);
    const auto at = captionOf(evaluation.parameters(), place);
    std::vector<data::ReportedPicture> pictures;
    for (std::size_t f = 0; f < result.fields.size(); ++f) {
        ui::ViewSettings settings;
        settings.component = ui::parseComponent(result.fields[f], {});
        ui::Scene scene;
        scene.setView(settings);
        scene.setMesh(*result.mesh);
        scene.setAxisNames(ui::axisNamesOf(evaluation.space()));
        scene.setValues(result.fields[f], result.values[f],
                        {{},
                         result.indicators[f],
                         result.geometry.displacement,
                         result.geometry.distance,
                         result.bands[f] ? result.bands[f]->nodes : std::nullopt});
        scene.setCaption(at);
        ui::OffScreenWindow window(scene, width, height);
        const auto [low, high] = scene.range();
        pictures.push_back(
            {pictureOf(window.draw()).png(),
             fmt::format("{} at {}; colours from {:.5g} to {:.5g}", scene.title(), at, low, high)});
    }
    return pictures;
}

} // namespace gridhelm::cli
