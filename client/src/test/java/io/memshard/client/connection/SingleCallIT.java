// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.memshard.client.exception.MemcachedConnectionException;
import io.memshard.client.exception.MemcachedInterruptedException;
import io.memshard.client.exception.MemcachedProtocolException;
import io.memshard.client.options.Credentials;
import io.memshard.client.options.Protocol;
import io.memshard.client.options.TlsOptions;
import io.memshard.client.options.Transport;
import io.memshard.client.protocol.ClusterConfig;
import io.memshard.testkit.CertificateAuthority;
import io.memshard.testkit.fault.ScriptedConnection;
import io.memshard.testkit.fault.ScriptedServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class SingleCallIT extends ConnectionFixture {

    private static final String LIST = "CONFIG cluster 0 2\r\n1\n\r\nEND\r\n";

    SingleCallIT() {
        super(Transport.CALLER_DRIVEN, Protocol.CLASSIC);
    }

    private String call(ScriptedServer server, Duration timeout) throws Exception {
        return SingleCall.call(address(server), options(), new ClusterConfig(), timeout);
    }

    @Test
    void credentialsComeBeforeTheCommand() throws Exception {
        ScriptedServer server = scriptedServer()
                .onConnection(c -> c.expectLine("set memshard:auth 0 -1 6")
                        .expectLine("me you")
                        .send("STORED\r\n")
                        .expectLine("config get cluster")
                        .send(LIST)
                        .expectClose());

        settings.credentials = () -> new Credentials("me", "you");
        assertThat(call(server, LONG)).isEqualTo("1\n");
    }

    @Test
    void tlsIsUsedAndTheCertificateIsChecked(@TempDir Path directory) throws Exception {
        CertificateAuthority authority = CertificateAuthority.create(directory, "ours");
        CertificateAuthority other = CertificateAuthority.create(directory, "other");
        SSLContext context = CertificateAuthority.serverContext(authority.issue("127.0.0.1"));
        ScriptedServer server = closedAfterwards(ScriptedServer.start(context))
                .onConnection(c -> c.expectLine("config get cluster").send(LIST).expectClose())
                .onConnection(ScriptedConnection::ignore);

        settings.tls = TlsOptions.trusting(authority.certificate());
        assertThat(call(server, LONG)).isEqualTo("1\n");
        settings.tls = TlsOptions.trusting(other.certificate());
        assertThatThrownBy(() -> call(server, LONG)).isInstanceOf(IOException.class);
    }

    @Test
    void garbageAndAHangUpFailTheCommand() {
        ScriptedServer server = scriptedServer()
                .onConnection(c -> c.expectLine("config get cluster").send("HTTP/1.1 400 Bad Request\r\n"));
        server.onConnection(c -> c.expectLine("config get cluster").cut());

        assertThatExceptionOfType(MemcachedProtocolException.class)
                .isThrownBy(() -> call(server, LONG))
                .withMessageContaining("not a reply to config");
        assertThatExceptionOfType(MemcachedConnectionException.class).isThrownBy(() -> call(server, LONG));
    }

    @Test
    void anInterruptEndsTheCallAndIsKept() {
        ScriptedServer server = scriptedServer();
        Thread caller = Thread.currentThread();
        server.onConnection(c -> {
            c.expectLine("config get cluster");
            caller.interrupt();
            c.expectClose();
        });

        assertThatExceptionOfType(MemcachedInterruptedException.class).isThrownBy(() -> call(server, LONG));
        assertThat(Thread.interrupted()).isTrue();
    }
}
