// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench;

import io.memshard.bench.page.ResultsPage;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code bench/run tables}: generates the tables and the charts of pages from the data that its markers name. */
@Command(
        name = "tables",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Generates the tables and the charts of the pages in docs that show results from the data.")
final class TablesCommand implements Callable<Integer> {

    @Parameters(
            arity = "0..*",
            paramLabel = "PAGE",
            description = "Markdown pages with markers (default: all of these).")
    private List<Path> pages = List.of();

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public Integer call() {
        for (Path page : pages.isEmpty() ? BenchTerminal.pages() : pages) {
            ResultsPage generated = ResultsPage.of(page);
            List<Path> stale = generated.stale();
            generated.write();
            stale.forEach(file -> Main.out(spec).println("- changed: " + file));
        }
        Main.out(spec).flush();
        return 0;
    }
}
