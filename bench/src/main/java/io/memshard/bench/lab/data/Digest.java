// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.data;

import io.memshard.bench.result.Csv;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * SHA-256 of texts and files. A page prints the digest next to the results that depend on the text or file. Threading:
 * stateless.
 */
public final class Digest {

    private static final int SHOWN = 16;

    private Digest() {}

    /** Returns the first 16 hexadecimal digits of the digest of {@code text} in UTF-8. */
    public static String of(String text) {
        return of(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns the first 16 hexadecimal digits of the digest of {@code file}. */
    public static String ofFile(Path file) {
        return of(Csv.bytes(file));
    }

    /** Returns the first 16 hexadecimal digits of the digest of {@code bytes}. */
    public static String of(byte[] bytes) {
        return whole(bytes).substring(0, SHOWN);
    }

    /** Returns all hexadecimal digits of the digest of {@code bytes}. */
    public static String whole(byte[] bytes) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this JDK has no SHA-256", e);
        }
    }
}
