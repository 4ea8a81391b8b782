// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.memshard.client.protocol.wire.NoClassicFormException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The greetings of both protocols, and the version. */
class MetaNoopTest {

    private enum Asked {
        MN(MetaNoop::new),
        GET(() -> new MetaNoop().classicForm()),
        VERSION(Version::new);

        private final Supplier<Command<? extends @Nullable Object>> command;

        Asked(Supplier<Command<? extends @Nullable Object>> command) {
            this.command = command;
        }
    }

    @Test
    void requestsAreOneLine() {
        assertThat(Decoding.request(new MetaNoop())).isEqualTo("mn\r\n");
        assertThat(new MetaNoop().key()).isNull();
        assertThat(Decoding.request(new MetaNoop().classicForm())).isEqualTo("get memshard:probe\r\n");
        assertThat(Decoding.request(new Version())).isEqualTo("version\r\n");
    }

    @ParameterizedTest
    @CsvSource({
        "MN, 'MN\r\n',",
        "GET, 'END\r\n',",
        "GET, 'VALUE memshard:probe 0 1\r\nx\r\nEND\r\n',",
        "VERSION, 'VERSION 1.6.18\r\n', 1.6.18",
        "VERSION, 'VERSION \r\n', ''",
    })
    void replyIsTheResult(Asked asked, String reply, @Nullable String result) {
        Decoding.assertDecoded(asked.command, reply, c -> {
            assertThat(c.errorReply()).isNull();
            assertThat((Object) c.result()).isEqualTo(result);
        });
    }

    @ParameterizedTest
    @CsvSource({
        "MN, ERROR, false",
        "MN, CLIENT_ERROR unauthenticated, false",
        "GET, ERROR, false",
        "GET, SERVER_ERROR Connection refused, true",
        "VERSION, ERROR, false",
    })
    void errorReplyNamesTheSideAtFault(Asked asked, String error, boolean isServersFault) {
        Decoding.assertDecoded(asked.command, error + "\r\n", c -> {
            assertThat(c.errorReply().text()).isEqualTo(error);
            assertThat(c.errorReply().isServersFault()).isEqualTo(isServersFault);
        });
    }

    @ParameterizedTest
    @CsvSource({
        "MN, 'HD O7\r\n', not a reply to mn",
        "MN, 'MNX\r\n', not a reply to mn",
        "MN, '\r\n', not a reply to mn",
        "MN, 'SSH-2.0-OpenSSH_9.2\r\n', not a reply to mn",
        "MN, 'ERROR Too many open connections\r\n', Too many open connections",
        "GET, 'MN\r\n', not a reply to get",
        "VERSION, 'MN\r\n', not a reply to version",
        "VERSION, 'VERSION\r\n', not a reply to version",
    })
    void unexpectedReplyIsRejected(Asked asked, String reply, String reason) {
        Decoding.assertRejected(asked.command, reply, reason);
    }

    @Test
    void commandsThatOnlyTheMetaProtocolHasHaveNoClassicForm() {
        assertThatExceptionOfType(NoClassicFormException.class)
                .isThrownBy(new MetaDebug("key", false)::classicForm)
                .withMessage("meta.debug needs memcached 1.6.10 or later;"
                        + " a proxy in front of it must support the meta protocol");
        assertThatExceptionOfType(NoClassicFormException.class)
                .isThrownBy(() -> MetaNoop.read().classicForm())
                .withMessageContaining("only get and touch can check");
    }
}
