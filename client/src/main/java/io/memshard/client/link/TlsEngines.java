// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import io.memshard.client.options.ServerAddress;
import io.memshard.client.options.TlsOptions;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.concurrent.FastThreadLocal;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/** Factory of TLS engines. It reads the certificate files again for each engine. Threading: thread-safe. */
final class TlsEngines {

    private final TlsOptions options;

    /** Guarded by this object. */
    private @Nullable Loaded loaded;

    private record Loaded(List<ByteBuffer> files, SSLContext context) {}

    TlsEngines(TlsOptions options) {
        this.options = options;
    }

    SSLEngine newEngine(String host, int port) throws IOException {
        String name = options.serverName();
        SSLEngine engine = context().createSSLEngine(name == null ? host : name, port);
        engine.setUseClientMode(true);
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm(options.hostnameVerified() ? "HTTPS" : "");
        try {
            // SNI takes host names, no IPv6 addresses.
            if (name != null && name.indexOf(':') < 0) {
                parameters.setServerNames(List.of(new SNIHostName(name)));
            }
            if (!options.protocols().isEmpty()) {
                parameters.setProtocols(options.protocols().toArray(new String[0]));
            }
            engine.setSSLParameters(parameters);
        } catch (IllegalArgumentException e) {
            throw new SSLException("TLS cannot be set up: " + LinkFailure.describe(e), e);
        }
        return engine;
    }

    /** Checks the settings and files. Leaves no thread-local object of Netty on the calling thread. */
    void check() throws IOException {
        boolean isUsed = FastThreadLocal.size() > 0;
        try {
            newEngine("localhost", ServerAddress.DEFAULT_PORT);
        } finally {
            if (!isUsed) {
                FastThreadLocal.removeAll();
            }
        }
    }

    private synchronized SSLContext context() throws IOException {
        SSLContext own = options.context();
        if (own != null) {
            return own;
        }
        List<ByteBuffer> files = read();
        Loaded current = loaded;
        if (current == null || !current.files.equals(files)) {
            current = new Loaded(files, newContext());
            loaded = current;
        }
        return current.context;
    }

    private List<ByteBuffer> read() throws IOException {
        List<ByteBuffer> read = new ArrayList<>();
        for (Path file : files()) {
            try {
                read.add(ByteBuffer.wrap(Files.readAllBytes(file)));
            } catch (IOException e) {
                throw new SSLException("the TLS file " + file + " cannot be read: " + e, e);
            }
        }
        return read;
    }

    private List<Path> files() {
        return Stream.of(options.trustedCertificates(), options.clientCertificates(), options.clientKey())
                .flatMap(Stream::ofNullable)
                .toList();
    }

    private SSLContext newContext() throws SSLException {
        SslContextBuilder builder = SslContextBuilder.forClient().sslProvider(SslProvider.JDK);
        try {
            Path trusted = options.trustedCertificates();
            if (trusted != null) {
                builder.trustManager(trusted.toFile());
            }
            Path certificates = options.clientCertificates();
            Path key = options.clientKey();
            if (certificates != null && key != null) {
                builder.keyManager(certificates.toFile(), key.toFile());
            }
            return ((JdkSslContext) builder.build()).context();
        } catch (IOException | RuntimeException e) {
            throw new SSLException(
                    "the TLS files " + files()
                            + " cannot be used (certificates must be PEM; the key must be PEM in PKCS#8 without"
                            + " a password, as openssl pkcs8 -topk8 -nocrypt writes it): " + LinkFailure.describe(e),
                    e);
        }
    }
}
