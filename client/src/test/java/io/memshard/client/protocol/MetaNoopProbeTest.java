// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.protocol.wire.ErrorReply;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MetaNoopProbeTest {

    @Test
    void requestIsAReadWithTheNewestFlagsAndThenMn() {
        String key = Base64.getEncoder().encodeToString("memshard:probe".getBytes(US_ASCII));
        assertThat(Decoding.request(new MetaNoop.Probe())).isEqualTo("mg " + key + " b O7\r\nmn\r\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"EN O7\r\n", "EN\r\n", "HD O7\r\n", "HD kbWVt b O7 s2\r\n", "SERVER_ERROR backend failure\r\n"})
    void serverThatReadsWithTheOpaqueSpeaksMeta(String read) {
        Decoding.assertDecoded(MetaNoop.Probe::new, read + "MN\r\n", c -> {
            assertThat(c.errorReply()).isNull();
            assertThat(c.result()).isNull();
        });
    }

    @ParameterizedTest
    @CsvSource({
        "'CLIENT_ERROR invalid flag\r\n', mg was answered CLIENT_ERROR invalid flag",
        "'ERROR\r\n', mg was answered ERROR",
        "'HD\r\n', the answer to mg has no opaque",
        "'NF O7\r\n', mg was answered NF O7",
        "'END\r\n', mg was answered END",
        "'', mg was not answered",
    })
    void serverThatReadsOtherwiseDoesNot(String read, String denial) {
        Decoding.assertDecoded(MetaNoop.Probe::new, read + "MN\r\n", c -> {
            assertThat(c.errorReply()).isNull();
            assertThat(c.result()).isEqualTo(denial);
        });
    }

    @ParameterizedTest
    @CsvSource({
        "'ERROR\r\nERROR\r\n', ERROR",
        "'EN O7\r\nERROR\r\n', ERROR",
        "'EN O7\r\nSERVER_ERROR out of memory\r\n', SERVER_ERROR out of memory",
        "'CLIENT_ERROR unauthenticated\r\n', CLIENT_ERROR unauthenticated",
    })
    void errorComesFromMnOrADemandForAuthentication(String reply, String error) {
        Decoding.assertDecoded(
                MetaNoop.Probe::new,
                reply,
                c -> assertThat(c.errorReply()).isEqualTo(new ErrorReply(ErrorReply.Kind.SERVER_ERROR, error)));
    }

    @ParameterizedTest
    @CsvSource({
        "'HTTP/1.1 400 Bad Request\r\n', not a reply to mg",
        "'220 mail.example.com ESMTP\r\n', not a reply to mg",
        "'\r\n', not a reply to mg",
        "'EN O70\r\n', a reply to another request",
        "'EN O7\r\nEN O7\r\n', not a reply to mg",
        "'ERROR Too many open connections\r\n', cannot be trusted",
    })
    void unexpectedReplyIsRejected(String reply, String reason) {
        Decoding.assertRejected(MetaNoop.Probe::new, reply, reason);
    }
}
