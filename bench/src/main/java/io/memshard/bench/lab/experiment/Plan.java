// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.experiment;

import static java.util.function.Predicate.not;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Forks of an experiment. A cell is one arm under one condition. Each block runs every cell in a separate JVM, in a
 * newly shuffled order. Only cells that every block has decide on claims. Additional cells run in every third or fifth
 * block only. Threading: immutable.
 *
 * @param cells arms and conditions that run in every block; the lab adds the baseline's second run (A/A)
 * @param aside additional cells, which run in the first block and in some later ones; they add detail but decide
 *     nothing
 * @param asideEvery number of blocks after which the additional cells run again
 * @param blocks number of blocks; each block gives one ratio for any two arms
 * @param warmUp time before the measurement, at the same load
 * @param window length of the measurement
 * @param batch number of cycles that are timed together if callers do not hold the borrowed object; 1 unless a cycle
 *     takes less than a microsecond
 * @param profiles cells whose lock profile is recorded, each in a separate fork that is not timed
 */
public record Plan(
        List<Cell> cells,
        List<Cell> aside,
        int asideEvery,
        int blocks,
        Duration warmUp,
        Duration window,
        int batch,
        List<Cell> profiles) {

    /** Copies the lists without duplicates. */
    public Plan {
        cells = cells.stream().distinct().toList();
        aside = aside.stream().filter(not(cells::contains)).distinct().toList();
        profiles = profiles.stream().distinct().toList();
    }

    /** Returns a plan of {@code cells} without additional cells, in which each cycle is timed separately. */
    public static Plan of(List<Cell> cells, int blocks, Duration warmUp, Duration window) {
        return new Plan(cells, List.of(), 1, blocks, warmUp, window, 1, List.of());
    }

    /** Returns a plan of one short block. */
    public static Plan quick(List<Cell> cells) {
        return of(cells, 1, Duration.ofMillis(300), Duration.ofMillis(500));
    }

    /**
     * Returns a copy with {@code more} added to the additional cells, except those that run in every block. All
     * additional cells run in the first block and in every {@code every}-th block after it.
     */
    public Plan withAside(List<Cell> more, int every) {
        List<Cell> all = Stream.concat(aside.stream(), more.stream()).toList();
        return new Plan(cells, all, every, blocks, warmUp, window, batch, profiles);
    }

    /** Returns a copy with another number of blocks. */
    public Plan withBlocks(int number) {
        return new Plan(cells, aside, asideEvery, number, warmUp, window, batch, profiles);
    }

    /** Returns a copy with another number of cycles that are timed together. */
    public Plan withBatch(int cycles) {
        return new Plan(cells, aside, asideEvery, blocks, warmUp, window, cycles, profiles);
    }

    /** Returns a copy in which {@code profiled} are the cells whose locks are profiled. */
    public Plan withProfiles(List<Cell> profiled) {
        return new Plan(cells, aside, asideEvery, blocks, warmUp, window, batch, profiled);
    }

    /**
     * Returns the number of cycles that are timed together under {@code condition}: 1 if callers hold borrowed objects.
     */
    public int batch(Condition condition) {
        return Hold.isNone(condition) ? batch : 1;
    }

    /** Returns the additional cells of {@code block}, counted from 1. */
    public List<Cell> asideOf(int block) {
        return (block - 1) % asideEvery == 0 ? aside : List.of();
    }

    /** One arm under one condition. */
    public record Cell(String arm, Condition condition) {}

    /** Returns every arm of {@code arms} under every condition, in this order. */
    public static List<Cell> cross(List<Condition> conditions, List<String> arms) {
        return conditions.stream()
                .flatMap(condition -> arms.stream().map(arm -> new Cell(arm, condition)))
                .toList();
    }

    /** Returns all of {@code parts}, one after the other, in a new list. */
    @SafeVarargs
    public static List<Cell> all(List<Cell>... parts) {
        List<Cell> cells = new ArrayList<>();
        for (List<Cell> part : parts) {
            cells.addAll(part);
        }
        return cells;
    }
}
