package io.memshard.bench.result;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes records of this package as JSON files and reads them back. Other records of this module, such
 * as those of the lock profiles, go the same way, so that a results folder has one format.
 *
 * <p>Threading: thread-safe. Failure: {@link UncheckedIOException} naming the file.
 */
public final class ResultFiles {

    private static final JsonMapper MAPPER =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private ResultFiles() {}

    /** Writes {@code record} to {@code file}, creating its folder, replacing a file that is there. */
    public static void write(Path file, Record record) {
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            Files.writeString(file, MAPPER.writeValueAsString(record) + "\n");
        } catch (IOException | JacksonException e) {
            throw failure("write", file, e);
        }
    }

    /** Reads what {@link #write} wrote. Members that {@code type} does not know are ignored. */
    public static <T extends Record> T read(Path file, Class<T> type) {
        try {
            return MAPPER.readValue(Files.readString(file), type);
        } catch (IOException | JacksonException e) {
            throw failure("read", file, e);
        }
    }

    private static UncheckedIOException failure(String verb, Path file, Exception cause) {
        IOException io = cause instanceof IOException e ? e : new IOException(cause.getMessage(), cause);
        return new UncheckedIOException("cannot " + verb + " " + file + ": " + cause.getMessage(), io);
    }
}
