// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench;

import io.memshard.bench.command.BenchCommand;
import io.memshard.bench.command.BenchTerminal;
import io.memshard.bench.page.ResultsPage;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code bench/run tables}: generates the tables and the charts of pages from the data that its markers name. */
@Command(
        name = "tables",
        description = "Generates the tables and the charts of the pages in docs that show results from the data.")
final class TablesCommand extends BenchCommand {

    @Parameters(
            arity = "0..*",
            paramLabel = "PAGE",
            description = "Markdown pages with markers (default: all of these).")
    private List<Path> pages = List.of();

    @Override
    public Integer call() {
        for (Path page : pages.isEmpty() ? BenchTerminal.pages() : pages) {
            ResultsPage generated = ResultsPage.of(page);
            List<Path> stale = generated.stale();
            generated.write();
            stale.forEach(file -> out().println("- changed: " + file));
        }
        out().flush();
        return 0;
    }
}
