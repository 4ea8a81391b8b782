// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.cache;

import io.memshard.client.transcoder.CompatibleTranscoder;
import io.memshard.client.transcoder.EncodedValue;
import io.memshard.client.transcoder.JavaSerialization;
import io.memshard.client.transcoder.Transcoder;
import java.time.Instant;
import java.util.Collections;
import java.util.Date;
import java.util.List;

/** Transcoder that preserves the class of each value. Java serialization reads and writes only the allowed classes. */
record SerializedValues(CompatibleTranscoder values) implements Transcoder<Object> {

    /** Flag of a value in a list. Without the list, the value would be decoded as a plain {@code Date}. */
    private static final int WRAPPED = 1 << 28;

    static SerializedValues allowing(String... names) {
        JavaSerialization allowed = names.length == 0
                ? JavaSerialization.allowing(JavaSerialization.jdkData().toArray(String[]::new))
                : JavaSerialization.allowing(names).andJdkData();
        return new SerializedValues(CompatibleTranscoder.spymemcached().javaSerialization(allowed));
    }

    @Override
    public EncodedValue encode(Object value) {
        try {
            return written(value);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    e.getMessage() + ". Allow the class by allowSerializable(), or in Spring Boot by"
                            + " memcached.cache.serializer.allowed-classes. To store JSON instead, set"
                            + " memcached.cache.serializer.json-type",
                    e);
        }
    }

    private EncodedValue written(Object value) {
        boolean wouldBecomeADate =
                value instanceof Instant || (value instanceof Date && value.getClass() != Date.class);
        if (!wouldBecomeADate) {
            return values.encode(value);
        }
        EncodedValue list = values.encode(Collections.singletonList(value));
        return new EncodedValue(list.data(), list.flags() | WRAPPED);
    }

    @Override
    public Object decode(byte[] data, int flags) {
        Object value = values.decode(data, flags & ~WRAPPED);
        return (flags & WRAPPED) == 0 ? value : ((List<?>) value).get(0);
    }
}
