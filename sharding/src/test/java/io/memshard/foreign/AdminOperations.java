// SPDX-License-Identifier: Apache-2.0
package io.memshard.foreign;

import static io.memshard.foreign.PlainOperations.MINUTE;
import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.admin.StatsGroup;
import io.memshard.testkit.Eventually;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Operations on the server as a whole. */
final class AdminOperations {

    private AdminOperations() {}

    static List<Operation> all() {
        List<Operation> operations = new ArrayList<>(List.of(
                new Operation(
                        "admin version",
                        (calls, key) ->
                                assertThat(calls.admin().version().single()).isNotEmpty()),
                new Operation(
                        "admin stats",
                        (calls, key) ->
                                assertThat(calls.admin().stats().single().all()).isNotEmpty()),
                new Operation(
                        "admin resetStats",
                        (calls, key) -> calls.admin().resetStats().single()),
                new Operation("admin countPrefixes", (calls, key) -> {
                    calls.admin().countPrefixes(true).single();
                    calls.admin().countPrefixes(false).single();
                }),
                new Operation(
                        "admin verbosity",
                        (calls, key) -> calls.admin().verbosity(0).single()),
                new Operation(
                        "health",
                        (calls, key) -> assertThat(calls.memshard()
                                        .health(Duration.ofSeconds(5))
                                        .isUp())
                                .isTrue())));
        for (StatsGroup group : StatsGroup.values()) {
            operations.add(new Operation(
                    "admin stats " + group.argument().toLowerCase(Locale.ROOT),
                    (calls, key) -> calls.admin().stats(group).single()));
        }
        operations.add(new Operation("admin flushAll", (calls, key) -> {
            calls.client().set(key, "1", MINUTE);
            calls.admin().flushAll(Duration.ZERO).single();
            assertThat(calls.client().get(key)).isNull();
            // yrmcds flushes what is stored in the next moment, too.
            Eventually.eventually("a value stays", () -> {
                calls.client().set(key, "2", MINUTE);
                return calls.client().get(key) != null;
            });
        }));
        return operations;
    }
}
