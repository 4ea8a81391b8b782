// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Changed replies, the same in each run: the part of fuzzing that needs no fuzzer. */
class ReplyMutationTest {

    private static final int ROUNDS = 1_000;

    private static final List<String> FRAGMENTS = List.of(
            "\r\n",
            "\n",
            "\r",
            " ",
            "\0",
            "O7",
            " O8",
            " O",
            " f-1",
            "-1",
            "0",
            "2147483647",
            "2147483648",
            "4294967295",
            "18446744073709551615",
            "18446744073709551616",
            "VA 5 f0 O7\r\nhello\r\n",
            "MN\r\n",
            "EN\r\n",
            "HD O7\r\n",
            "ERROR\r\n",
            "SERVER_ERROR out of memory\r\n",
            "x".repeat(5_000));

    @ParameterizedTest
    @EnumSource
    void mutatedRepliesAreDecodedAlikeHoweverTheyAreCut(ReplyOracle.Asked asked) {
        for (int seed = 0; seed < ROUNDS; seed++) {
            RandomGenerator random = new SplittableRandom(seed);
            StringBuilder reply = new StringBuilder(pick(asked.replies(), random));
            for (int mutations = random.nextInt(4); mutations > 0; mutations--) {
                mutate(reply, random);
            }
            check(asked, reply.toString().getBytes(ISO_8859_1), random, seed);
        }
    }

    private static void check(ReplyOracle.Asked asked, byte[] reply, RandomGenerator cuts, int seed) {
        try {
            ReplyOracle.check(asked, reply, cuts);
        } catch (RuntimeException | Error e) {
            throw new AssertionError("seed " + seed + ": " + new String(reply, ISO_8859_1), e);
        }
    }

    private static void mutate(StringBuilder reply, RandomGenerator random) {
        int at = random.nextInt(reply.length() + 1);
        int end = Math.min(reply.length(), at + random.nextInt(1, 8));
        switch (random.nextInt(5)) {
            case 0 -> reply.insert(at, pick(FRAGMENTS, random));
            case 1 -> reply.insert(end, reply.substring(at, end));
            case 2 -> reply.delete(at, end);
            case 3 -> reply.setLength(at);
            default -> {
                for (int i = at; i < end; i++) {
                    reply.setCharAt(i, (char) random.nextInt(256));
                }
            }
        }
    }

    private static String pick(List<String> choices, RandomGenerator random) {
        return choices.get(random.nextInt(choices.size()));
    }
}
