// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit;

import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.jspecify.annotations.Nullable;

/**
 * Certificate authority for one test. The authority writes its certificates and their keys as PEM files. Needs {@code
 * io.netty:netty-pkitesting} on the class path.
 *
 * <p>Threading: thread-safe.
 */
public final class CertificateAuthority {

    private static final Duration DAY = Duration.ofDays(1);
    private static final Duration HOUR = Duration.ofHours(1);

    private final AtomicInteger issued = new AtomicInteger();
    private final Path directory;
    private final String commonName;
    private final X509Bundle own;
    private final Path file;

    /** Certificate and private key in two PEM files, and also together as {@code bundle}. The key file is in PKCS#8. */
    public record Issued(Path certificates, Path key, X509Bundle bundle) {}

    private CertificateAuthority(Path directory, String commonName) throws Exception {
        this.directory = directory;
        this.commonName = commonName;
        own = builder(commonName, DAY.negated(), DAY)
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
        file = Files.writeString(directory.resolve(commonName + ".pem"), own.getCertificatePEM());
    }

    /** Creates an authority that writes its own and all issued certificates into {@code directory}. */
    public static CertificateAuthority create(Path directory, String commonName) {
        try {
            return new CertificateAuthority(directory, commonName);
        } catch (Exception e) {
            throw new IllegalStateException("cannot create a certificate authority", e);
        }
    }

    private static CertificateBuilder builder(String commonName, Duration from, Duration to) {
        Instant now = Instant.now();
        return new CertificateBuilder()
                .ecp256()
                .subject("CN=" + commonName)
                .notBefore(now.plus(from))
                .notAfter(now.plus(to));
    }

    /** Returns the file with the authority's certificate, in PEM. */
    public Path certificate() {
        return file;
    }

    /** Issues a certificate that is valid now, for these DNS names and IP addresses. */
    public Issued issue(String... hosts) {
        return issue(DAY.negated(), DAY, hosts);
    }

    /** Issues a certificate that expired an hour ago. */
    public Issued issueExpired(String... hosts) {
        return issue(DAY.negated(), HOUR.negated(), hosts);
    }

    /** Issues a certificate that becomes valid in an hour. */
    public Issued issueNotYetValid(String... hosts) {
        return issue(HOUR, DAY, hosts);
    }

    /** Returns the authority's own self-signed certificate, for a server that presents this certificate. */
    public Issued selfSigned() {
        try {
            return written(commonName, own);
        } catch (IOException e) {
            throw new IllegalStateException("cannot write the key of a certificate authority", e);
        }
    }

    private Issued issue(Duration from, Duration to, String... hosts) {
        int number = issued.incrementAndGet();
        GeneralName[] names = Stream.of(hosts)
                .map(host -> new GeneralName(isAddress(host) ? GeneralName.iPAddress : GeneralName.dNSName, host))
                .toArray(GeneralName[]::new);
        try {
            // The builder's own method refuses names with a wildcard.
            CertificateBuilder builder = builder("issued " + number, from, to)
                    .addExtensionOctetString(
                            Extension.subjectAlternativeName.getId(), false, new GeneralNames(names).getEncoded());
            return written(commonName + "-" + number, builder.buildIssuedBy(own));
        } catch (Exception e) {
            throw new IllegalStateException("cannot issue a certificate", e);
        }
    }

    private static boolean isAddress(String host) {
        return host.indexOf(':') >= 0 || host.chars().allMatch(c -> c == '.' || Character.isDigit(c));
    }

    private Issued written(String name, X509Bundle bundle) throws IOException {
        return new Issued(
                Files.writeString(directory.resolve(name + ".crt"), bundle.getCertificatePEM()),
                Files.writeString(directory.resolve(name + ".key"), bundle.getPrivateKeyPEM()),
                bundle);
    }

    /** Returns the TLS context of a client that trusts this authority's certificates and presents no certificate. */
    public SSLContext clientContext() {
        return context(null, own);
    }

    /** Returns the TLS context of a server that presents this certificate and requests no certificate from clients. */
    public static SSLContext serverContext(Issued presented) {
        return context(presented.bundle, null);
    }

    private static SSLContext context(@Nullable X509Bundle presented, @Nullable X509Bundle trusted) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(
                    presented == null ? null : presented.toKeyManagerFactory().getKeyManagers(),
                    trusted == null ? null : trusted.toTrustManagerFactory().getTrustManagers(),
                    null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("cannot create a TLS context", e);
        }
    }
}
