// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.locks;

import io.memshard.bench.result.Environment;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * All that one run of lock profiles found: the content of {@code locks.json}.
 *
 * <p>Threading: immutable. Failure: {@link UncheckedIOException} naming the file.
 *
 * @param environment where it ran
 * @param windowMillis length of each load window that was asked for
 * @param valueSize length of every value in bytes
 * @param profiles in the order in which they ran
 */
public record LockReport(Environment environment, long windowMillis, int valueSize, List<LockProfile> profiles) {

    /** Name of the file in a results folder. */
    public static final String FILE_NAME = "locks.json";

    private static final JsonMapper MAPPER =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    /** Whether {@code folder} holds a report. */
    public static boolean isIn(Path folder) {
        return Files.exists(folder.resolve(FILE_NAME));
    }

    /** Writes this report into {@code folder}, which is created if it is not there. */
    public void write(Path folder) {
        Path file = folder.resolve(FILE_NAME);
        try {
            Files.createDirectories(folder);
            Files.writeString(file, MAPPER.writeValueAsString(this) + "\n");
        } catch (IOException | JacksonException e) {
            throw failure("write", file, e);
        }
    }

    /** Reads what {@link #write} wrote. */
    public static LockReport read(Path folder) {
        Path file = folder.resolve(FILE_NAME);
        try {
            return MAPPER.readValue(Files.readString(file), LockReport.class);
        } catch (IOException | JacksonException e) {
            throw failure("read", file, e);
        }
    }

    private static UncheckedIOException failure(String verb, Path file, Exception cause) {
        IOException io = cause instanceof IOException e ? e : new IOException(cause.getMessage(), cause);
        return new UncheckedIOException("cannot " + verb + " " + file + ": " + cause.getMessage(), io);
    }
}
