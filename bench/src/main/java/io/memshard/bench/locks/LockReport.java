package io.memshard.bench.locks;

import io.memshard.bench.result.Environment;
import java.util.List;

/**
 * All that one run of lock profiles found: the content of {@code locks.json}.
 *
 * <p>Threading: immutable.
 *
 * @param environment where it ran
 * @param windowMillis length of each load window that was asked for
 * @param valueSize length of every value in bytes
 * @param profiles in the order in which they ran
 */
public record LockReport(Environment environment, long windowMillis, int valueSize, List<LockProfile> profiles) {

    /** Name of the file in a results folder. */
    public static final String FILE_NAME = "locks.json";
}
