// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.result;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Objects;

/** Files of text. */
public final class TextFile {

    private TextFile() {}

    public static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw failure("read", file, e);
        }
    }

    public static String resource(Class<?> type, String name) {
        try (InputStream in = Objects.requireNonNull(type.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw failure("read", Path.of(name), e);
        }
    }

    public static void write(Path file, String text) {
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            Files.writeString(file, text);
        } catch (IOException e) {
            throw failure("write", file, e);
        }
    }

    public static String digest(byte[] bytes) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(bytes))
                    .substring(0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this JDK has no SHA-256", e);
        }
    }

    public static UncheckedIOException failure(String verb, Path file, IOException cause) {
        return new UncheckedIOException("cannot " + verb + " " + file + ": " + cause.getMessage(), cause);
    }
}
