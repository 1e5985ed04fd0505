// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/solve_method.h"
#include "core/solvers/poisson/methods.h"

namespace gridhelm::cli {

void addSolveSorCommand(CLI::App &parent, const GlobalOptions &global)
{
    addSolvePoissonCommand(parent, global, solvers::sorFamily, R"(
Without --iterations and --until, 1000 iterations are done. With --until alone the run goes on until
the figure is reached or comes no closer. --at changes relaxation, "source x", "source y", "source
strength", "boundary x low", ... on the way.

Examples:
  gridhelm-cli solve sor --size 512 --until residual=1e-8 --picture spike.png
  gridhelm-cli solve sor --method mlssor --shape 8x16 --w 1.7 --iterations 4000
  gridhelm-cli solve sor --method sequential --direction forward --w 1 --size 100 \
      --source eigenfunction --waves 3,2 --until error=1e-8
  gridhelm-cli solve sor --size 96x96x96 --source gaussian --until residual=1e-6 --save u.vti
  gridhelm-cli solve sor --start u.vti --size 192x192x192 --source gaussian --until residual=1e-6
  gridhelm-cli solve sor --size 127 --source gaussian --radius 0.1 --source-at 0.37,0.62 \
      --strength 2069 --side y-high=dirichlet:20 --until residual=1e-6 --compare-cold \
      --start plate.gridhelm --start-at x=0.37,y=0.62,strength=130
  gridhelm-cli solve sor --relaxation 1 --at 200:relaxation=1.9 --iterations 600 --picture run.png)");
}

} // namespace gridhelm::cli
