// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.bench.lab.data.Forks;
import io.memshard.bench.lab.experiment.Condition;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/**
 * Sixty cells of tables that were published, drawn at random: forty of the lab and twenty of comparisons. The rows of
 * their data still give them.
 */
class PublishedCellsTest {

    private static final Path RESULTS = Path.of("..", "docs", "results");

    @ParameterizedTest
    @CsvFileSource(resources = "published-cells.csv", numLinesToSkip = 1)
    void theDataStillGiveThePublishedCell(
            String folder, String condition, String baseline, String row, String column, String cell) {
        String table = condition == null ? ofComparison(folder, baseline) : ofLab(folder, condition, baseline);

        assertThat(cell(table, row, column).replaceAll(" (faster|slower|inconclusive)", ""))
                .isEqualTo(cell);
    }

    private static String ofLab(String folder, String condition, String baseline) {
        LabData data = LabData.read(RESULTS.resolve(folder));
        Forks forks = data.forks(folder.substring("lab-".length()));
        return new ArmTable(forks, true).of(Condition.parse(condition), baseline);
    }

    private static String ofComparison(String folder, String baseline) {
        return Comparison.read(RESULTS.resolve(folder)).table(baseline, List.of());
    }

    private static String cell(String table, String row, String column) {
        List<List<String>> rows = table.lines()
                .filter(line -> line.startsWith("|"))
                .map(line -> Arrays.stream(line.split("\\|", -1))
                        .skip(1)
                        .map(String::strip)
                        .toList())
                .toList();
        return rows.stream()
                .filter(cells -> cells.get(0).equals(row))
                .findFirst()
                .orElseThrow()
                .get(rows.get(0).indexOf(column));
    }
}
