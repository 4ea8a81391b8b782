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
 * Under which key the server has the item of a caller's key: behind a prefix, and hashed if memcached refuses it.
 *
 * <p>A hashed key is the prefix, the first {@value #HEAD_CHARS} characters, {@code #}, and 43 characters: the SHA-256
 * of prefix and key in UTF-8, in URL-safe base64 without padding. A character that memcached refuses is {@code _}
 * there. A key that ends as a hashed one does is hashed too. So two keys never have the same item, unless their
 * SHA-256 is the same.
 *
 * <p>Threading: immutable.
 *
 * @param prefix stands before each key; empty for none
 * @param hashesRefused whether keys that memcached refuses are hashed
 */
public record KeyRule(String prefix, boolean hashesRefused) {

    /** Keys as their callers write them. */
    public static final KeyRule NONE = new KeyRule("", false);

    /** The longest prefix, which leaves room for a hashed key. */
    public static final int MAX_PREFIX_BYTES = 100;

    private static final int HEAD_CHARS = 32;
    private static final int HASH_CHARS = 43;

    /**
     * Checks the prefix.
     *
     * @throws IllegalArgumentException if a key cannot begin with it, or if it is longer than {@link #MAX_PREFIX_BYTES}
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

    /** Returns the same rule with {@code more} after its prefix. */
    public KeyRule withPrefix(String more) {
        return new KeyRule(prefix + Objects.requireNonNull(more, "keyPrefix is null"), hashesRefused);
    }

    /** Returns the same rule, but keys that memcached refuses are hashed. */
    public KeyRule hashing() {
        return new KeyRule(prefix, true);
    }

    /** Returns whether keys are stored as they are. */
    public boolean isNone() {
        return prefix.isEmpty() && !hashesRefused;
    }

    /**
     * Returns the key to send for {@code key}: the same object if {@link #isNone}.
     *
     * @throws IllegalArgumentException if it is empty. Whether memcached takes the result is checked where it is used
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

    /** Returns whether the key ends as a hashed one does. */
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
            // Strict, because two keys with different halves of a pair would have the same bytes.
            digest.update(UTF_8.newEncoder().encode(CharBuffer.wrap(text)));
            return digest.digest();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("key has half a surrogate pair: UTF-8 cannot encode it", e);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("each JVM has SHA-256", e);
        }
    }
}
