// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.transcoder;

import io.memshard.client.transcoder.ValueType.Numbers;
import java.util.Date;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

final class FlagTable {

    static final FlagTable SERIALIZING = serializing();
    static final FlagTable WHALIN = whalin();

    private final String transcoder;
    private final int serializedFlag;
    private final Map<Class<?>, ValueType<?>> byClass = new LinkedHashMap<>();
    private final Map<Integer, ValueType<?>> byFlags = new HashMap<>();

    private FlagTable(String transcoder, int serializedFlag, List<ValueType<?>> types) {
        this.transcoder = transcoder;
        this.serializedFlag = serializedFlag;
        for (ValueType<?> type : types) {
            byClass.put(type.type(), type);
            byFlags.put(type.flags(), type);
        }
    }

    private static FlagTable serializing() {
        Numbers ints = new Numbers(Integer.BYTES, true);
        Numbers longs = new Numbers(Long.BYTES, true);
        return new FlagTable(
                "SerializingTranscoder",
                1,
                List.of(
                        ValueType.text(String.class, 0, Function.identity()),
                        ValueType.truth(1 << 8, '1', '0'),
                        ints.of(Integer.class, 2 << 8, Integer::longValue, bits -> (int) bits),
                        longs.of(Long.class, 3 << 8, Long::longValue, bits -> bits),
                        longs.of(Date.class, 4 << 8, Date::getTime, Date::new),
                        ValueType.oneByte(5 << 8),
                        ints.of(
                                Float.class,
                                6 << 8,
                                Float::floatToRawIntBits,
                                bits -> Float.intBitsToFloat((int) bits)),
                        longs.of(Double.class, 7 << 8, Double::doubleToRawLongBits, Double::longBitsToDouble),
                        ValueType.bytes(8 << 8)));
    }

    @SuppressWarnings("JdkObsolete") // StringBuffer has a separate flag.
    private static FlagTable whalin() {
        Numbers ints = new Numbers(Integer.BYTES, false);
        Numbers longs = new Numbers(Long.BYTES, false);
        return new FlagTable(
                "WhalinTranscoder",
                8,
                List.of(
                        ValueType.oneByte(1),
                        ints.of(Integer.class, 4, Integer::longValue, bits -> (int) bits),
                        ints.of(Character.class, 16, value -> value, bits -> (char) bits),
                        ValueType.text(String.class, 32, Function.identity()),
                        ValueType.text(StringBuffer.class, 64, StringBuffer::new),
                        ints.of(Float.class, 128, Float::floatToRawIntBits, bits -> Float.intBitsToFloat((int) bits)),
                        ints.of(Short.class, 256, Short::longValue, bits -> (short) bits),
                        longs.of(Double.class, 512, Double::doubleToRawLongBits, Double::longBitsToDouble),
                        longs.of(Date.class, 1024, Date::getTime, Date::new),
                        ValueType.text(StringBuilder.class, 2048, StringBuilder::new),
                        ValueType.bytes(4096),
                        ValueType.truth(8192, 1, 0),
                        longs.of(Long.class, 16384, Long::longValue, bits -> bits)));
    }

    int serializedFlag() {
        return serializedFlag;
    }

    int usedFlags() {
        return byFlags.keySet().stream().reduce(serializedFlag, (one, other) -> one | other);
    }

    @Nullable
    ValueType<?> of(Class<?> type) {
        return byClass.get(type);
    }

    @Nullable
    ValueType<?> under(int flags) {
        return byFlags.get(flags);
    }

    boolean knows(int flags) {
        return flags == serializedFlag || byFlags.containsKey(flags);
    }

    String typeNames() {
        return byClass.keySet().stream().map(Class::getSimpleName).collect(Collectors.joining(", "));
    }

    @Override
    public String toString() {
        return transcoder;
    }
}
