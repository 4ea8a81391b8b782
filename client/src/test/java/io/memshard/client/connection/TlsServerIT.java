// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import io.memshard.client.options.Protocol;
import io.memshard.client.options.TlsOptions;
import io.memshard.client.options.Transport;
import io.memshard.testkit.CertificateAuthority;
import io.memshard.testkit.MemcachedProcess;
import io.memshard.testkit.NeedsProgram;
import io.memshard.testkit.Program;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** The contract of a server that behaves, over TLS. */
@NeedsProgram(Program.MEMCACHED)
class TlsServerIT extends ServerContract {

    private static CertificateAuthority authority;
    private static MemcachedProcess memcached;

    TlsServerIT() {
        super(Transport.EVENT_LOOP, Protocol.META, memcached);
    }

    @BeforeAll
    static void start(@TempDir Path directory) {
        authority = CertificateAuthority.create(directory, "authority");
        CertificateAuthority.Issued own = authority.issue("127.0.0.1");
        memcached = MemcachedProcess.startTls(own.certificates(), own.key());
    }

    @AfterAll
    static void stop() {
        memcached.close();
    }

    @BeforeEach
    void speakTls() {
        settings.tls(TlsOptions.trusting(authority.certificate()));
    }
}
