// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.options;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.memshard.client.link.ConnectionOptions;
import io.memshard.client.link.EventLoopOpener;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Settings of TLS are checked when a client is built. */
class TlsOptionsTest {

    private static final TlsOptions TLS = TlsOptions.trustingSystem();

    private static void build(TlsOptions tls) {
        ConnectionOptions options = new ConnectionOptions();
        options.tls = tls;
        new EventLoopOpener(1, options).close();
    }

    private static void isRefused(TlsOptions tls) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> build(tls))
                .withMessageContaining("tls: TLS cannot be set up");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a b", "a\n", "a/b", "*", "cache.test.", "my_cache", "a..b"})
    void illegalServerNameIsRefused(String name) {
        isRefused(TLS.withServerName(name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"cache-1.example.com", "cache", "10.0.0.1", "fd00::1", "b\u00fccher.example"})
    void serverNameIsTaken(String name) {
        build(TLS.withServerName(name).withProtocols("TLSv1.2", "TLSv1.3"));
        isRefused(TLS.withServerName(name).withProtocols("TLSv1.3", "TLSv9"));
    }
}
