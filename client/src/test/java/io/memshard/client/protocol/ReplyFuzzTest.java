// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import com.code_intelligence.jazzer.junit.DictionaryEntries;
import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Feeds the decoder of every command with the inputs of a fuzzer.
 *
 * <p>Without the profile {@code fuzz} it runs the inputs stored beside it, which include those that
 * once failed. An input is a digit for the command, a byte for how the reply is cut, and the reply.
 */
class ReplyFuzzTest {

    @FuzzTest
    @DictionaryEntries({
        "VA ",
        "HD ",
        "EN ",
        "NS ",
        "EX ",
        "NF ",
        "MN\\x0d\\x0a",
        "\\x0d\\x0a",
        " O7",
        " O16777223",
        " O33554439",
        " f0",
        " c1",
        " W",
        "VERSION ",
        "ERROR",
        "CLIENT_ERROR ",
        "SERVER_ERROR ",
        "2147483647",
        "4294967296",
        "18446744073709551616"
    })
    void repliesAreDecodedAlikeHoweverTheyAreCut(byte[] input) {
        if (input.length < 2) {
            return;
        }
        ReplyOracle.Asked[] all = ReplyOracle.Asked.values();
        ReplyOracle.Asked asked = all[Math.floorMod(input[0] - '0', all.length)];
        ReplyOracle.check(asked, Arrays.copyOfRange(input, 2, input.length), new SplittableRandom(input[1]));
    }
}
