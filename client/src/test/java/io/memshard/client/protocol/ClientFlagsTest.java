// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.protocol.MetaCommand.Verb;
import io.memshard.client.protocol.wire.MalformedReplyException;
import io.memshard.client.protocol.wire.MetaFlags;
import io.memshard.client.protocol.wire.NoClassicFormException;
import io.memshard.client.protocol.wire.ReplyBuffer;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Client flags have 32 bits. Of more, the lowest 32 would be those of another value. */
class ClientFlagsTest {

    private static final MetaGet.Hit<Integer> FLAGS = (data, flags, casUnique) -> flags;

    private static final String WHY = "flags of more than 32 bits";

    private static MetaGet<Integer> get() {
        return new MetaGet<>("key", MetaGet.Wanted.VALUE, MetaGet.NO_TOUCH, FLAGS);
    }

    private static MetaMultiGet<Integer> getMany() {
        return new MetaMultiGet<>(List.of("key"), FLAGS);
    }

    private static Command<Long> meta() {
        return new MetaCommand<>(Verb.GET, "key", MetaFlags.NONE.with("vf"), null, reply -> reply.number('f'));
    }

    private static <T> Command<T> classic(Command<T> command) {
        try {
            return command.classicForm();
        } catch (NoClassicFormException e) {
            throw new AssertionError(e);
        }
    }

    private static <T> T result(Command<T> command, String reply) throws MalformedReplyException {
        ReplyBuffer in = new ReplyBuffer(Decoding.MAX_VALUE_BYTES, false);
        Decoding.put(in, Decoding.sent(reply));
        assertThat(command.decode(in, Decoding.OPAQUE)).isTrue();
        return command.result();
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "1, 1", "2147483648, -2147483648", "4294967295, -1"})
    void flagsOf32BitsAreTaken(String sent, int flags) throws MalformedReplyException {
        String meta = "VA 1 f" + sent + " O7\r\na\r\n";
        String classic = "VALUE key " + sent + " 1\r\na\r\nEND\r\n";
        assertThat(result(get(), meta)).isEqualTo(flags);
        assertThat(result(meta(), meta).intValue()).isEqualTo(flags);
        assertThat(result(getMany(), "VA 1 f" + sent + " O7.0\r\na\r\n").hits()).containsEntry("key", flags);
        assertThat(result(classic(get()), classic)).isEqualTo(flags);
        assertThat(result(classic(getMany()), classic).hits()).containsEntry("key", flags);
    }

    @ParameterizedTest
    @CsvSource({"4294967296", "4294967298", "18446744073709551615"})
    void flagsOfMoreBitsAreNone(String sent) {
        String meta = "VA 1 f" + sent + " O7\r\na\r\n";
        String classic = "VALUE key " + sent + " 1\r\na\r\nEND\r\n";
        Decoding.assertRejected(ClientFlagsTest::get, meta, WHY);
        Decoding.assertRejected(ClientFlagsTest::meta, meta, WHY);
        Decoding.assertRejected(ClientFlagsTest::getMany, "VA 1 f" + sent + " O7.0\r\na\r\n", WHY);
        Decoding.assertRejected(() -> classic(get()), classic, WHY);
        Decoding.assertRejected(() -> classic(getMany()), classic, WHY);
    }
}
