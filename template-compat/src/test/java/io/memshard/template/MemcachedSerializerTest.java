// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.memshard.client.exception.MemcachedDecodingException;
import io.memshard.client.json.Jackson2Transcoder;
import io.memshard.client.transcoder.CompatibleTranscoder;
import io.memshard.client.transcoder.EncodedValue;
import io.memshard.client.transcoder.JavaSerialization;
import io.memshard.client.transcoder.Transcoder;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.assertj.core.api.AbstractThrowableAssert;
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

    private static final String ADVICE =
            "; read the value with the transcoder that wrote it, and if its class has changed, delete the item or take"
                    + " another key prefix (flags 0x0): \"cart:1\"";

    /** Class of the value when it was written. */
    record OldPerson(String surname) {}

    @Test
    void aValueOfAnotherSerializerSaysWhatToChange() {
        EncodedValue word = MemcachedSerializer.utf8().encode("word");
        unreadable(word, MemcachedSerializer.counter())
                .hasMessage("the transcoder threw java.lang.NumberFormatException" + ADVICE);
        unreadable(word, MemcachedSerializer.json(Person.class))
                .hasMessageStartingWith("the transcoder threw tools.jackson.core.exc.")
                .hasMessageEndingWith(ADVICE);
        unreadable(word, Jackson2Transcoder.of(Person.class)).hasMessageEndingWith(ADVICE);
        unreadable(new EncodedValue(new byte[] {-1}, 0), MemcachedSerializer.utf8())
                .hasMessageContaining("UTF-8")
                .hasMessageEndingWith(" (flags 0x0): \"cart:1\"");
        unreadable(CompatibleTranscoder.spymemcached().encode(7L), MemcachedSerializer.utf8())
                .hasMessageContaining("CompatibleTranscoder.spymemcached() reads it (flags 0x300): \"cart:1\"");
    }

    @Test
    void aValueOfAnOlderClassSaysWhatToChange() {
        EncodedValue json = MemcachedSerializer.json(OldPerson.class).encode(new OldPerson("Lovelace"));
        unreadable(json, Jackson2Transcoder.of(Person.class)).hasMessageEndingWith(ADVICE);

        Transcoder<Object> java = CompatibleTranscoder.spymemcached()
                .javaSerialization(JavaSerialization.allowing(Versioned.class.getName()));
        EncodedValue now = java.encode(new Versioned());
        byte[] before = now.data().clone();
        int version = new String(before, StandardCharsets.ISO_8859_1).indexOf("VERSION!");
        assertThat(version).isPositive();
        before[version] ^= 1;
        unreadable(new EncodedValue(before, now.flags()), java)
                .hasMessage("the value cannot be deserialized: java.io.InvalidClassException; if its class has changed,"
                        + " give that the serialVersionUID of before, delete the item, or take another key prefix"
                        + " (flags 0x1): \"cart:1\"");
    }

    /** Its version is found among its bytes as text. */
    static final class Versioned implements Serializable {
        private static final long serialVersionUID = 0x56_45_52_53_49_4F_4E_21L;
    }

    private static AbstractThrowableAssert<?, ?> unreadable(EncodedValue value, Transcoder<?> serializer) {
        return assertThatThrownBy(() -> value.decodeWith(serializer, "cart:1"))
                .isInstanceOfSatisfying(MemcachedDecodingException.class, e -> {
                    assertThat(e.key()).isEqualTo("cart:1");
                    assertThat(e.flags()).isEqualTo(value.flags());
                });
    }
}
