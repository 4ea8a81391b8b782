// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.protocol;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.protocol.wire.MetaFlags;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What commands write after their times to live were limited to 60 seconds. */
class ExptimeLimitTest {

    private static final MetaFlags NONE = MetaFlags.NONE;
    private static final int DAY = 86_400;

    private static String limited(Command<?> command) {
        return Decoding.request(Objects.requireNonNull(command.asItems()).withExptimeAtMost(60));
    }

    private static MetaSet.Item item(int exptime) {
        return new MetaSet.Item("v".getBytes(US_ASCII), 0, exptime);
    }

    private static Command<StoreStatus> set(MetaSet.Mode mode, int exptime) {
        return new MetaSet<>("k", mode, item(exptime), MetaSet.ANY_CAS, MetaReply::status);
    }

    @ParameterizedTest
    @CsvSource({"0, 60", "1, 1", "60, 60", "61, 60", "2592000, 60", "2592001, 2592001", "2000000000, 60"})
    void shorterAndExpiredTimesStay(int exptime, int expected) {
        assertThat(limited(set(MetaSet.Mode.SET, exptime))).isEqualTo("ms k 1 T" + expected + " O7\r\nv\r\n");
    }

    @Test
    void valueThatIsAddedToAnItemLeavesTheItemItsTime() {
        assertThat(limited(set(MetaSet.Mode.APPEND, 0))).isEqualTo("ms k 1 MA O7\r\nv\r\n");
        assertThat(limited(set(MetaSet.Mode.PREPEND, 0))).isEqualTo("ms k 1 MP O7\r\nv\r\n");
        assertThat(limited(set(MetaSet.Mode.ADD, DAY))).isEqualTo("ms k 1 ME T60 O7\r\nv\r\n");
    }

    @Test
    void readThatTouchesIsLimitedAndOthersStay() {
        assertThat(limited(new MetaGet<>("k", MetaGet.Wanted.VALUE, DAY, (data, flags, cas) -> data)))
                .isEqualTo("mg k v f T60 O7\r\n");
        MetaGet<byte[]> read = new MetaGet<>("k", MetaGet.Wanted.VALUE, MetaGet.NO_TOUCH, (data, flags, cas) -> data);
        assertThat(read.withExptimeAtMost(60)).isSameAs(read);
        assertThat(limited(new MetaMultiGet<>(List.of("k"), MetaGet.Wanted.VALUE, DAY, (data, flags, cas) -> data)))
                .isEqualTo("mg k v f T60 O7.0\r\n");
    }

    @Test
    void counterThatIsCreatedIsLimited() {
        MetaFlags flags = NONE.with("v").with('D', 1).with('N', 0).with('J', 5);
        assertThat(limited(new MetaCommand<>(MetaCommand.Verb.ARITHMETIC, "incr", "k", flags, null, MetaReply::status)))
                .isEqualTo("ma k N60 J5 D1 v O7\r\n");
    }

    @Test
    void eachOfManyItemsIsLimited() {
        assertThat(limited(MetaMultiWrite.stores(
                        List.of(new MetaMultiWrite.Write("a", item(0)), new MetaMultiWrite.Write("b", item(5))))))
                .startsWith("ms a 1 T60 O7.0")
                .contains("\r\nms b 1 T5 O7.1");
    }

    @Test
    void flagsOfMetaRequestsAreLimited() {
        assertThat(limited(meta(
                        MetaCommand.Verb.GET,
                        NONE.with('R', 100).with('T', DAY).with('N', DAY).with("v"),
                        null)))
                .isEqualTo("mg k R100 T60 N60 v O7\r\n");
        assertThat(limited(meta(MetaCommand.Verb.GET, NONE.with("tv"), null))).isEqualTo("mg k v t O7\r\n");
        assertThat(limited(meta(MetaCommand.Verb.DELETE, NONE.with('T', DAY).with("I"), null)))
                .isEqualTo("md k T60 I O7\r\n");
        byte[] block = {'v'};
        assertThat(limited(meta(MetaCommand.Verb.SET, NONE.with('T', 5), block)))
                .isEqualTo("ms k 1 T5 O7\r\nv\r\n");
        assertThat(limited(meta(MetaCommand.Verb.SET, NONE.with("c"), block))).isEqualTo("ms k 1 T60 c O7\r\nv\r\n");
        assertThat(limited(meta(MetaCommand.Verb.SET, NONE.with('N', 0).with('M', 'A'), block)))
                .isEqualTo("ms k 1 N60 MA O7\r\nv\r\n");
    }

    private static MetaCommand<StoreStatus> meta(MetaCommand.Verb verb, MetaFlags flags, byte[] block) {
        return new MetaCommand<>(verb, "k", flags, block, MetaReply::status);
    }
}
