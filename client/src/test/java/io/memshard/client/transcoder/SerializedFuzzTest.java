// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.transcoder;

import com.code_intelligence.jazzer.junit.DictionaryEntries;
import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.Arrays;
import java.util.List;

/**
 * Reads the inputs of a fuzzer as Java serialization, under several allow lists.
 *
 * <p>Without {@code JAZZER_FUZZ=1} in the environment it runs the inputs stored beside it. An input is a digit for the
 * allow list, and the value.
 */
class SerializedFuzzTest {

    private static final int SERIALIZED = 1;

    private static final List<Transcoder<Object>> READERS = List.of(
            allowing(Order.CLASSES),
            allowing("java.util.*"),
            allowing("java.util.*", "java.util.concurrent.*", "java.lang.*", "java.math.*"),
            allowing("io.memshard.client.transcoder.*", "java.util.*", "java.time.*"));

    private static Transcoder<Object> allowing(String... names) {
        return CompatibleTranscoder.spymemcached().javaSerialization(JavaSerialization.allowing(names));
    }

    @FuzzTest(maxDuration = "5m")
    @DictionaryEntries({
        "\\xac\\xed\\x00\\x05",
        "sr\\x00\\x11java.util.HashSet",
        "sr\\x00\\x13java.util.ArrayList",
        "sr\\x00\\x11java.util.HashMap",
        "sr\\x00\\x13java.util.Hashtable",
        "q\\x00~\\x00\\x00",
        "q\\x00~\\x00\\x01",
        "q\\x00~\\x00\\x02",
        "w\\x04\\x00\\x00\\x00\\x00",
        "w\\x08\\x00\\x00\\x00\\x10\\x00\\x00\\x00\\x01",
        "xp",
        "x"
    })
    void serializedValuesAreReadOrRefusedInProportion(byte[] input) {
        if (input.length < 1) {
            return;
        }
        byte[] value = Arrays.copyOfRange(input, 1, input.length);
        Transcoder<Object> reader = READERS.get(Math.floorMod(input[0] - '0', READERS.size()));
        ValueOracle.decode(reader, value, SERIALIZED)
                .assertTakesNoMoreThan(ValueOracle.MIB + (long) ValueOracle.OF_THE_JDK * value.length);
    }
}
