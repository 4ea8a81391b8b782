// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TlsOptionsTest {

    private static final TlsOptions TLS = TlsOptions.trustingSystem();

    @Test
    void versionThatTheJvmDoesNotSpeakIsRefused() {
        assertThat(TLS.withProtocols("TLSv1.2", "TLSv1.3").protocols()).hasSize(2);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TLS.withProtocols("TLSv1.3", "TLSv9"))
                .withMessageContaining("\"TLSv9\"")
                .withMessageContaining("TLSv1.3");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a b", "a\n", "a/b", "*", "[::1]", "cache.test.", "my_cache", "a..b", "cache:1"})
    void serverNameThatIsNoneIsRefused(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TLS.withServerName(name))
                .withMessageContaining("serverName is \"" + name + '"');
    }

    @ParameterizedTest
    @ValueSource(strings = {"cache.test.", "my_cache", "a..b", "*.example.com", "cache-1.my_zone.local"})
    void hostThatNoCertificateCanProveIsRefused(String host) {
        ServerAddress server = new ServerAddress(host, 11211);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> options(TLS).check(server, Transport.AUTO))
                .withMessageContaining("the host \"" + host + '"')
                .withMessageContaining("withServerName");
        options(TLS.withServerName("cache.test")).check(server, Transport.AUTO);
        options(TLS.dangerouslyAcceptingAnyHostname()).check(server, Transport.AUTO);
    }

    @ParameterizedTest
    @ValueSource(strings = {"cache", "cache-1.example.com", "10.0.0.1", "fd00::1", "fe80::1%eth0"})
    void hostThatACertificateCanProveIsTaken(String host) {
        options(TLS).check(new ServerAddress(host, 11211), Transport.AUTO);
    }

    private static ConnectionOptions options(TlsOptions tls) {
        return ConnectionOptions.builder().tls(tls).build();
    }

    @ParameterizedTest
    @ValueSource(strings = {"cache-1.example.com", "cache", "10.0.0.1", "fd00::1", "b\u00fccher.example"})
    void serverNameIsTaken(String name) {
        assertThat(TLS.withServerName(name).serverName()).isEqualTo(name);
    }
}
