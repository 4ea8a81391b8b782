// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.serializer;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import io.memshard.client.json.Jackson3Transcoder;
import io.memshard.client.transcoder.CompatibleTranscoder;
import io.memshard.client.transcoder.Compression;
import io.memshard.client.transcoder.EncodedValue;
import io.memshard.client.transcoder.JavaSerialization;
import io.memshard.client.transcoder.Transcoder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.function.Supplier;
import org.apache.fory.Fory;
import org.apache.fory.ThreadSafeFory;
import tools.jackson.dataformat.smile.SmileMapper;

/**
 * Serializer to compare, or a compressed variant of one. The serializers of other projects have a list of the classes,
 * and refuse all other classes.
 */
public enum SerializerKind {
    /** {@code Jackson3Transcoder}. */
    JSON(() -> Jackson3Transcoder.of(SampleOrder.class)),
    JSON_GZIP(() -> compressed(JSON)),
    /** Jackson's binary JSON, by the same transcoder with another mapper. */
    SMILE(() -> Jackson3Transcoder.of(new SmileMapper(), SampleOrder.class)),
    SMILE_GZIP(() -> compressed(SMILE)),
    /** Java serialization with its allow list. */
    JAVA(SerializerKind::java),
    /** Kryo 5. */
    KRYO(KryoTranscoder::new),
    KRYO_GZIP(() -> compressed(KRYO)),
    /** Apache Fory 1. */
    FORY(ForyTranscoder::new),
    FORY_GZIP(() -> compressed(FORY));

    private static final int FIRST_BYTES = 1024;
    private static final int COMPRESSED_ABOVE_BYTES = 50;

    @SuppressWarnings("ImmutableEnumChecker") // Openers are lambdas without state.
    private final Supplier<Transcoder<SampleOrder>> opener;

    SerializerKind(Supplier<Transcoder<SampleOrder>> opener) {
        this.opener = opener;
    }

    /** Returns a new transcoder of this kind. */
    Transcoder<SampleOrder> open() {
        return opener.get();
    }

    private static Transcoder<SampleOrder> java() {
        return CompatibleTranscoder.spymemcached()
                .javaSerialization(JavaSerialization.allowing(
                        "io.memshard.bench.serializer.*",
                        "java.util.ArrayList",
                        "java.util.HashMap",
                        "java.util.LinkedHashMap",
                        "java.time.*"))
                .only(SampleOrder.class);
    }

    private static Transcoder<SampleOrder> compressed(SerializerKind kind) {
        return Compression.gzip().thresholdBytes(COMPRESSED_ABOVE_BYTES).around(kind.open());
    }

    private static final class KryoTranscoder implements Transcoder<SampleOrder> {

        private static final ThreadLocal<Kryo> KRYOS = ThreadLocal.withInitial(() -> {
            Kryo kryo = new Kryo();
            kryo.register(SampleOrder.class);
            kryo.register(SampleOrder.Line.class);
            kryo.register(ArrayList.class);
            kryo.register(LinkedHashMap.class);
            kryo.register(Instant.class);
            return kryo;
        });

        @Override
        public EncodedValue encode(SampleOrder value) {
            Output output = new Output(FIRST_BYTES, -1);
            KRYOS.get().writeObject(output, value);
            return new EncodedValue(output.toBytes(), 0);
        }

        @Override
        public SampleOrder decode(byte[] data, int flags) {
            return KRYOS.get().readObject(new Input(data), SampleOrder.class);
        }
    }

    private static final class ForyTranscoder implements Transcoder<SampleOrder> {

        private final ThreadSafeFory fory =
                Fory.builder().withXlang(false).withAsyncCompilation(false).buildThreadSafeFory();

        ForyTranscoder() {
            fory.register(SampleOrder.class, 500);
            fory.register(SampleOrder.Line.class, 501);
        }

        @Override
        public EncodedValue encode(SampleOrder value) {
            return new EncodedValue(fory.serialize(value), 0);
        }

        @Override
        public SampleOrder decode(byte[] data, int flags) {
            return fory.deserialize(data, SampleOrder.class);
        }
    }
}
