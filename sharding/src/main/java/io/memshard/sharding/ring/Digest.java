// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.ring;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Message digest for points of a ring. Clones a digest, because the search for a provider is slow. */
final class Digest {

    static final Digest MD5 = new Digest("MD5");
    static final Digest SHA_1 = new Digest("SHA-1");
    static final Digest SHA_384 = new Digest("SHA-384");

    static final int KETAMA_POINTS = 4;

    private final MessageDigest empty;

    private Digest(String algorithm) {
        try {
            empty = MessageDigest.getInstance(algorithm);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(
                    "no security provider of this JVM has " + algorithm + ": enable a provider with this digest", e);
        }
    }

    byte[] of(String text) {
        try {
            return ((MessageDigest) empty.clone()).digest(text.getBytes(UTF_8));
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException(
                    "the security provider " + empty.getProvider() + " cannot clone a digest of " + empty.getAlgorithm()
                            + ": prefer a provider that can",
                    e);
        }
    }

    int firstPoint(String text) {
        return ByteHashes.int32(of(text), 0);
    }
}
