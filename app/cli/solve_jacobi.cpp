// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/solve_method.h"
#include "core/solvers/poisson/methods.h"

namespace gridhelm::cli {

void addSolveJacobiCommand(CLI::App &parent, const GlobalOptions &global)
{
    addSolvePoissonCommand(parent, global, solvers::jacobiFamily, R"(
Without --iterations and --until, 1000 iterations are done. With --until alone the run goes on until
the figure is reached or comes no closer. --at changes "source x", "source y", "source strength",
"boundary x low", ... on the way.

Examples:
  gridhelm-cli solve jacobi --size 512 --method temporal --iterations 20000 --picture heat.png
  gridhelm-cli solve jacobi --size 200 --source eigenfunction --until error=1e-8
  gridhelm-cli solve jacobi --size 300x200 --source none --side y-low=dirichlet:1 \
      --side x-low=neumann --side x-high=neumann --until residual=1e-6 --save u.vti
  gridhelm-cli solve jacobi --method async3 --alpha 5 --precision float --threads 2 --pin --json
  gridhelm-cli solve jacobi --at 500:source-x=0.25 --at 800:boundary-y-low=0.1 --history run.csv)");
}

} // namespace gridhelm::cli
