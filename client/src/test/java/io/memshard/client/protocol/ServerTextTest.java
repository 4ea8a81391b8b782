// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.memshard.client.protocol.wire.MalformedReplyException;
import io.memshard.client.protocol.wire.MetaFlags;
import io.memshard.client.protocol.wire.ReplyBuffer;
import io.memshard.client.protocol.wire.ServerText;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What of a server's bytes gets into messages. */
class ServerTextTest {

    private static ReplyBuffer buffer(String bytes) {
        ReplyBuffer in = new ReplyBuffer(Decoding.MAX_VALUE_BYTES, false);
        Decoding.put(in, bytes);
        return in;
    }

    @Test
    void errorIsShownInPrintableAsciiSoThatItForgesNoLineOfALog() {
        MetaNoop noop = new MetaNoop();
        ReplyBuffer in = buffer("SERVER_ERROR x\r2026-01-01 INFO all is well\u001b[2J\u0000\u00e9\u007f\r\n");

        assertThat(decodes(noop, in)).isTrue();
        assertThat(noop.errorReply().text())
                .isEqualTo("SERVER_ERROR x\\x0d2026-01-01 INFO all is well\\x1b[2J\\x00\\xe9\\x7f");
    }

    private static boolean decodes(Command<?> command, ReplyBuffer in) {
        try {
            return command.decode(in, Decoding.OPAQUE);
        } catch (MalformedReplyException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void longErrorIsCut() {
        assertThat(ServerText.ofError("SERVER_ERROR " + "\u0001".repeat(4_000)))
                .hasSizeBetween(ServerText.MAX_CHARS - 4, ServerText.MAX_CHARS + 20)
                .endsWith("... (4013 bytes)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "hunter2|7 bytes that are not a reply",
                "''|0 bytes that are not a reply",
                "VALUE user:1 0 5 17|\"VALUE ... 0 5 17\"",
                "VALUE 4711 0 5 17|\"VALUE ... 0 5 17\"",
                "ME 4711 exp=-1 la=2|\"ME ... ... ...\"",
                "VA 7 f0 kuser:1 O999|\"VA 7 f0 ... O999\"",
                "VA 7 f0 k4711 O999|\"VA 7 f0 ... O999\"",
                "HD O9|\"HD O9\"",
                "VA 99999999999999999999999|\"VA ...\"",
                "HTTP/1.1 400 Bad Request|\"HTTP/1.1 400 ... ...\", like a web server",
                "-ERR unknown command|\"-ERR ... ...\", like Redis",
                "SSH-2.0-OpenSSH_9.6|19 bytes that are not a reply",
                "-DENIED Redis is running|24 bytes that are not a reply, like Redis",
                "ERROR unknown command|\"ERROR unknown command\"",
            })
    void valuesInAnUnexpectedLineAreHidden(String line, String shown) {
        assertThat(ServerText.ofReply(line, false)).isEqualTo(shown);
    }

    @Test
    void valueThatIsNotANumberIsHidden() {
        MetaCommand<MetaReply> incr = new MetaCommand<>(
                MetaCommand.Verb.ARITHMETIC, "incr", "n", MetaFlags.NONE.with("v"), null, reply -> reply);
        assertThatExceptionOfType(MalformedReplyException.class)
                .isThrownBy(() -> incr.decode(buffer("VA 7 O7\r\nhunter2\r\n"), Decoding.OPAQUE))
                .withMessageNotContaining("hunter2");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CLIENT_ERROR no such user alice secret",
                "CLIENT_ERROR bad data chunk secret",
                "SERVER_ERROR object too large for cache secret",
                "ERROR secret",
                "ERRORsecret",
                "secret",
                "VALUE secret",
                "HD Osecret"
            })
    void passwordThatTheServerRepeatsIsNotShown(String line) {
        Authentication authentication = new Authentication("alice", "secret");
        String shown;
        try {
            authentication.decode(buffer(line + "\r\n"), Decoding.OPAQUE);
            shown = authentication.errorReply().toString();
        } catch (MalformedReplyException e) {
            shown = e.getMessage();
        }

        assertThat(shown).doesNotContain("secret").contains("not shown");
    }

    @Test
    void errorOfMemcachedToAnAuthenticationIsShown() {
        Authentication authentication = new Authentication("alice", "secret");

        assertThat(decodes(authentication, buffer("CLIENT_ERROR authentication failure\r\n")))
                .isTrue();
        assertThat(authentication.errorReply().text()).isEqualTo("CLIENT_ERROR authentication failure");
    }
}
