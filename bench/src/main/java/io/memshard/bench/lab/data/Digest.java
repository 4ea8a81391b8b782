// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.data;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 of texts and files, which a page prints next to the results that depend on them. Threading: stateless. */
public final class Digest {

    private Digest() {}

    /** Returns the first 16 hexadecimal digits of the digest of {@code bytes}. */
    public static String of(byte[] bytes) {
        return whole(bytes).substring(0, 16);
    }

    /** Returns all hexadecimal digits of the digest of {@code bytes}. */
    public static String whole(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this JDK has no SHA-256", e);
        }
    }
}
