// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;

/** A clock that moves only when told to. */
final class ManualClock implements InstantSource {

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.ofEpochSecond(1_700_000_000));

    @Override
    public Instant instant() {
        return now.get();
    }

    void advance(Duration duration) {
        now.updateAndGet(instant -> instant.plus(duration));
    }
}
