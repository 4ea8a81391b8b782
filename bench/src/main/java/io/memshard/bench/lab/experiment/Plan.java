// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.experiment;

import static java.util.function.Predicate.not;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Schedule of an experiment. In a block, each cell (one system under one condition) runs in its own JVM. */
public record Plan(
        List<Cell> cells,
        List<Cell> aside,
        int asideEvery,
        int blocks,
        Duration warmUp,
        Duration window,
        int batch,
        List<Cell> profiles) {

    public Plan {
        cells = cells.stream().distinct().toList();
        aside = aside.stream().filter(not(cells::contains)).distinct().toList();
        profiles = profiles.stream().distinct().toList();
    }

    public static Plan of(List<Cell> cells, int blocks, Duration warmUp, Duration window) {
        return new Plan(cells, List.of(), 1, blocks, warmUp, window, 1, List.of());
    }

    public static Plan quick(List<Cell> cells) {
        return of(cells, 1, Duration.ofMillis(300), Duration.ofMillis(500));
    }

    public Plan withAside(List<Cell> more, int every) {
        return new Plan(cells, more, every, blocks, warmUp, window, batch, profiles);
    }

    public Plan withBlocks(int number) {
        return new Plan(cells, aside, asideEvery, number, warmUp, window, batch, profiles);
    }

    public Plan withBatch(int cycles) {
        return new Plan(cells, aside, asideEvery, blocks, warmUp, window, cycles, profiles);
    }

    public Plan withProfiles(List<Cell> profiled) {
        return new Plan(cells, aside, asideEvery, blocks, warmUp, window, batch, profiled);
    }

    public int batch(Condition condition) {
        return Hold.isNone(condition) ? batch : 1;
    }

    public List<Cell> asideOf(int block) {
        return (block - 1) % asideEvery == 0 ? aside : List.of();
    }

    public record Cell(String arm, Condition condition) {}

    public static List<Cell> cross(List<Condition> conditions, List<String> arms) {
        return conditions.stream()
                .flatMap(condition -> arms.stream().map(arm -> new Cell(arm, condition)))
                .toList();
    }

    @SafeVarargs
    public static List<Cell> all(List<Cell>... parts) {
        List<Cell> cells = new ArrayList<>();
        for (List<Cell> part : parts) {
            cells.addAll(part);
        }
        return cells;
    }
}
