// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/answer_maps.h"

#include "core/support/error.h"
#include "core/support/output_file.h"
#include "data/mesh/mesh_writer.h"

#include <fmt/format.h>

namespace gridhelm::cli {

std::unique_ptr<data::FieldSurrogate> loadedField(const data::Study &study,
                                                  const std::string &field)
{
    auto loaded = std::make_unique<data::FieldSurrogate>(study, study.fieldIndex(field));
    loaded->loadAll(study);
    return loaded;
}

void writeMaps(const data::Study &study, const data::Field &field,
               const std::vector<NamedMap> &maps, const std::string &path)
{
    const auto mesh = study.mesh();
    if (!mesh)
        throw Error("the study has no mesh yet: run its first job");
    const auto extension = data::extensionFor(*mesh);
    if (!path.ends_with(extension))
        throw Error(
            fmt::format("{} cannot hold this mesh: give a name that ends in {}", path, extension));
    std::vector<data::Field> fields;
    std::vector<std::vector<float>> values;
    for (const auto &map : maps) {
        auto named = field;
        named.name = map.name;
        named.unit.clear();
        fields.push_back(named);
        values.push_back(map.values);
    }
    OutputFile file(path);
    data::writeDataSet(file.temporaryPath(), *data::dataSetOf(*mesh, fields, values), path);
    file.commit();
}

} // namespace gridhelm::cli
