package io.memshard.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
class MemcachedContainerIT {

    @Test
    void aContainerAnswersAndIsGoneAfterClose() throws IOException {
        String image = System.getProperty(MemcachedContainer.IMAGE_PROPERTY, "memcached:1.6");
        assumeTrue(isPresent(image), "no Docker engine with the image " + image);
        assumeTrue(
                Boolean.parseBoolean(System.getenv("TESTCONTAINERS_RYUK_DISABLED")),
                "TESTCONTAINERS_RYUK_DISABLED is not set, and its image may be out of reach");
        MemcachedContainer container = MemcachedContainer.start();
        try (container) {
            assertThat(RawClient.ask(container, "mn\r\n")).isEqualTo("MN\r\n");
            assertThat(container.description()).contains("container " + image);
            assertThat(container.containerId()).isNotEmpty();
        }
        container.close();
    }

    private static boolean isPresent(String image) {
        try {
            return DockerEngine.find(System.getenv("DOCKER_HOST")).hasImage(image);
        } catch (IOException e) {
            return false;
        }
    }
}
