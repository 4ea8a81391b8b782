// SPDX-License-Identifier: Apache-2.0
package io.memshard.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.operation.Clients;
import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The licence goes with the classes, as it asks for. */
class LegalFilesTest {

    @Test
    void licenceAndNoticeGoIntoTheJar() throws Exception {
        URI classes = Clients.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI();
        Path legal = Path.of(classes).resolve("META-INF");

        assertThat(legal.resolve("LICENSE")).hasSameTextualContentAs(Path.of("../LICENSE"));
        assertThat(legal.resolve("NOTICE")).hasSameTextualContentAs(Path.of("../NOTICE"));
    }
}
