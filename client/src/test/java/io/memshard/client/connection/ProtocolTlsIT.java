// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import io.memshard.client.options.TlsOptions;
import io.memshard.client.options.Transport;
import io.memshard.testkit.CertificateAuthority;
import io.memshard.testkit.fault.ScriptedServer;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** The contract of which protocol is spoken, over TLS. */
@Tag("deep")
class ProtocolTlsIT extends ProtocolContract {

    private static CertificateAuthority authority;
    private static CertificateAuthority.Issued serverCertificate;

    ProtocolTlsIT() {
        super(Transport.EVENT_LOOP);
    }

    @BeforeAll
    static void makeCertificates(@TempDir Path directory) {
        authority = CertificateAuthority.create(directory, "authority");
        serverCertificate = authority.issue("localhost", "127.0.0.1");
    }

    @BeforeEach
    void speakTls() {
        settings.tls(TlsOptions.trusting(authority.certificate()));
    }

    @Override
    protected ScriptedServer startScriptedServer() {
        return ScriptedServer.start(CertificateAuthority.serverContext(serverCertificate));
    }
}
