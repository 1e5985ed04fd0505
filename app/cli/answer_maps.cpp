// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/answer_maps.h"

#include "core/support/error.h"
#include "core/support/memory_check.h"
#include "core/support/output_file.h"
#include "data/evaluate/study_surrogate.h"
#include "data/mesh/mesh_writer.h"

#include <fmt/format.h>

#include <cstdint>
#include <span>

namespace gridhelm::cli {

FieldRows::FieldRows(const data::Study &study, const std::string &field)
    : m_loaded(study, study.fieldIndex(field))
{
    if (!m_loaded.isInFewBits()) {
        m_loaded.loadAll(study);
        return;
    }
    const auto rows = m_loaded.surrogate().rows();
    const auto columns = m_loaded.values();
    requireMemory(static_cast<double>(rows) * static_cast<double>(columns) * sizeof(float),
                  fmt::format("the {} rows of field {}", rows, field), "close other programs");
    m_decoded.resize(rows * columns);
    for (std::uint64_t row = 0; row < rows; ++row)
        data::readRow(study, study.fieldIndex(field), m_loaded.surrogate(), row,
                      std::span(m_decoded).subspan(row * columns, columns));
}

sparse::MatrixView<const float> FieldRows::matrix() const
{
    if (m_decoded.empty())
        return m_loaded.matrix();
    const auto columns = m_loaded.values();
    return {m_decoded.data(), m_decoded.size() / columns, columns, columns};
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
