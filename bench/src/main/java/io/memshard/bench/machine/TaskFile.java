// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.machine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * The task of a fork, a record, as a file of its folder.
 * Threading: stateless. Failure: {@link UncheckedIOException} naming the file.
 */
public final class TaskFile {

    private static final String NAME = "task.json";
    private static final JsonMapper MAPPER = new JsonMapper();

    private TaskFile() {}

    /** Writes {@code task} into {@code folder}, which is created if it does not exist. */
    public static void write(Path folder, Record task) {
        Path file = folder.resolve(NAME);
        try {
            Files.createDirectories(folder);
            Files.writeString(file, MAPPER.writeValueAsString(task));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file + ": " + e.getMessage(), e);
        }
    }

    /** Reads a file that {@link #write} wrote. */
    public static <T extends Record> T read(Path folder, Class<T> type) {
        Path file = folder.resolve(NAME);
        try {
            return MAPPER.readValue(Files.readString(file), type);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file + ": " + e.getMessage(), e);
        } catch (JacksonException e) {
            throw new UncheckedIOException("cannot read " + file + ": " + e.getMessage(), new IOException(e));
        }
    }

    /** Removes the file. */
    public static void delete(Path folder) throws IOException {
        Files.deleteIfExists(folder.resolve(NAME));
    }
}
