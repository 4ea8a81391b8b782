// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.memshard.client.exception.MemcachedDecodingException;
import io.memshard.client.transcoder.EncodedValue;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JacksonException;

class MemcachedSerializerTest {

    record Person(String name, List<Integer> marks) {}

    @Test
    void bytesAreNotCopied() {
        byte[] value = {1, 2};
        assertThat(MemcachedSerializer.bytes().encode(value).data()).isSameAs(value);
        assertThat(MemcachedSerializer.bytes().decode(value, 0)).isSameAs(value);
    }

    @Test
    void stringsAreUtf8WithoutFlags() {
        EncodedValue encoded = MemcachedSerializer.utf8().encode("é");
        assertThat(encoded.data()).isEqualTo("é".getBytes(StandardCharsets.UTF_8));
        assertThat(encoded.flags()).isZero();
        assertThat(MemcachedSerializer.utf8().decode(encoded.data(), 0)).isEqualTo("é");
    }

    @Test
    void onlyBytesAreReadWithoutRegardToFlags() {
        byte[] data = {'"', '1', '"'};
        assertThat(MemcachedSerializer.bytes().decode(data, 2)).isSameAs(data);
        for (MemcachedSerializer<?> serializer : List.of(
                MemcachedSerializer.utf8(), MemcachedSerializer.counter(), MemcachedSerializer.json(String.class))) {
            assertThatThrownBy(() -> serializer.decode(data, 2))
                    .isInstanceOf(MemcachedDecodingException.class)
                    .hasMessageContaining("CompatibleTranscoder.spymemcached() or Compression.gzip().around(...)");
        }
    }

    @Test
    void countersAreUnsignedDecimalsWithTheBlanksOfDecr() {
        assertThat(MemcachedSerializer.counter().serialize(-1L))
                .isEqualTo("18446744073709551615".getBytes(StandardCharsets.US_ASCII));
        assertThat(MemcachedSerializer.counter().deserialize("9 ".getBytes(StandardCharsets.US_ASCII)))
                .isEqualTo(9L);
    }

    @Test
    void jsonReadsWhatItWrote() {
        MemcachedSerializer<Person> json = MemcachedSerializer.json(Person.class);
        Person person = new Person("Ada", List.of(1, 2));
        byte[] data = json.serialize(person);
        assertThat(new String(data, StandardCharsets.UTF_8)).isEqualTo("{\"name\":\"Ada\",\"marks\":[1,2]}");
        assertThat(json.deserialize(data)).isEqualTo(person);
        assertThatThrownBy(() -> json.deserialize(new byte[] {'{'})).isInstanceOf(JacksonException.class);
    }
}
