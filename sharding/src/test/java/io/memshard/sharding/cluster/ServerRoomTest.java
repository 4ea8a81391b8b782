// SPDX-License-Identifier: Apache-2.0
package io.memshard.sharding.cluster;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServerRoomTest {

    private static final String TAKEN = "curr_connections"; // Of no server.
    private static final String LIMIT = "max_connections";

    private static ServerRoom room(long taken, long limit) {
        return requireNonNull(ServerRoom.of(Map.of(TAKEN, Long.toString(taken), LIMIT, Long.toString(limit))));
    }

    @ParameterizedTest
    @CsvSource({
        "1, 1, 512", // alone
        "2, 2, 512",
        "1, 100, 5", // a hundred like this one
        "1, 1000, 0", // a thousand
        "8, 500, 8",
        "8, 600, 6",
        "3, 0, 512" // what it has counts
    })
    void shareOfHalfTheConnectionsInProportionToOwn(int own, int taken, int most) {
        assertThat(room(taken, 1024).most(own)).isEqualTo(most);
    }

    @Test
    void serverThatDoesNotSayHasNoKnownRoom() {
        assertThat(ServerRoom.of(Map.of())).isNull();
        assertThat(ServerRoom.of(Map.of(TAKEN, "7"))).isNull();
        assertThat(ServerRoom.of(Map.of(TAKEN, "7", LIMIT, "many"))).isNull();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 10, 200, 500, 1000})
    void fleetThatGrowsAtTheSameMomentLeavesHalfFree(int clients) {
        Random random = new Random(clients);
        int[] own = new int[clients];
        Arrays.setAll(own, client -> 1 + (clients < 100 ? random.nextInt(16) : 0));
        for (int round = 0; round < 20; round++) {
            ServerRoom seen = room(Arrays.stream(own).sum(), 1024);
            Arrays.setAll(own, client -> (int) Math.max(own[client], Math.min(16, seen.most(own[client]))));
        }
        assertThat(Arrays.stream(own).sum()).isLessThanOrEqualTo(Math.max(512, clients));
        if (clients <= 32) {
            assertThat(own).as("each has all that it wants").containsOnly(16);
        }
    }

    @Test
    void saysWhatTheServerSaid() {
        assertThat(room(600, 1024)).hasToString("600 of 1024 connections taken");
    }
}
