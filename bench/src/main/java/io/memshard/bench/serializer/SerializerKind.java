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
import org.apache.fory.Fory;
import org.apache.fory.ThreadSafeFory;
import tools.jackson.dataformat.smile.SmileMapper;

/** A serializer to compare. Those that are not ours know the classes beforehand, and refuse all others. */
public enum SerializerKind {
    /** {@code MemcachedSerializer.json}. */
    JSON {
        @Override
        Transcoder<SampleOrder> open() {
            return Jackson3Transcoder.of(SampleOrder.class);
        }
    },
    /** The same, compressed. */
    JSON_GZIP {
        @Override
        Transcoder<SampleOrder> open() {
            return compressed(JSON);
        }
    },
    /** Jackson's binary JSON, by the same transcoder with another mapper. */
    SMILE {
        @Override
        Transcoder<SampleOrder> open() {
            return Jackson3Transcoder.of(new SmileMapper(), SampleOrder.class);
        }
    },
    /** The same, compressed. */
    SMILE_GZIP {
        @Override
        Transcoder<SampleOrder> open() {
            return compressed(SMILE);
        }
    },
    /** Java serialization with its allow list. */
    JAVA {
        @Override
        Transcoder<SampleOrder> open() {
            return CompatibleTranscoder.spymemcached()
                    .javaSerialization(JavaSerialization.allowing(
                            "io.memshard.bench.serializer.*",
                            "java.util.ArrayList",
                            "java.util.HashMap",
                            "java.util.LinkedHashMap",
                            "java.time.*"))
                    .only(SampleOrder.class);
        }
    },
    /** Kryo 5. */
    KRYO {
        @Override
        Transcoder<SampleOrder> open() {
            return new KryoTranscoder();
        }
    },
    /** The same, compressed. */
    KRYO_GZIP {
        @Override
        Transcoder<SampleOrder> open() {
            return compressed(KRYO);
        }
    },
    /** Apache Fory 1. */
    FORY {
        @Override
        Transcoder<SampleOrder> open() {
            return new ForyTranscoder();
        }
    },
    /** The same, compressed. */
    FORY_GZIP {
        @Override
        Transcoder<SampleOrder> open() {
            return compressed(FORY);
        }
    };

    private static final int FIRST_BYTES = 1024;
    private static final int COMPRESSED_ABOVE_BYTES = 50;

    /** A transcoder of this kind. */
    abstract Transcoder<SampleOrder> open();

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
