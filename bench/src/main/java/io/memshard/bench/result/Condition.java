// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.result;

/**
 * Load and callers, equal for all contenders of one round. Ratios are formed only
 * between slices of the same condition and the same round. Threading: immutable.
 *
 * @param threads number of callers, at least 1; virtual threads when {@code callers} says so
 * @param valueSize length of every value in bytes, at least 1
 * @param load commands that a caller sends
 * @param callers kind of the callers, by how they wait
 * @param inFlight number of commands that one caller keeps in flight; 1 unless the callers are asynchronous
 */
public record Condition(int threads, int valueSize, Load load, Callers callers, int inFlight) {

    /** Commands of a caller, for keys that exist. */
    public enum Load {
        GET,
        /** Nine {@code get} to one {@code set}. */
        MIXED,
        SET
    }

    /** Kind of caller, by how it waits for its reply. */
    public enum Callers {
        BLOCKING,
        /** Platform thread that keeps a window of futures in flight. */
        ASYNC,
        VIRTUAL
    }

    /** Returns whether {@code other} differs at most in the number of threads. */
    public boolean isLike(Condition other) {
        return equals(new Condition(threads, other.valueSize, other.load, other.callers, other.inFlight));
    }

    /** Returns words such as {@code 8 threads, get of 100 B}. */
    public String title() {
        return callersTitle() + ", " + loadTitle();
    }

    /** Returns words such as {@code 8 threads}. */
    public String callersTitle() {
        return switch (callers) {
            case BLOCKING -> threads == 1 ? "1 thread" : threads + " threads";
            case ASYNC -> threads + " async x " + inFlight + " in flight";
            case VIRTUAL -> threads + " virtual threads";
        };
    }

    /** Returns words such as {@code get of 100 B}. */
    public String loadTitle() {
        String size = valueSize % 1024 == 0 ? valueSize / 1024 + " KiB" : valueSize + " B";
        return switch (load) {
            case GET -> "get of " + size;
            case MIXED -> "90/10 get/set of " + size;
            case SET -> "set of " + size;
        };
    }
}
