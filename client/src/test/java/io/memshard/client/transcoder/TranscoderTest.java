// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.transcoder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.memshard.client.exception.MemcachedDecodingException;
import io.memshard.client.json.Jackson2Transcoder;
import io.memshard.client.json.Jackson3Transcoder;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;

class TranscoderTest {

    record Person(String name, List<Integer> marks) {}

    @Test
    void bytesAreNotCopied() {
        byte[] value = {1, 2};
        assertThat(Transcoder.bytes().encode(value).data()).isSameAs(value);
        assertThat(Transcoder.bytes().decode(value, 0)).isSameAs(value);
    }

    @Test
    void stringsAreUtf8WithoutFlags() {
        EncodedValue encoded = Transcoder.utf8().encode("é");
        assertThat(encoded.data()).isEqualTo("é".getBytes(StandardCharsets.UTF_8));
        assertThat(encoded.flags()).isZero();
        assertThat(Transcoder.utf8().decode(encoded.data(), 0)).isEqualTo("é");
    }

    @Test
    void countersAreUnsignedDecimalsWithTheBlanksOfDecr() {
        assertThat(Transcoder.counter().encode(-1L).data())
                .isEqualTo("18446744073709551615".getBytes(StandardCharsets.US_ASCII));
        assertThat(Transcoder.counter().decode("9 ".getBytes(StandardCharsets.US_ASCII), 0))
                .isEqualTo(9L);
    }

    @Test
    void anOptionalIsStoredAsItsValueOrAsNoValue() {
        Transcoder<Optional<String>> optional = Transcoder.utf8().optional();
        EncodedValue some = optional.encode(Optional.of("é"));
        assertThat(some.flags()).isZero();
        assertThat(Transcoder.utf8().decode(some.data(), 0)).isEqualTo("é");
        assertThat(optional.decode(some.data(), 0)).contains("é");
        EncodedValue none = optional.encode(Optional.empty());
        assertThat(optional.decode(none.data(), none.flags())).isEmpty();
        byte[] jsonNull = "null".getBytes(StandardCharsets.US_ASCII);
        assertThat(Jackson2Transcoder.of(Person.class).optional().decode(jsonNull, 0))
                .isEmpty();
        unreadable(none, Transcoder.utf8())
                .hasMessageContaining("it is an empty Optional, and Transcoder.optional() reads it");
    }

    private static final String ADVICE =
            "; read the value with the transcoder that wrote it; if the class of the value has changed, delete the item or"
                    + " use another key prefix (flags 0x0): \"cart:1\"";

    @Test
    void aValueOfAnotherTranscoderNamesTheRemedy() {
        EncodedValue word = Transcoder.utf8().encode("word");
        unreadable(word, Transcoder.counter())
                .hasMessage("the transcoder threw java.lang.NumberFormatException" + ADVICE);
        unreadable(word, Jackson3Transcoder.of(Person.class))
                .hasMessageStartingWith("the transcoder threw tools.jackson.core.exc.")
                .hasMessageEndingWith(ADVICE);
        unreadable(word, Jackson2Transcoder.of(Person.class)).hasMessageEndingWith(ADVICE);
    }

    @Test
    void aValueOfAnOlderClassNamesTheRemedy() {
        Transcoder<Object> java = CompatibleTranscoder.spymemcached()
                .javaSerialization(JavaSerialization.allowing(Versioned.class.getName()));
        EncodedValue now = java.encode(new Versioned());
        byte[] before = now.data().clone();
        int version = new String(before, StandardCharsets.ISO_8859_1).indexOf("VERSION!");
        assertThat(version).isPositive();
        before[version] ^= 1;
        unreadable(new EncodedValue(before, now.flags()), java)
                .hasMessage("the value cannot be deserialized: java.io.InvalidClassException; if the class of the value"
                        + " has changed, restore its serialVersionUID, delete the item, or use another key prefix"
                        + " (flags 0x1): \"cart:1\"");
    }

    /** Its version is found among its bytes as text. */
    static final class Versioned implements Serializable {
        private static final long serialVersionUID = 0x56_45_52_53_49_4F_4E_21L;
    }

    private static AbstractThrowableAssert<?, ?> unreadable(EncodedValue value, Transcoder<?> transcoder) {
        return assertThatThrownBy(() -> value.decodeWith(transcoder, "cart:1", false))
                .isInstanceOfSatisfying(MemcachedDecodingException.class, e -> {
                    assertThat(e.key()).isEqualTo("cart:1");
                    assertThat(e.flags()).isEqualTo(value.flags());
                });
    }
}
