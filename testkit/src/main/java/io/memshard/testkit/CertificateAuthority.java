// SPDX-License-Identifier: Apache-2.0
package io.memshard.testkit;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * Certificate authority for one test: issues certificates, and writes them and their keys as PEM files (PKCS#8). Needs
 * Bouncy Castle ({@code bcpkix-jdk18on}) on the class path.
 *
 * <p>{@code Threading}: thread-safe.
 */
public final class CertificateAuthority {

    private static final Validity NOW = new Validity(Duration.ofDays(-1), Duration.ofDays(1));
    private static final Validity EXPIRED = new Validity(Duration.ofDays(-1), Duration.ofHours(-1));
    private static final Validity NOT_YET = new Validity(Duration.ofHours(1), Duration.ofDays(1));
    private static final int BASE64_LINE = 64;

    private final AtomicInteger issued = new AtomicInteger();
    private final Path directory;
    private final String commonName;
    private final KeyPair keys;
    private final X509CertificateHolder certificate;
    private final Path file;

    /**
     * Certificate with its private key.
     *
     * @param certificates file with the certificate, in PEM
     * @param key file with the key, in PEM and PKCS#8
     * @param privateKey the key itself
     */
    public record Issued(Path certificates, Path key, PrivateKey privateKey) {}

    /** Period of a certificate's validity, relative to now. */
    private record Validity(Duration from, Duration to) {}

    private CertificateAuthority(Path directory, String commonName) throws IOException {
        this.directory = directory;
        this.commonName = commonName;
        this.keys = newKeys();
        this.certificate = sign(
                commonName,
                keys,
                NOW,
                builder -> builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(true)));
        this.file = directory.resolve(commonName + ".pem");
        Files.writeString(file, pem("CERTIFICATE", certificate.getEncoded()));
    }

    /** Creates an authority that writes its files into {@code directory}, beginning with its own certificate. */
    public static CertificateAuthority create(Path directory, String commonName) {
        try {
            return new CertificateAuthority(directory, commonName);
        } catch (IOException e) {
            throw new IllegalStateException("cannot create a certificate authority", e);
        }
    }

    /** Returns the file with the authority's certificate, in PEM. */
    public Path certificate() {
        return file;
    }

    /** Issues a certificate that is valid now, for these DNS names and IP addresses. */
    public Issued issue(String... hosts) {
        return issue(NOW, hosts);
    }

    /** Issues a certificate for these hosts that expired an hour ago. */
    public Issued issueExpired(String... hosts) {
        return issue(EXPIRED, hosts);
    }

    /** Issues a certificate for these hosts that becomes valid in an hour. */
    public Issued issueNotYetValid(String... hosts) {
        return issue(NOT_YET, hosts);
    }

    /** Returns the authority's own self-signed certificate, for a server that presents it. */
    public Issued selfSigned() {
        try {
            Path key = directory.resolve(commonName + ".key");
            Files.writeString(key, pem("PRIVATE KEY", keys.getPrivate().getEncoded()));
            return new Issued(file, key, keys.getPrivate());
        } catch (IOException e) {
            throw new IllegalStateException("cannot write the key of a certificate authority", e);
        }
    }

    private Issued issue(Validity validity, String... hosts) {
        int number = issued.incrementAndGet();
        KeyPair own = newKeys();
        GeneralName[] names = List.of(hosts).stream()
                .map(host -> new GeneralName(isAddress(host) ? GeneralName.iPAddress : GeneralName.dNSName, host))
                .toArray(GeneralName[]::new);
        try {
            X509CertificateHolder signed = sign(
                    "issued " + number,
                    own,
                    validity,
                    builder -> builder.addExtension(Extension.subjectAlternativeName, false, new GeneralNames(names)));
            Path certificates = directory.resolve(commonName + "-" + number + ".crt");
            Path key = directory.resolve(commonName + "-" + number + ".key");
            Files.writeString(certificates, pem("CERTIFICATE", signed.getEncoded()));
            Files.writeString(key, pem("PRIVATE KEY", own.getPrivate().getEncoded()));
            return new Issued(certificates, key, own.getPrivate());
        } catch (IOException e) {
            throw new IllegalStateException("cannot issue a certificate", e);
        }
    }

    private static boolean isAddress(String host) {
        return host.indexOf(':') >= 0 || host.chars().allMatch(c -> c == '.' || Character.isDigit(c));
    }

    /** Returns a client's context that trusts the certificates of this authority, and has no client certificate. */
    public SSLContext clientContext() {
        return Trust.in(file);
    }

    /** Returns the context of a server that presents this certificate, and requests none from clients. */
    public static SSLContext serverContext(Issued presented) {
        char[] none = {};
        try {
            Certificate own = CertificateFactory.getInstance("X.509")
                    .generateCertificate(new ByteArrayInputStream(Files.readAllBytes(presented.certificates())));
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, none);
            store.setKeyEntry("server", presented.privateKey(), none, new Certificate[] {own});
            KeyManagerFactory keyManagers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keyManagers.init(store, none);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keyManagers.getKeyManagers(), null, null);
            return context;
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException("cannot create a TLS context from " + presented.certificates(), e);
        }
    }

    @FunctionalInterface
    private interface Extensions {
        void addTo(JcaX509v3CertificateBuilder builder) throws IOException;
    }

    private X509CertificateHolder sign(String subject, KeyPair subjectKeys, Validity validity, Extensions extensions)
            throws IOException {
        Instant now = Instant.now();
        JcaX509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                new X500Name("CN=" + commonName),
                BigInteger.valueOf(now.toEpochMilli() * 1000 + issued.get()),
                Date.from(now.plus(validity.from)),
                Date.from(now.plus(validity.to)),
                new X500Name("CN=" + subject),
                subjectKeys.getPublic());
        extensions.addTo(builder);
        try {
            return builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate()));
        } catch (OperatorCreationException e) {
            throw new IllegalStateException("cannot sign a certificate", e);
        }
    }

    private static KeyPair newKeys() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JVM generates no EC keys", e);
        }
    }

    private static String pem(String type, byte[] encoded) {
        byte[] lineEnd = "\n".getBytes(StandardCharsets.US_ASCII);
        String lines = Base64.getMimeEncoder(BASE64_LINE, lineEnd).encodeToString(encoded);
        return "-----BEGIN " + type + "-----\n" + lines + "\n-----END " + type + "-----\n";
    }
}
