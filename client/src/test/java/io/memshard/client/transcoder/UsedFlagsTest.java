// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.transcoder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.memshard.client.exception.MemcachedDecodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UsedFlagsTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0x1 | if a Java client wrote it, CompatibleTranscoder.spymemcached() or whalin() reads it",
                "0x2 | if a Java client wrote it, it is compressed, and CompatibleTranscoder.spymemcached() or",
                "0x8 | if a Java client wrote it, CompatibleTranscoder.whalin() reads it",
                "0x4 | if a Java client wrote it, CompatibleTranscoder.whalin() reads it; if a client in another language",
                "0x10 | if a Java client wrote it, CompatibleTranscoder.whalin() reads it; if a client in another language",
                "0x30 | if a Java client wrote it, the transcoder that wrote it reads it",
                "0x20 | if a Java client wrote it, CompatibleTranscoder.whalin() reads it",
                "0x100 | CompatibleTranscoder.spymemcached() or whalin() reads it",
                "0x300 | CompatibleTranscoder.spymemcached() reads it",
                "0x10000 | it is compressed, and Compression.zstd().around(...) reads it",
                "0x40000000 | it is split into chunks, and ChunkedClient reads it",
                "0x80000000 | the transcoder that wrote it reads it, and Transcoder.bytes() reads any value",
            })
    void flagsOfOthersAreRefusedWithTheTranscoderThatReadsThem(String flags, String reader) {
        int number = Integer.parseUnsignedInt(flags.substring(2), 16);
        assertThatExceptionOfType(MemcachedDecodingException.class)
                .isThrownBy(() -> Transcoder.utf8().decode(new byte[] {'1'}, number))
                .withMessageContaining("the value has flags that Transcoder.utf8() does not write: " + reader)
                .withMessageEndingWith(" (flags " + flags + ")")
                .satisfies(e -> assertThat(e.flags()).isEqualTo(number));
        assertThatExceptionOfType(MemcachedDecodingException.class)
                .isThrownBy(() -> Transcoder.counter().decode(new byte[] {'1'}, number))
                .withMessageContaining("Transcoder.counter() does not write: " + reader);
        assertThat(Transcoder.bytes().decode(new byte[] {'1'}, number)).containsExactly('1');
    }

    @ParameterizedTest
    @ValueSource(strings = {"\u00ff", "a\u00c3", "\u00ed\u00a0\u0080", "\u00c0\u0080", "\u001f\u008b\u0008"})
    void malformedUtf8IsRefused(String latin1) {
        byte[] data = latin1.getBytes(StandardCharsets.ISO_8859_1);
        for (Transcoder<String> transcoder :
                List.of(Transcoder.utf8(), CompatibleTranscoder.spymemcached().only(String.class))) {
            assertThatExceptionOfType(MemcachedDecodingException.class)
                    .isThrownBy(() -> transcoder.decode(data, 0))
                    .withMessageContaining("the value is not text in UTF-8: to read its bytes, use Transcoder.bytes()");
        }
    }

    @Test
    void replacementCharacterThatWasWrittenIsRead() {
        EncodedValue stored = Transcoder.utf8().encode("a\ufffd");
        assertThat(stored.decodeWith(Transcoder.utf8(), "key", false)).isEqualTo("a\ufffd");
    }
}
