// SPDX-License-Identifier: Apache-2.0
package io.memshard;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.client.MemcachedClient;
import io.memshard.client.options.TlsOptions;
import io.memshard.client.transcoder.Transcoder;
import io.memshard.testkit.CertificateAuthority;
import io.memshard.testkit.MemcachedProcess;
import io.memshard.testkit.NeedsProgram;
import io.memshard.testkit.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The builder's settings of TLS, users and Unix domain sockets reach every connection. */
@NeedsProgram(Program.MEMCACHED)
@Timeout(300)
class SecureMemshardIT {

    @TempDir
    Path directory;

    private static void works(MemshardBuilder builder) {
        try (Memshard memshard = builder.requestTimeout(Duration.ofSeconds(60))
                .connectTimeout(Duration.ofSeconds(60))
                .build()) {
            MemcachedClient<String> client = memshard.client(Transcoder.utf8());
            client.set("key", "value", Duration.ofMinutes(1));
            assertThat(client.get("key")).isEqualTo("value");
            assertThat(client.async().get("key").join()).isEqualTo("value");
        }
    }

    @Test
    void tls() {
        CertificateAuthority authority = CertificateAuthority.create(directory, "authority");
        CertificateAuthority.Issued own = authority.issue("localhost");
        try (MemcachedProcess memcached = MemcachedProcess.startTls(own.certificates(), own.key())) {
            works(Memshard.builder()
                    .servers("localhost:" + memcached.port())
                    .tls(TlsOptions.trusting(authority.certificate())));
        }
    }

    @Test
    void user() throws IOException {
        Path users = Files.writeString(directory.resolve("users"), "alice:secret\n");
        try (MemcachedProcess memcached = MemcachedProcess.startAuthenticated(users)) {
            works(Memshard.builder()
                    .servers(memcached.host() + ":" + memcached.port())
                    .credentials("alice", "secret"));
        }
    }

    @Test
    void unixSocket() {
        try (MemcachedProcess memcached = MemcachedProcess.startOnUnixSocket(directory.resolve("memcached.sock"))) {
            works(Memshard.builder().servers("unix:" + memcached.host()));
        }
    }
}
