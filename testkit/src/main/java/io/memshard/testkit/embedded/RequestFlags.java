// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit.embedded;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Key and checked flags of one meta command. As in memcached, flags that do not apply to the command are ignored. */
final class RequestFlags {

    private static final String BAD_TOKEN = "CLIENT_ERROR bad token in command line format";
    private static final String KNOWN = "bcfhklqstuvxCDEFIJLMNOPRT";

    static final int LONGEST_KEY = 250;

    /** Maximum length of the flag {@code O} in bytes, letter included. */
    private static final int LONGEST_OPAQUE = 32;

    private final List<String> flags;
    private final String sent;

    /** Key to look up, decoded if it was sent in base64. */
    final String key;

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

    RequestFlags(List<String> tokens, int first, ItemStore store) throws BadCommandException {
        if (tokens.size() < first) {
            throw new BadCommandException(tokens.size() < 2 ? "ERROR" : BadCommandException.BAD_FORMAT);
        }
        flags = tokens.subList(first, tokens.size());
        StringBuilder letters = new StringBuilder();
        for (String flag : flags) {
            char letter = flag.charAt(0);
            if (letters.indexOf(flag.substring(0, 1)) >= 0) {
                throw new BadCommandException("CLIENT_ERROR duplicate flag");
            }
            if (KNOWN.indexOf(letter) < 0) {
                throw new BadCommandException("CLIENT_ERROR invalid flag");
            }
            letters.append(letter);
            parseToken(letter, flag.substring(1), store);
        }
        sent = letters.toString();
        key = has('b') ? decoded(tokens.get(1)) : tokens.get(1);
        if (key.length() > LONGEST_KEY) {
            throw new BadCommandException(BadCommandException.BAD_FORMAT);
        }
    }

    private void parseToken(char letter, String token, ItemStore store) throws BadCommandException {
        switch (letter) {
            case 'N' -> vivifyExptime = exptime(token, store);
            case 'T' -> newExptime = exptime(token, store);
            case 'R' -> recacheExptime = exptime(token, store);
            case 'C' -> compareCas = Numbers.unsigned(token, BAD_TOKEN);
            case 'E' -> explicitCas = Numbers.unsigned(token, BAD_TOKEN);
            case 'J' -> initial = Numbers.unsigned(token, BAD_TOKEN);
            case 'D' -> delta = Numbers.unsigned(token, BAD_TOKEN);
            case 'F' -> clientFlags = (int) Numbers.unsigned(token, BAD_TOKEN);
            case 'O' -> {
                if (token.length() >= LONGEST_OPAQUE) {
                    throw new BadCommandException("CLIENT_ERROR opaque token too long");
                }
            }
            case 'M' -> {
                if (token.length() != 1) {
                    throw new BadCommandException("CLIENT_ERROR incorrect length for M token");
                }
                mode = token.charAt(0);
            }
            default -> {
                // The flag has no token, or has a token that only a proxy reads.
            }
        }
    }

    private static String decoded(String key) throws BadCommandException {
        try {
            return new String(Base64.getDecoder().decode(key), StandardCharsets.ISO_8859_1);
        } catch (IllegalArgumentException e) {
            throw new BadCommandException("CLIENT_ERROR error decoding key");
        }
    }

    private static long exptime(String token, ItemStore store) throws BadCommandException {
        return store.absoluteExptime(Numbers.int32(token, BAD_TOKEN));
    }

    boolean has(char letter) {
        return sent.indexOf(letter) >= 0;
    }

    List<String> inOrder() {
        return flags;
    }

    void appendEcho(StringBuilder reply, String flag) {
        if (flag.charAt(0) == 'O') {
            reply.append(' ').append(flag);
        } else if (flag.charAt(0) == 'k') {
            reply.append(" k").append(shownKey()).append(has('b') ? " b" : "");
        }
    }

    String shownKey() {
        return has('b') ? Base64.getEncoder().encodeToString(key.getBytes(StandardCharsets.ISO_8859_1)) : key;
    }
}
