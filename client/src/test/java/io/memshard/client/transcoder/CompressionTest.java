// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.transcoder;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import io.memshard.client.exception.MemcachedDecodingException;
import io.memshard.client.exception.MemcachedValueTooLargeException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CompressionTest {

    private static final String TEXT = "memcached ".repeat(10_000);

    static Stream<Compression> formats() {
        return Stream.of(Compression.gzip(), Compression.zlib(), Compression.zstd());
    }

    private static String decode(Transcoder<String> transcoder, EncodedValue stored) {
        return transcoder.decode(stored.data(), stored.flags());
    }

    private static void assertUndecodable(Transcoder<?> transcoder, byte[] data, int flags, String... words) {
        assertThatExceptionOfType(MemcachedDecodingException.class)
                .isThrownBy(() -> transcoder.decode(data, flags))
                .withMessageContainingAll(words);
    }

    @ParameterizedTest
    @MethodSource("formats")
    void valuesAboveTheThresholdAreCompressed(Compression compression) {
        Transcoder<String> transcoder = compression.thresholdBytes(100).around(Transcoder.utf8());
        EncodedValue small = transcoder.encode("x".repeat(100));
        assertThat(small.flags()).isZero();
        assertThat(small.data()).hasSize(100);
        EncodedValue large = transcoder.encode("x".repeat(101));
        assertThat(large.flags()).isNotZero();
        assertThat(large.data()).hasSizeLessThan(60);
        assertThat(decode(transcoder, small)).isEqualTo("x".repeat(100));
        assertThat(decode(transcoder, large)).isEqualTo("x".repeat(101));
    }

    @ParameterizedTest
    @MethodSource("formats")
    void valueThatDoesNotBecomeSmallerStaysAsItIs(Compression compression) {
        byte[] noise = new byte[50_000];
        new Random(1).nextBytes(noise);
        EncodedValue stored = compression.around(Transcoder.bytes()).encode(noise);
        assertThat(stored.flags()).isZero();
        assertThat(stored.data()).isSameAs(noise);
    }

    @ParameterizedTest
    @MethodSource("formats")
    void noDamageGivesAnotherValue(Compression compression) {
        Transcoder<String> transcoder = compression.thresholdBytes(0).around(Transcoder.utf8());
        String text = "memcached ".repeat(30);
        EncodedValue whole = transcoder.encode(text);
        byte[] data = whole.data();
        assertUndecodable(transcoder, new byte[0], whole.flags(), "damaged");
        for (int i = 1; i < data.length; i++) {
            assertUndecodable(transcoder, Arrays.copyOf(data, i), whole.flags(), "damaged");
        }
        for (int i = 0; i < data.length; i++) {
            for (int bit = 0; bit < Byte.SIZE; bit++) {
                byte[] damaged = data.clone();
                damaged[i] ^= (byte) (1 << bit);
                try {
                    // Some bytes may be anything, for example the time in a header.
                    assertThat(transcoder.decode(damaged, whole.flags())).isEqualTo(text);
                } catch (MemcachedDecodingException e) {
                    assertThat(e.flags()).isEqualTo(whole.flags());
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("formats")
    void theLimitIsExact(Compression compression) {
        EncodedValue stored = compression.around(Transcoder.utf8()).encode(TEXT);
        assertThat(decode(compression.maxBytes(TEXT.length()).around(Transcoder.utf8()), stored))
                .isEqualTo(TEXT);
        Transcoder<String> limited = compression.maxBytes(TEXT.length() - 1).around(Transcoder.utf8());
        assertUndecodable(limited, stored.data(), stored.flags(), "more than 99999 bytes");
        assertThatExceptionOfType(MemcachedValueTooLargeException.class)
                .isThrownBy(() -> limited.encode(TEXT))
                .withMessageContainingAll("100000 bytes", "Compression.maxBytes=99999", "the value was not sent");
    }

    /** Twelve times as many bytes as are stored are refused by default, where they are more than 512 KiB. */
    @ParameterizedTest
    @MethodSource("formats")
    void aValueThatBecomesMuchSmallerNeedsALimitOfItsOwn(Compression compression) {
        Random random = new Random(1);
        byte[] data = new byte[3 << 20];
        for (int i = 0; i < data.length; i += 32) {
            data[i] = (byte) random.nextInt();
        }
        Transcoder<byte[]> byDefault = compression.around(Transcoder.bytes());
        Transcoder<byte[]> limited = compression.maxBytes(data.length).around(Transcoder.bytes());
        EncodedValue stored = limited.encode(data);
        assertThat(stored.data().length).isLessThan(data.length / 10);
        assertThat(limited.decode(stored.data(), stored.flags())).isEqualTo(data);
        assertUndecodable(byDefault, stored.data(), stored.flags(), "Compression.maxBytes");
        assertThatExceptionOfType(MemcachedValueTooLargeException.class)
                .isThrownBy(() -> byDefault.encode(data))
                .withMessageContainingAll("3145728 bytes", "Compression.maxBytes", "the value was not sent");
        assertThat(byDefault.encode(new byte[1 << 20]).flags()).isZero();
        EncodedValue small = byDefault.encode(new byte[1 << 19]);
        assertThat(small.data()).hasSizeLessThan(2_000);
        assertThat(byDefault.decode(small.data(), small.flags())).hasSize(1 << 19);
    }

    private static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        Stream.of(parts).forEach(all::writeBytes);
        return all.toByteArray();
    }

    /** A caller that appends to a compressed value appends a member. */
    @Test
    void severalGzipMembersAreOneValue() {
        Transcoder<String> transcoder = Compression.gzip().thresholdBytes(0).around(Transcoder.utf8());
        byte[] one = transcoder.encode(TEXT).data();
        byte[] empty = Codec.GZIP.compress(new byte[0]);
        assertThat(transcoder.decode(joined(empty, one, empty, one, empty), 2)).isEqualTo(TEXT + TEXT);
        assertUndecodable(transcoder, joined(one, new byte[] {0}), 2, "damaged");
        assertUndecodable(transcoder, joined(one, "more".getBytes(UTF_8)), 2, "damaged");
        byte[] zlib = Codec.ZLIB.compress(TEXT.getBytes(UTF_8));
        assertUndecodable(Compression.zlib().around(Transcoder.utf8()), joined(zlib, zlib), 2, "damaged");
    }

    @Test
    void zstdFramesOfOtherProgramsAreRead() {
        Transcoder<byte[]> transcoder = Compression.zstd().around(Transcoder.bytes());
        byte[] data = TEXT.getBytes(UTF_8);
        assertThat(transcoder.decode(Zstd.compress(data, 19), 1 << 16)).isEqualTo(data);
    }

    @Test
    void aZstdFrameWithAWindowFarAboveTheLimitIsRejected() throws IOException {
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        int length = 10 << 20;
        try (OutputStream out = new ZstdOutputStreamNoFinalizer(frame).setLong(27)) {
            out.write(new byte[length]);
            // The frame asks for the whole window, because the length is not known yet.
            out.flush();
        }
        Compression compression = Compression.zstd().maxBytes(length);
        assertUndecodable(compression.around(Transcoder.bytes()), frame.toByteArray(), 1 << 16, "damaged");
        assertThat(compression.maxBytes(1 << 27).around(Transcoder.bytes()).decode(frame.toByteArray(), 1 << 16))
                .isEqualTo(new byte[length]);
    }

    @Test
    void formatsDifferInTheirFlags() {
        Transcoder<String> both = Compression.gzip()
                .around(Compression.zstd().thresholdBytes(1_000).around(Transcoder.utf8()));
        EncodedValue gzip = Compression.gzip().around(Transcoder.utf8()).encode(TEXT);
        EncodedValue zstd = both.encode(TEXT);
        assertThat(gzip.flags()).isEqualTo(2);
        assertThat(zstd.flags()).isEqualTo(1 << 16);
        assertThat(decode(both, gzip)).isEqualTo(TEXT);
        assertThat(decode(both, zstd)).isEqualTo(TEXT);
        assertThat(decode(both, Transcoder.utf8().encode(TEXT))).isEqualTo(TEXT);
        assertUndecodable(Compression.zlib().around(Transcoder.utf8()), gzip.data(), 2, "flagged as zlib");
    }

    @Test
    void aFlagThatTheTranscoderUsesItselfIsRejected() {
        CompatibleTranscoder compatible = CompatibleTranscoder.spymemcached();
        Compression clash = Compression.gzip().flag(1 << 9);
        for (ThrowingCallable around : List.<ThrowingCallable>of(
                () -> Compression.gzip().around(compatible),
                () -> Compression.gzip().around(compatible.only(String.class)),
                () -> Compression.gzip().around(Compression.zlib().around(Transcoder.utf8())),
                () -> Compression.zstd()
                        .around(Compression.gzip().around(Compression.zstd().around(Transcoder.utf8()))),
                () -> clash.around(compatible),
                () -> compatible.compression(clash))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(around)
                    .withMessageContainingAll("the transcoder uses flag 0x", "Compression.flag to another bit");
        }
        assertThat(Compression.gzip()
                        .flag(1 << 20)
                        .around(compatible)
                        .encode("a")
                        .flags())
                .isZero();
        Transcoder<String> silent = Compression.gzip().around(new Transcoder<>() {
            @Override
            public EncodedValue encode(String value) {
                return new EncodedValue(new byte[0], 2);
            }

            @Override
            public String decode(byte[] data, int flags) {
                return "";
            }
        });
        assertThatIllegalArgumentException()
                .isThrownBy(() -> silent.encode(""))
                .withMessageContainingAll("0x2", "Compression.flag");
        Transcoder<String> own = Compression.gzip().flag(1 << 31).around(Transcoder.utf8());
        EncodedValue stored = own.encode(TEXT);
        assertThat(stored.flags()).isEqualTo(1 << 31);
        assertThat(decode(own, stored)).isEqualTo(TEXT);
    }

    @Test
    void badSettingsAreRejected() {
        for (int flag : List.of(0, 3, -1)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Compression.gzip().flag(flag))
                    .withMessageContaining("one bit");
        }
        assertThatIllegalArgumentException().isThrownBy(() -> Compression.gzip().thresholdBytes(-1));
        assertThatIllegalArgumentException().isThrownBy(() -> Compression.gzip().maxBytes(0));
    }

    @Test
    void missingZstdJniNamesTheDependencyToAdd() throws Exception {
        URL[] ours = {Compression.class.getProtectionDomain().getCodeSource().getLocation()};
        try (URLClassLoader alone = new URLClassLoader(ours, ClassLoader.getPlatformClassLoader())) {
            Class<?> compression = alone.loadClass(Compression.class.getName());
            assertThat(compression.getMethod("gzip").invoke(null)).isNotNull();
            assertThatThrownBy(() -> compression.getMethod("zstd").invoke(null))
                    .isInstanceOf(InvocationTargetException.class)
                    .cause()
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("add com.github.luben:zstd-jni");
        }
    }
}
