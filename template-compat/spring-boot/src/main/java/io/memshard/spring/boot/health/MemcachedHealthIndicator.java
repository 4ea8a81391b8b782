// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot.health;

import io.memshard.Memshard;
import io.memshard.spring.boot.DownWhen;
import java.time.Duration;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

/**
 * Health of a client's servers: the numbers of servers up and down, and why each server is down.
 *
 * <p>Threading: thread-safe. A check waits for the answers of all servers, at most for the timeout.
 *
 * <p>This class implements a type of Spring Boot 4. On Spring Boot 3.5, this class cannot be used, and only the
 * starter's own beans report health.
 */
public final class MemcachedHealthIndicator extends AbstractHealthIndicator {

    private final Memshard memshard;
    private final DownWhen downWhen;
    private final Duration timeout;

    /**
     * Creates an indicator of the health of a client.
     *
     * @param downWhen condition under which the client counts as down
     * @param timeout maximum wait for answers, more than zero and at most 24 days
     */
    public MemcachedHealthIndicator(Memshard memshard, DownWhen downWhen, Duration timeout) {
        super("memcached could not be queried");
        this.memshard = memshard;
        this.downWhen = downWhen;
        this.timeout = timeout;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        ServersHealth health = ServersHealth.of(memshard, downWhen, timeout);
        builder.status(health.isDown() ? Status.DOWN : Status.UP).withDetails(health.details());
    }
}
