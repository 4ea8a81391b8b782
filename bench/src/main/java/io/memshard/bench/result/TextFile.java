// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.result;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Files of text and of JSON. Threading: stateless. Failure: {@link UncheckedIOException} naming the file. */
public final class TextFile {

    private static final JsonMapper MAPPER =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private TextFile() {}

    /** Reads {@code file}. */
    public static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw failure("read", file, e);
        }
    }

    /** Returns the text of the resource {@code name} in the package of {@code type}. */
    public static String resource(Class<?> type, String name) {
        try (InputStream in = Objects.requireNonNull(type.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw failure("read", Path.of(name), e);
        }
    }

    /** Writes {@code text} to {@code file}, whose folder is created if it does not exist. */
    public static void write(Path file, String text) {
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            Files.writeString(file, text);
        } catch (IOException e) {
            throw failure("write", file, e);
        }
    }

    /** Reads a record that {@link #writeJson} wrote. */
    public static <T extends Record> T readJson(Path file, Class<T> type) {
        try {
            return MAPPER.readValue(read(file), type);
        } catch (JacksonException e) {
            throw failure("read", file, new IOException(e.getMessage(), e));
        }
    }

    /** Writes {@code content} as JSON to {@code file}, whose folder is created if it does not exist. */
    public static void writeJson(Path file, Record content) {
        write(file, MAPPER.writeValueAsString(content) + "\n");
    }

    /** Returns the exception for a failure to {@code verb} the file. */
    public static UncheckedIOException failure(String verb, Path file, IOException cause) {
        return new UncheckedIOException("cannot " + verb + " " + file + ": " + cause.getMessage(), cause);
    }
}
