// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.net.ConnectException;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Behaviour that a comparison with the real server cannot show: time, memory, newer flags, start and close. */
class EmbeddedMemcachedTest {

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.ofEpochSecond(1_700_000_000));
    private final EmbeddedMemcached server =
            EmbeddedMemcached.builder().clock(now::get).start();

    @AfterEach
    void close() {
        server.close();
    }

    private Instant advance(int seconds) {
        return now.updateAndGet(instant -> instant.plusSeconds(seconds));
    }

    private String ask(String script) throws IOException {
        return RawClient.ask(server, script);
    }

    @Test
    void anItemIsGoneOnceItHasExpired() throws IOException {
        assertThat(ask("ms a 1 T10\r\nx\r\n")).isEqualTo("HD\r\n");
        advance(9);
        assertThat(ask("mg a t l\r\n")).isEqualTo("HD t1 l9\r\n");
        advance(1);
        assertThat(ask("mg a t\r\n")).isEqualTo("EN\r\n");
    }

    /** An item would otherwise expire as soon as it is created. */
    @Test
    void theClockStandsStillForACommand() throws IOException {
        try (EmbeddedMemcached ticked =
                EmbeddedMemcached.builder().clock(() -> advance(1)).start()) {
            assertThat(RawClient.ask(ticked, "mg a N1 t\r\nmg a\r\n")).isEqualTo("HD t1 W\r\nEN\r\n");
        }
    }

    @Test
    void anExptimeAbove30DaysIsAUnixTime() throws IOException {
        long inAMinute = now.get().getEpochSecond() + 60;
        assertThat(ask("set a 0 " + inAMinute + " 1\r\nx\r\nmg a t\r\n")).isEqualTo("STORED\r\nHD t60\r\n");
        advance(60);
        assertThat(ask("get a\r\n")).isEqualTo("END\r\n");
    }

    @Test
    void clientOfTheBinaryProtocolIsClosedInsteadOfLeftWaiting() throws IOException {
        // A version request.
        assertThat(ask("\u0080\u000b" + "\0".repeat(22))).isEqualTo(RawClient.CLOSED);
        assertThat(ask("set a 0 0 1\r\n\u0080\r\nget a\r\n")).isEqualTo("STORED\r\nVALUE a 0 1\r\n\u0080\r\nEND\r\n");
    }

    @Test
    void recacheIsWonWhenLittleTimeIsLeft() throws IOException {
        ask("ms a 1 T60\r\nx\r\n");
        assertThat(ask("mg a R30\r\n")).isEqualTo("HD\r\n");
        advance(31);
        assertThat(ask("mg a R30\r\nmg a R30\r\n")).isEqualTo("HD W\r\nHD Z\r\n");
    }

    @Test
    void aDelayedFlushRemovesItemsOnceItsTimeHasCome() throws IOException {
        assertThat(ask("set a 0 0 1\r\nx\r\nflush_all 10\r\n")).isEqualTo("STORED\r\nOK\r\n");
        advance(9);
        assertThat(ask("mg a\r\n")).isEqualTo("HD\r\n");
        advance(1);
        assertThat(ask("mg a\r\nms c 1\r\nz\r\nmg c\r\n")).isEqualTo("EN\r\nHD\r\nHD\r\n");
    }

    @Test
    void aServerWithUsersAnswersOnlyAfterAuthentication() throws IOException {
        try (EmbeddedMemcached guarded =
                EmbeddedMemcached.builder().user("alice", "p:w\u00f6").start()) {
            String script = "mn\r\nset a 0 0 11\r\nalice wrong\r\nset a 0 0 5\r\nalice\r\n"
                    + "set a 0 0 11\r\nalice p:w\u00c3\u00b6\r\nmn\r\n";
            assertThat(RawClient.ask(guarded, script))
                    .isEqualTo("CLIENT_ERROR unauthenticated\r\n" + "CLIENT_ERROR authentication failure\r\n".repeat(2)
                            + "STORED\r\nMN\r\n");
        }
    }

    @Test
    void newerFlagsSetTheCasAndEmptyAnItem() throws IOException {
        assertThat(ask("ms a 3 E77 F5 c\r\nabc\r\nmg a c v\r\n")).isEqualTo("HD c77\r\nVA 3 c77\r\nabc\r\n");
        assertThat(ask("md a x E80\r\nmg a c v f\r\n")).isEqualTo("HD\r\nVA 0 c80 f0\r\n\r\n");
        assertThat(ask("md a I E90\r\nmg a c\r\n")).isEqualTo("HD\r\nHD c90 X W\r\n");
        assertThat(ask("ma n N0 J5 E100 c\r\nma n E200 c\r\n")).isEqualTo("HD c100\r\nHD c200\r\n");
        assertThat(ask("ms new 3 MA N60\r\nabc\r\nms new 1 MA N60\r\nd\r\nmg new v t\r\n"))
                .isEqualTo("HD\r\nHD\r\nVA 4 t60\r\nabcd\r\n");
    }

    @Test
    void memoryIsBoundedAndTheLeastRecentlyUsedGoesFirst() throws IOException {
        try (EmbeddedMemcached small = EmbeddedMemcached.builder().maxBytes(400).start()) {
            String value = "x".repeat(40); // 100 bytes an item of one-letter key
            for (String key : new String[] {"a", "b", "c", "d"}) {
                RawClient.ask(small, "set " + key + " 0 0 40\r\n" + value + "\r\n");
            }
            assertThat(RawClient.ask(small, "mg a\r\nset e 0 0 40\r\n" + value + "\r\nmg a\r\nmg b\r\nmg c\r\n"))
                    .isEqualTo("HD\r\nSTORED\r\nHD\r\nEN\r\nHD\r\n");
            assertThat(RawClient.ask(small, "stats\r\n"))
                    .contains("STAT curr_items 4\r\n", "STAT evictions 1\r\n", "STAT bytes 400\r\n");
        }
    }

    @Test
    void anItemAboveTheConfiguredLimitIsRefused() throws IOException {
        try (EmbeddedMemcached small =
                EmbeddedMemcached.builder().itemSizeLimit(1024).start()) {
            String value = "x".repeat(1024);
            assertThat(RawClient.ask(small, "set a 0 0 1\r\nx\r\nset a 0 0 1024\r\n" + value + "\r\nget a\r\n"))
                    .isEqualTo("STORED\r\nSERVER_ERROR object too large for cache\r\nEND\r\n");
        }
    }

    @Test
    void statsCountCommandsHitsAndMisses() throws IOException {
        ask("set a 0 0 1\r\nx\r\nget a b\r\ndelete b\r\nincr b 1\r\ntouch a 0\r\ncas a 0 0 1 99\r\ny\r\n");
        assertThat(ask("stats\r\n"))
                .contains("STAT cmd_get 2\r\n", "STAT get_hits 1\r\n", "STAT get_misses 1\r\n")
                .contains("STAT delete_misses 1\r\n", "STAT incr_misses 1\r\n", "STAT touch_hits 1\r\n")
                .contains("STAT cas_badval 1\r\n", "STAT cmd_set 2\r\n", "STAT total_connections 2\r\n")
                .contains("STAT limit_maxbytes 67108864\r\n")
                .endsWith("END\r\n");
        assertThat(ask("stats reset\r\nstats\r\n")).startsWith("RESET\r\n").contains("STAT cmd_get 0\r\n");
        assertThat(ask("stats settings\r\n")).contains("STAT item_size_max 1048576\r\n");
    }

    @Test
    void closeEndsConnectionsAndFreesThePort() throws IOException {
        int port = server.port();
        try (RawClient client = new RawClient(server.address())) {
            assertThat(client.ask("mn\r\n")).isEqualTo("MN\r\n");
            server.close();
            assertThat(client.readToEnd()).isEmpty();
        }
        assertThatExceptionOfType(ConnectException.class).isThrownBy(() -> new RawClient(server.address()).close());
        try (EmbeddedMemcached again = EmbeddedMemcached.builder().port(port).start()) {
            assertThat(again.port()).isEqualTo(port);
            assertThatIllegalStateException()
                    .isThrownBy(() -> EmbeddedMemcached.builder().port(port).start())
                    .withMessageContaining(String.valueOf(port));
        }
        server.close();
    }

    @Test
    void settingsOutOfRangeAreRefusedByNameAndValue() {
        EmbeddedMemcached.Builder builder = EmbeddedMemcached.builder();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.maxBytes(0))
                .withMessageContaining("maxBytes is 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.itemSizeLimit(10))
                .withMessageContaining("itemSizeLimit is 10");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.port(70_000))
                .withMessageContaining("70000");
    }
}
