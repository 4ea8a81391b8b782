// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit.embedded;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Flags of one meta command, with their tokens checked. Memcached accepts each known flag on every meta command, and
 * ignores flags that do not apply.
 */
final class RequestFlags {

    /** Letters that memcached knows. Flags with a token are parsed; the others are only recorded. */
    private static final String KNOWN = "bcfhklqstuvxCDEFIJLMNOPRT";

    private static final Pattern NOT_BASE64 = Pattern.compile("[^A-Za-z0-9+/=]");

    /** Maximum length of the flag letter together with its token. */
    private static final int LONGEST_OPAQUE = 32;

    private static final int LARGEST_LETTER = 127;

    private final List<String> flags;
    private final boolean[] present = new boolean[LARGEST_LETTER];
    private String key;
    private @Nullable String error;
    private boolean opaqueTooLong;

    @Nullable
    Long vivifyExptime;

    @Nullable
    Long newExptime;

    @Nullable
    Long recacheExptime;

    @Nullable
    Long compareCas;

    @Nullable
    Long explicitCas;

    int clientFlags;
    char mode;
    long initial;
    long delta = 1;

    private RequestFlags(String key, List<String> flags) {
        this.key = key;
        this.flags = flags;
    }

    /**
     * Reads the flags of a command.
     *
     * @param key the key as sent
     * @param flags the words after key and length
     * @param store store that converts an exptime to an absolute second
     * @throws BadCommandException for a flag that is unknown, repeated or malformed
     */
    static RequestFlags parse(String key, List<String> flags, ItemStore store) throws BadCommandException {
        RequestFlags parsed = new RequestFlags(key, flags);
        for (String flag : flags) {
            char letter = flag.charAt(0);
            if (letter >= LARGEST_LETTER || parsed.present[letter]) {
                throw new BadCommandException("CLIENT_ERROR duplicate flag");
            }
            if (KNOWN.indexOf(letter) < 0) {
                throw new BadCommandException("CLIENT_ERROR invalid flag");
            }
            parsed.present[letter] = true;
            parsed.parseToken(letter, flag.substring(1), store);
        }
        // As on the server, the last malformed token determines the error.
        if (parsed.error != null) {
            throw new BadCommandException(parsed.error);
        }
        return parsed;
    }

    private void parseToken(char letter, String token, ItemStore store) {
        switch (letter) {
            case 'b' -> decodeKey();
            case 'N' -> vivifyExptime = exptime(token, store);
            case 'T' -> newExptime = exptime(token, store);
            case 'R' -> recacheExptime = exptime(token, store);
            case 'C' -> compareCas = unsigned(token, "bad token in command line format");
            case 'E' -> explicitCas = unsigned(token, "bad token in command line format");
            case 'J' -> initial = orZero(unsigned(token, "invalid numeric initial value"));
            case 'D' -> delta = orZero(unsigned(token, "invalid numeric delta value"));
            case 'F' -> parseClientFlags(token);
            case 'O' -> {
                opaqueTooLong = token.length() >= LONGEST_OPAQUE;
            }
            case 'M' -> {
                if (token.length() == 1) {
                    mode = token.charAt(0);
                } else {
                    error = "CLIENT_ERROR incorrect length for M token";
                }
            }
            default -> {
                // No token, or one that only a proxy reads.
            }
        }
    }

    private void parseClientFlags(String token) {
        OptionalLong number = Numbers.parseUnsigned(token);
        if (number.isPresent()) {
            clientFlags = (int) number.getAsLong();
        } else if (error == null) {
            error = BadCommandException.BAD_FORMAT; // the only error that an earlier one overrides
        }
    }

    private void decodeKey() {
        key = decode(key);
        if (key.isEmpty()) {
            error = "CLIENT_ERROR error decoding key";
        }
    }

    /**
     * Decodes base64 like memcached. Characters outside the alphabet are skipped, and the rest must be groups of four.
     * Decoding stops after the first group with padding.
     *
     * @return the decoded text; empty if the text cannot be decoded
     */
    private static String decode(String encoded) {
        String groups = NOT_BASE64.matcher(encoded).replaceAll("");
        int padded = groups.indexOf('=');
        int length = padded < 0 ? groups.length() : padded / 4 * 4 + 4;
        if (groups.length() % 4 != 0) {
            return "";
        }
        long padding = groups.substring(0, length).chars().filter(c -> c == '=').count();
        byte[] decoded = Base64.getDecoder().decode(groups.substring(0, length).replace('=', 'A'));
        return padding > 2 ? "" : new String(decoded, 0, decoded.length - (int) padding, StandardCharsets.ISO_8859_1);
    }

    private @Nullable Long exptime(String token, ItemStore store) {
        OptionalInt exptime = Numbers.parseInt32(token);
        if (exptime.isEmpty()) {
            error = "CLIENT_ERROR bad token in command line format";
            return null;
        }
        return store.absoluteExptime(exptime.getAsInt());
    }

    private @Nullable Long unsigned(String token, String errorText) {
        OptionalLong number = Numbers.parseUnsigned(token);
        if (number.isEmpty()) {
            error = "CLIENT_ERROR " + errorText;
            return null;
        }
        return number.getAsLong();
    }

    private static long orZero(@Nullable Long number) {
        return number == null ? 0 : number;
    }

    /** Returns the key to look up, decoded if it was sent in base64. */
    String key() {
        return key;
    }

    boolean has(char letter) {
        return present[letter];
    }

    /** Returns whether the item is bumped only after its reply is built, so not at all if building the reply fails. */
    boolean concernLastFetch() {
        return has('h') || has('l') || has('N') || has('R') || has('T');
    }

    boolean isQuiet() {
        return present['q'];
    }

    /** Returns all flags in the order in which they were sent, each with its token. */
    List<String> inOrder() {
        return flags;
    }

    /**
     * Checks the opaque's length.
     *
     * @throws BadCommandException if the opaque is too long, which the server notices only when it replies
     */
    void checkOpaque() throws BadCommandException {
        if (opaqueTooLong) {
            throw new BadCommandException("CLIENT_ERROR opaque token too long");
        }
    }

    /** Appends the flags that every reply returns: the key if requested, and the opaque, whose length is checked. */
    void appendEcho(StringBuilder reply, String flag) throws BadCommandException {
        switch (flag.charAt(0)) {
            case 'O' -> {
                checkOpaque();
                reply.append(' ').append(flag);
            }
            case 'k' -> appendKey(reply, key, present['b']);
            default -> {
                // Replies do not return this flag.
            }
        }
    }

    /** Appends the key; a binary key is in base64 and marked. */
    static void appendKey(StringBuilder reply, String key, boolean binary) {
        reply.append(" k").append(binary ? encode(key) + " b" : key);
    }

    static String encode(String key) {
        return Base64.getEncoder().encodeToString(key.getBytes(StandardCharsets.ISO_8859_1));
    }
}
