// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.memshard.client.protocol.wire.ErrorReply;
import io.memshard.client.protocol.wire.MalformedReplyException;
import io.memshard.client.protocol.wire.ReplyBuffer;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OperatorCommandTest {

    private static final String BARRIER = "VERSION 1.6.18\r\n";

    @Test
    void requestsAreClosedByVersion() {
        assertThat(Decoding.request(OperatorCommand.stats(""))).isEqualTo("stats\r\nversion\r\n");
        assertThat(Decoding.request(OperatorCommand.stats("detail dump")))
                .isEqualTo("stats detail dump\r\nversion\r\n");
        assertThat(Decoding.request(OperatorCommand.resetStats())).isEqualTo("stats reset\r\nversion\r\n");
        assertThat(Decoding.request(OperatorCommand.countPrefixes(true))).isEqualTo("stats detail on\r\nversion\r\n");
        assertThat(Decoding.request(OperatorCommand.countPrefixes(false))).isEqualTo("stats detail off\r\nversion\r\n");
        assertThat(Decoding.request(OperatorCommand.flushAll(30))).isEqualTo("flush_all 30\r\nversion\r\n");
        assertThat(Decoding.request(OperatorCommand.verbosity(2))).isEqualTo("verbosity 2\r\nversion\r\n");
        assertThat(OperatorCommand.flushAll(0).verb()).isEqualTo("flush_all");
        assertThat(OperatorCommand.resetStats().verb()).isEqualTo("stats reset");
        assertThat(OperatorCommand.countPrefixes(true).verb()).isEqualTo("stats detail on");
        assertThat(OperatorCommand.countPrefixes(true).operation()).isEqualTo("stats");
        assertThat(OperatorCommand.stats("items").verb()).isEqualTo("stats items");
        assertThat(OperatorCommand.stats("items").operation()).isEqualTo("stats");
        assertThat(OperatorCommand.stats("").verb()).isEqualTo("stats");
    }

    @Test
    void statsAreNamesAndValuesInOrder() {
        Decoding.assertDecoded(
                () -> OperatorCommand.stats(""),
                "STAT pid 1\r\nSTAT blank \r\nSTAT none\r\nSTAT inter 127.0.0.1, ::1\r\nEND\r\n" + BARRIER,
                command -> {
                    assertThat(command.errorReply()).isNull();
                    assertThat(command.result())
                            .containsExactly(
                                    entry("pid", "1"),
                                    entry("blank", ""),
                                    entry("none", ""),
                                    entry("inter", "127.0.0.1, ::1"));
                });
    }

    @Test
    void prefixesAreNamesTooAndMayBeEmpty() {
        Decoding.assertDecoded(
                () -> OperatorCommand.stats("detail dump"),
                "PREFIX  get 1 hit 0 set 2 del 3\r\nPREFIX a get 0 hit 0 set 0 del 1\r\nEND\r\n" + BARRIER,
                command -> assertThat(command.result())
                        .isEqualTo(Map.of("", "get 1 hit 0 set 2 del 3", "a", "get 0 hit 0 set 0 del 1")));
    }

    @Test
    void replyAboveTheLimitIsReadToItsEndAndFails() throws MalformedReplyException {
        OperatorCommand<Map<String, String>> stats = OperatorCommand.stats("conns");
        ReplyBuffer in = new ReplyBuffer(Decoding.MAX_VALUE_BYTES, false);
        int lines = OperatorCommand.MAX_BYTES / 128;
        for (int i = 0; i < lines; i++) {
            Decoding.put(in, "STAT " + i + ":state conn_parse_cmd\r\n");
            assertThat(stats.decode(in, 1)).isFalse();
        }
        Decoding.put(in, "END\r\n" + BARRIER);
        assertThat(stats.decode(in, 1)).isTrue();
        assertThat(in.hasBytes()).isFalse();
        assertThat(stats.errorReply().kind()).isEqualTo(ErrorReply.Kind.VALUE_TOO_LARGE);
        assertThat(stats.errorReply().text()).contains("limit of " + OperatorCommand.MAX_BYTES + " bytes");
        assertThat(stats.result()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ERROR",
                "CLIENT_ERROR usage: stats detail on|off|dump",
                "CLIENT_ERROR",
                "SERVER_ERROR out of memory",
                "SERVER_ERROR"
            })
    void errorIsTheErrorReplyAndTheBarrierIsStillRead(String error) {
        Decoding.assertDecoded(
                () -> OperatorCommand.stats("foo"),
                error + "\r\n" + BARRIER,
                command -> assertThat(command.errorReply().text()).isEqualTo(error));
        Decoding.assertDecoded(
                () -> OperatorCommand.verbosity(1),
                error + "\r\n" + BARRIER,
                command -> assertThat(command.errorReply().text()).isEqualTo(error));
    }

    @ParameterizedTest
    @CsvSource({
        "'END\r\nEND\r\n', not a reply to version after stats",
        "'END\r\nSTAT pid 1\r\n', not a reply to version after stats",
        "'STAT pid 1\r\nHD O7\r\n', not a reply to stats",
        "'STAT pid 1\r\nERROR\r\n', not a reply to stats",
        "'OK\r\n', not a reply to stats",
        "'MN\r\n', not a reply to stats",
        "'VERSION 1.6.18\r\n', not a reply to stats",
        "'ENDING\r\n', not a reply to stats",
        "'ERROR\r\nEND\r\n', not a reply to version after stats",
        "'ERROR Too many open connections\r\n', cannot be trusted",
    })
    void unexpectedReplyToStatsIsRejected(String reply, String reason) {
        Decoding.assertRejected(() -> OperatorCommand.stats(""), reply, reason);
    }

    @ParameterizedTest
    @CsvSource({
        "'RESET\r\n', not a reply to flush_all",
        "'OKAY\r\n', not a reply to flush_all",
        "'OK\r\nOK\r\n', not a reply to version after flush_all",
        "'HD O7\r\n', not a reply to flush_all",
        "'VERSION 1.6.18\r\n', not a reply to flush_all",
    })
    void unexpectedReplyToAnActionIsRejected(String reply, String reason) {
        Decoding.assertRejected(() -> OperatorCommand.flushAll(0), reply, reason);
    }
}
