// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.options;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * TLS settings of a client.
 *
 * <p>Files are read when a client is built. A changed file is read again before the next attempt to connect, so a
 * certificate can be renewed without a restart. The server's certificate must be valid for the configured host, unless
 * another name is set.
 *
 * <p>Threading: immutable.
 *
 * <p>Failure: building a client throws an {@link IllegalArgumentException} for an unreadable file, a server name that
 * is not a host name, or an unsupported TLS version. If a file becomes unreadable later, attempts to connect fail. The
 * message names the file and the cause.
 *
 * @param context SSL context of the caller, used instead of files; null to use files
 * @param trustedCertificates PEM file with the certificates to trust; null for the certificates that the JVM trusts
 * @param clientCertificates PEM file with the certificate to present, and its chain; null to present no certificate
 * @param clientKey PEM file with the client's private key, in PKCS#8 and without a password
 * @param serverName name to send (SNI) and to expect in the server's certificate; null for the host
 * @param protocols TLS versions to use, such as {@code TLSv1.3}; empty for the JVM's default
 * @param hostnameVerified true if the server's certificate must be valid for the expected name, which is
 *     {@code serverName} or, if that is null, the host; false to accept a certificate for any name
 */
public record TlsOptions(
        @Nullable SSLContext context,
        @Nullable Path trustedCertificates,
        @Nullable Path clientCertificates,
        @Nullable Path clientKey,
        @Nullable String serverName,
        List<String> protocols,
        boolean hostnameVerified) {

    /** Checks that the settings do not contradict each other. Copies the list of protocols. */
    public TlsOptions {
        protocols = List.copyOf(protocols);
        if ((clientCertificates == null) != (clientKey == null)) {
            throw new IllegalArgumentException(
                    "only one of clientCertificates and clientKey is set: set both, or remove both");
        }
        if (context != null && (trustedCertificates != null || clientCertificates != null)) {
            throw new IllegalArgumentException(
                    "an SSLContext is set together with certificate files: remove the files or the SSLContext");
        }
    }

    private static final TlsOptions SYSTEM = new TlsOptions(null, null, null, null, null, List.of(), true);

    /** Returns settings that trust the certificates that the JVM trusts. */
    public static TlsOptions trustingSystem() {
        return SYSTEM;
    }

    /** Returns settings that trust only the certificates in a PEM file. */
    public static TlsOptions trusting(Path certificates) {
        return new TlsOptions(
                null, Objects.requireNonNull(certificates, "certificates is null"), null, null, null, List.of(), true);
    }

    /** Returns settings with the certificates of {@code context}, which is never reloaded. */
    public static TlsOptions of(SSLContext context) {
        return new TlsOptions(
                Objects.requireNonNull(context, "context is null"), null, null, null, null, List.of(), true);
    }

    /**
     * Returns a copy with a client certificate, which is presented if the server requests a certificate.
     *
     * @param certificates PEM file with the certificate and its chain
     * @param key PEM file with the client's private key, in PKCS#8 and without a password
     */
    public TlsOptions withClientCertificate(Path certificates, Path key) {
        return new TlsOptions(context, trustedCertificates, certificates, key, serverName, protocols, hostnameVerified);
    }

    /** Returns a copy that sends {@code name} (SNI), and expects {@code name} in the server's certificate. */
    public TlsOptions withServerName(String name) {
        return new TlsOptions(
                context, trustedCertificates, clientCertificates, clientKey, name, protocols, hostnameVerified);
    }

    /** Returns a copy that uses only these versions of TLS, such as {@code TLSv1.3}. */
    public TlsOptions withProtocols(String... versions) {
        return new TlsOptions(
                context,
                trustedCertificates,
                clientCertificates,
                clientKey,
                serverName,
                List.of(versions),
                hostnameVerified);
    }

    /**
     * Returns a copy that accepts any server with a trusted certificate, regardless of the name in the certificate.
     * Dangerous: anyone with a certificate of a trusted authority can pose as the server.
     */
    public TlsOptions dangerouslyAcceptingAnyHostname() {
        return new TlsOptions(
                context, trustedCertificates, clientCertificates, clientKey, serverName, protocols, false);
    }
}
