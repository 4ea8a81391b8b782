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
 * Rule that adds a prefix to keys, and may hash keys that memcached refuses (protocol.txt, section "Keys").
 *
 * <p>A hashed key consists of the prefix, the first {@value #HEAD_CHARS} characters of the key, {@code #}, and a hash:
 * the SHA-256 of prefix and key in URL-safe base64. A legal key that looks like a hashed key is hashed too, so that two
 * keys never name the same item.
 */
public record KeyRule(String prefix, boolean hashesRefused) {

    public static final KeyRule NONE = new KeyRule("", false);

    public static final int MAX_BYTES = 250;

    /** Estimated memory, in bytes, of each key in a command on many keys. */
    public static final int MANY_BYTES = 384;

    /** Maximum length of the prefix, so that a hashed key has at most 250 bytes. */
    public static final int MAX_PREFIX_BYTES = 100;

    private static final int HEAD_CHARS = 24;
    private static final int HASH_CHARS = 43;
    private static final char DELETE = 0x7f;
    private static final String NO_UTF_8 = "UTF-8 cannot encode it";
    private static final String NOT_ALLOWED = "spaces and control characters are not allowed";

    public KeyRule {
        if (!prefix.isEmpty() && checkLength("keyPrefix", prefix) > MAX_PREFIX_BYTES) {
            throw new IllegalArgumentException("keyPrefix has " + checkLength("keyPrefix", prefix)
                    + " bytes, but must have at most " + MAX_PREFIX_BYTES);
        }
    }

    public KeyRule withPrefix(String more) {
        return new KeyRule(prefix + Objects.requireNonNull(more, "keyPrefix is null"), hashesRefused);
    }

    public KeyRule hashing() {
        return new KeyRule(prefix, true);
    }

    public boolean isNone() {
        return prefix.isEmpty() && !hashesRefused;
    }

    /** Returns the key to send, which the caller must check by {@link #checkLength}. */
    public String stored(String key) {
        if (isNone()) {
            return key;
        }
        if (Objects.requireNonNull(key, "key is null").isEmpty()) {
            checkLength(key);
        }
        String whole = prefix.isEmpty() ? key : prefix.concat(key);
        return hashesRefused && (isHashed(whole) || !isKey(whole)) ? hashed(key, whole) : whole;
    }

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
        key.codePoints().limit(HEAD_CHARS).map(c -> isRefused(c) ? '_' : c).forEach(text::appendCodePoint);
        return text.append('#')
                .append(Base64.getUrlEncoder().withoutPadding().encodeToString(sha256(whole)))
                .toString();
    }

    private static byte[] sha256(String text) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            // A lenient encoder would encode different halves of surrogate pairs as the same byte.
            digest.update(UTF_8.newEncoder().encode(CharBuffer.wrap(text)));
            return digest.digest();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("key has half a surrogate pair: UTF-8 cannot encode it", e);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("this JVM has no SHA-256", e);
        }
    }

    /** Returns the UTF-8 length of a legal key; throws an {@link IllegalArgumentException} otherwise. */
    public static int checkLength(String key) {
        return checkLength("key", key);
    }

    private static int checkLength(String name, String key) {
        int plain = plainChars(Objects.requireNonNull(key, "key is null"));
        for (int i = plain; i < key.length(); i++) {
            char c = key.charAt(i);
            boolean isHalf = Character.isSurrogate(c) && isHalfPair(key, i);
            if (isHalf || isRefused(c)) {
                String what = isHalf ? "half a surrogate pair" : c == ' ' ? "a space" : "a control character";
                throw new IllegalArgumentException("%s has %s (0x%02x) at position %d of %d: %s"
                        .formatted(name, what, (int) c, i, key.length(), isHalf ? NO_UTF_8 : NOT_ALLOWED));
            }
        }
        int bytes = plain == key.length() ? plain : key.getBytes(UTF_8).length;
        if (bytes == 0 || bytes > MAX_BYTES) {
            throw new IllegalArgumentException(
                    bytes == 0
                            ? name + " is empty, but must have 1 to " + MAX_BYTES + " bytes"
                            : name + " has " + bytes + " bytes, but must have 1 to " + MAX_BYTES);
        }
        return bytes;
    }

    private static boolean isKey(String key) {
        int plain = plainChars(key);
        if (plain == key.length()) {
            return plain <= MAX_BYTES;
        }
        return key.chars().noneMatch(KeyRule::isRefused) && key.getBytes(UTF_8).length <= MAX_BYTES;
    }

    private static int plainChars(String key) {
        int plain = 0;
        while (plain < key.length() && key.charAt(plain) > ' ' && key.charAt(plain) < DELETE) {
            plain++;
        }
        return plain;
    }

    private static boolean isRefused(int c) {
        return c <= ' ' || c == DELETE;
    }

    private static boolean isHalfPair(String key, int i) {
        return Character.isHighSurrogate(key.charAt(i))
                ? i + 1 == key.length() || !Character.isLowSurrogate(key.charAt(i + 1))
                : i == 0 || !Character.isHighSurrogate(key.charAt(i - 1));
    }
}
