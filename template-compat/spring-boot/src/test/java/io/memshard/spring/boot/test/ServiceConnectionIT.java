// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.Memshard;
import io.memshard.client.admin.ServerHealth;
import io.memshard.spring.boot.MemcachedConnectionDetails;
import io.memshard.template.MemcachedTemplate;
import io.memshard.testkit.Program;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.test.annotation.DirtiesContext;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.junit.jupiter.Container;
import org.testcontainers.junit.jupiter.Testcontainers;

/** A test with a server in a container. */
@EnabledIf(
        value = "isImageThere",
        disabledReason = Program.LACK + "a Docker engine with the image memcached:1.6, see docs/docker.md")
@Testcontainers
@SpringBootTest(
        classes = ServiceConnectionIT.Application.class,
        webEnvironment = WebEnvironment.NONE,
        properties = {"memcached.servers=nowhere:1", "memcached.request-timeout=30s", "memcached.connect-timeout=30s"})
@DirtiesContext // It would reconnect to the container that is gone.
class ServiceConnectionIT {

    private static final String IMAGE = System.getProperty("memshard.image", "memcached:1.6");

    @Container
    @ServiceConnection
    static final GenericContainer<?> MEMCACHED = new GenericContainer<>(IMAGE).withExposedPorts(11211);

    @SpringBootApplication
    static class Application {}

    @Autowired
    private MemcachedConnectionDetails details;

    @Autowired
    private Memshard memshard;

    @Autowired
    private MemcachedTemplate<String> template;

    static boolean isImageThere() throws IOException, InterruptedException {
        if (!Boolean.parseBoolean(System.getenv("TESTCONTAINERS_RYUK_DISABLED"))) {
            return false; // Its image may be out of reach.
        }
        try {
            Process process = new ProcessBuilder("docker", "image", "inspect", IMAGE)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor(20, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException noDocker) {
            return false;
        }
    }

    @Test
    void theClientReachesTheContainer() {
        template.set("key", "value", Duration.ofMinutes(1));

        assertThat(template.get("key")).isEqualTo("value");
        assertThat(details.getServers()).containsExactly(MEMCACHED.getHost() + ':' + MEMCACHED.getMappedPort(11211));
        assertThat(memshard.healthByServer(Duration.ofSeconds(30))).allMatch(ServerHealth::isUp);
    }
}
