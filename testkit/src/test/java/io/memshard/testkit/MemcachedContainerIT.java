// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.github.dockerjava.api.exception.NotFoundException;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.testcontainers.DockerClientFactory;

@Timeout(180)
@Tag("installed")
class MemcachedContainerIT {

    private static final String IMAGE = System.getProperty(MemcachedContainer.IMAGE_PROPERTY, "memcached:1.6");

    @Test
    void aContainerAnswersUntilItIsClosed() throws IOException {
        assumeTrue(
                Boolean.parseBoolean(System.getenv("TESTCONTAINERS_RYUK_DISABLED")),
                "TESTCONTAINERS_RYUK_DISABLED is not set, and its image may be out of reach");
        if (!isPresent(IMAGE)) {
            throw Program.skip("a Docker engine with the image " + IMAGE + ", see docs/docker.md");
        }
        MemcachedContainer container = MemcachedContainer.start();
        try (container) {
            assertThat(RawClient.ask(container, "mn\r\n")).isEqualTo("MN\r\n");
            assertThat(container.description()).contains("container " + IMAGE);
        }
        container.close();
    }

    private static boolean isPresent(String image) {
        try {
            DockerClientFactory.lazyClient().inspectImageCmd(image).exec();
            return true;
        } catch (IllegalStateException | NotFoundException e) {
            return false;
        }
    }
}
