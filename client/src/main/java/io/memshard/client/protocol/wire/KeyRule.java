// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Objects;

/**
 * Rule that converts a caller's key to the key on the server. It adds a prefix, and can hash keys that memcached
 * refuses.
 *
 * <p>A hashed key consists of the prefix, the first {@value #HEAD_CHARS} characters of the key, {@code #}, and a hash
 * of 43 characters. The hash is the SHA-256 of prefix and key in UTF-8, in URL-safe base64 without padding. {@code _}
 * replaces each character that memcached refuses. A key that itself ends like a hashed key is hashed too. So two keys
 * never share an item, unless they have the same SHA-256.
 *
 * <p>Threading: immutable.
 *
 * @param prefix the text before each key; empty for none
 * @param hashesRefused whether keys that memcached refuses are hashed
 */
public record KeyRule(String prefix, boolean hashesRefused) {

    /** Rule that leaves each key unchanged. */
    public static final KeyRule NONE = new KeyRule("", false);

    /** Maximum length of the prefix, in bytes. It leaves room for a hashed key. */
    public static final int MAX_PREFIX_BYTES = 100;

    private static final int HEAD_CHARS = 32;
    private static final int HASH_CHARS = 43;

    /**
     * Checks the prefix.
     *
     * @throws IllegalArgumentException if a key cannot begin with the prefix, or if the prefix is longer than {@link
     *     #MAX_PREFIX_BYTES}
     */
    public KeyRule {
        if (!prefix.isEmpty()) {
            int bytes;
            try {
                bytes = Key.checkLength(prefix);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("keyPrefix: " + e.getMessage(), e);
            }
            if (bytes > MAX_PREFIX_BYTES) {
                throw new IllegalArgumentException(
                        "keyPrefix has " + bytes + " bytes: it has at most " + MAX_PREFIX_BYTES);
            }
        }
    }

    /** Returns a copy of this rule, with {@code more} appended to its prefix. */
    public KeyRule withPrefix(String more) {
        return new KeyRule(prefix + Objects.requireNonNull(more, "keyPrefix is null"), hashesRefused);
    }

    /** Returns a copy of this rule that hashes the keys that memcached refuses. */
    public KeyRule hashing() {
        return new KeyRule(prefix, true);
    }

    /** Returns whether this rule leaves each key unchanged. */
    public boolean isNone() {
        return prefix.isEmpty() && !hashesRefused;
    }

    /**
     * Returns the key to send for {@code key}: the same object if {@link #isNone}.
     *
     * @throws IllegalArgumentException if {@code key} is empty, or if it has to be hashed and has half a surrogate
     *     pair. The caller has to check whether memcached accepts the result
     */
    public String stored(String key) {
        if (isNone()) {
            return key;
        }
        if (Objects.requireNonNull(key, "key is null").isEmpty()) {
            Key.checkLength(key);
        }
        String whole = prefix.isEmpty() ? key : prefix.concat(key);
        return hashesRefused && (isHashed(whole) || !Key.isKey(whole)) ? hashed(key, whole) : whole;
    }

    /** Returns whether {@code whole}, a key with its prefix, ends like a hashed key. */
    private static boolean isHashed(String whole) {
        int mark = whole.length() - HASH_CHARS - 1;
        return mark >= 0
                && whole.charAt(mark) == '#'
                && whole.chars().skip(mark + 1L).allMatch(KeyRule::isOfHash);
    }

    private static boolean isOfHash(int c) {
        return c < 0x80 && (Character.isLetterOrDigit(c) || c == '-' || c == '_');
    }

    private String hashed(String key, String whole) {
        StringBuilder text = new StringBuilder(prefix);
        int end = Math.min(HEAD_CHARS, key.length());
        if (end < key.length() && Character.isHighSurrogate(key.charAt(end - 1))) {
            end--;
        }
        for (int i = 0; i < end; i++) {
            char c = key.charAt(i);
            text.append(Key.isRefused(c) ? '_' : c);
        }
        return text.append('#')
                .append(Base64.getUrlEncoder().withoutPadding().encodeToString(sha256(whole)))
                .toString();
    }

    private static byte[] sha256(String text) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            // A lenient encoder would give the same bytes to keys that differ only in halves of surrogate pairs.
            digest.update(UTF_8.newEncoder().encode(CharBuffer.wrap(text)));
            return digest.digest();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("key has half a surrogate pair: UTF-8 cannot encode it", e);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("each JVM has SHA-256", e);
        }
    }
}
