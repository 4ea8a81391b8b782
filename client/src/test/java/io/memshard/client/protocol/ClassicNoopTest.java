// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.memshard.client.protocol.wire.NoClassicFormException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The greeting, the version and the commands that only meta has, in the classic text protocol. */
class ClassicNoopTest {

    private static Command<@Nullable Void> probe() {
        return new MetaNoop().classicForm();
    }

    @Test
    void greetingIsAGetWhetherOrNotThereIsAnItem() {
        assertThat(Decoding.request(probe())).isEqualTo("get memshard:probe\r\n");
        Decoding.assertDecoded(
                ClassicNoopTest::probe, "END\r\n", c -> assertThat(c.result()).isNull());
        Decoding.assertDecoded(
                ClassicNoopTest::probe,
                "VALUE memshard:probe 0 1\r\nx\r\nEND\r\n",
                c -> assertThat(c.result()).isNull());
        Decoding.assertRejected(ClassicNoopTest::probe, "MN\r\n", "not a reply to get");
    }

    @Test
    void errorReplySaysWhoseFaultItIs() {
        Decoding.assertDecoded(
                ClassicNoopTest::probe,
                "SERVER_ERROR Connection refused\r\n",
                c -> assertThat(c.errorReply())
                        .isNotNull()
                        .satisfies(error -> assertThat(error.isServersFault()).isTrue()));
        Decoding.assertDecoded(
                ClassicNoopTest::probe,
                "ERROR\r\n",
                c -> assertThat(c.errorReply())
                        .isNotNull()
                        .satisfies(error -> assertThat(error.isServersFault()).isFalse()));
    }

    @Test
    void commandsThatOnlyTheMetaProtocolHasHaveNoClassicForm() {
        MetaDebug debug = new MetaDebug("key", false);
        assertThatExceptionOfType(NoClassicFormException.class)
                .isThrownBy(debug::classicForm)
                .withMessage("meta.debug needs memcached 1.6.10 or later;"
                        + " a proxy in between must support the meta protocol");
        assertThatExceptionOfType(NoClassicFormException.class)
                .isThrownBy(
                        () -> new MetaGet<>("key", MetaGet.Wanted.NOTHING, MetaGet.NO_TOUCH, (data, flags, cas) -> true)
                                .classicForm())
                .withMessageContaining("use get or touch");
    }
}
