// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.serializer;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import io.memshard.client.json.Jackson3Transcoder;
import io.memshard.client.transcoder.CompatibleTranscoder;
import io.memshard.client.transcoder.EncodedValue;
import io.memshard.client.transcoder.JavaSerialization;
import io.memshard.client.transcoder.Transcoder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.fory.Fory;
import org.apache.fory.ThreadSafeFory;
import tools.jackson.dataformat.smile.SmileMapper;

/** Serializer to compare. Those of other projects have a list of the classes, and refuse all other classes. */
public enum SerializerKind {
    JSON(() -> Jackson3Transcoder.of(SampleOrder.class)),
    SMILE(() -> Jackson3Transcoder.of(new SmileMapper(), SampleOrder.class)),
    JAVA(SerializerKind::java),
    KRYO(SerializerKind::kryo),
    FORY(SerializerKind::fory);

    @SuppressWarnings("ImmutableEnumChecker") // Openers are lambdas without state.
    private final Supplier<Transcoder<SampleOrder>> opener;

    SerializerKind(Supplier<Transcoder<SampleOrder>> opener) {
        this.opener = opener;
    }

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

    private static Transcoder<SampleOrder> kryo() {
        ThreadLocal<Kryo> kryos = ThreadLocal.withInitial(() -> {
            Kryo kryo = new Kryo();
            Stream.of(SampleOrder.class, SampleOrder.Line.class, ArrayList.class, LinkedHashMap.class, Instant.class)
                    .forEach(kryo::register);
            return kryo;
        });
        return of(
                order -> {
                    Output output = new Output(1024, -1);
                    kryos.get().writeObject(output, order);
                    return output.toBytes();
                },
                data -> kryos.get().readObject(new Input(data), SampleOrder.class));
    }

    private static Transcoder<SampleOrder> fory() {
        ThreadSafeFory fory =
                Fory.builder().withXlang(false).withAsyncCompilation(false).buildThreadSafeFory();
        fory.register(SampleOrder.class, 500);
        fory.register(SampleOrder.Line.class, 501);
        return of(fory::serialize, data -> fory.deserialize(data, SampleOrder.class));
    }

    private static Transcoder<SampleOrder> of(
            Function<SampleOrder, byte[]> encode, Function<byte[], SampleOrder> decode) {
        return new Transcoder<>() {
            @Override
            public EncodedValue encode(SampleOrder value) {
                return new EncodedValue(encode.apply(value), 0);
            }

            @Override
            public SampleOrder decode(byte[] data, int flags) {
                return decode.apply(data);
            }
        };
    }
}
