// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.serializer;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.transcoder.Compression;
import io.memshard.client.transcoder.EncodedValue;
import io.memshard.client.transcoder.Transcoder;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Facts that docs/adr/0010-serializers.md states of the serializers in addition to their speed. */
class SerializerSizesTest {

    private static final int DAMAGED = 300;

    @ParameterizedTest
    @EnumSource
    void readsWhatItWrites(SerializerKind kind) {
        Transcoder<SampleOrder> transcoder = kind.open();
        for (int lines : new int[] {0, 1, 20}) {
            EncodedValue encoded = transcoder.encode(SampleOrder.of(lines));
            assertThat(transcoder.decode(encoded.data(), encoded.flags())).isEqualTo(SampleOrder.of(lines));
        }
    }

    @ParameterizedTest
    @CsvSource({"JSON, 238, 1711", "SMILE, 191, 904", "JAVA, 650, 1591", "KRYO, 95, 637", "FORY, 228, 884"})
    void bytesOfAnOrder(SerializerKind kind, int withOneLine, int withTwenty) {
        assertThat(kind.open().encode(SampleOrder.of(1)).data()).hasSize(withOneLine);
        assertThat(kind.open().encode(SampleOrder.of(20)).data()).hasSize(withTwenty);
    }

    /**
     * Returns the bytes that are stored: compressed only if that is smaller. zlib may differ a little from one JDK to
     * the next.
     */
    @ParameterizedTest
    @CsvSource({"JSON, 200, 374", "SMILE, 191, 379", "KRYO, 95, 268", "FORY, 228, 404"})
    void bytesOfACompressedOrder(SerializerKind kind, int withOneLine, int withTwenty) {
        Transcoder<SampleOrder> transcoder =
                Compression.gzip().thresholdBytes(50).around(kind.open());
        assertThat(transcoder.encode(SampleOrder.of(1)).data().length).isBetween(withOneLine - 20, withOneLine + 20);
        assertThat(transcoder.encode(SampleOrder.of(20)).data().length).isBetween(withTwenty - 20, withTwenty + 20);
    }

    /** Returns how many values with some bytes changed are read as another value without a failure. */
    @ParameterizedTest
    @CsvSource({"JSON, 2, 8", "JAVA, 5, 13", "KRYO, 40, 60", "FORY, 45, 65"})
    void damageIsNoticedMoreOrLess(SerializerKind kind, int atLeastPercent, int atMostPercent) {
        Transcoder<SampleOrder> transcoder = kind.open();
        SampleOrder order = SampleOrder.of(3);
        EncodedValue encoded = transcoder.encode(order);
        Random random = new Random(1);
        int others = 0;
        for (int i = 0; i < DAMAGED; i++) {
            byte[] damaged = encoded.data().clone();
            for (int changes = 1 + random.nextInt(4); changes > 0; changes--) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
            }
            try {
                others += transcoder.decode(damaged, encoded.flags()).equals(order) ? 0 : 1;
            } catch (RuntimeException e) {
                // Noticed.
            }
        }
        assertThat(100 * others / DAMAGED).isBetween(atLeastPercent, atMostPercent);
    }
}
