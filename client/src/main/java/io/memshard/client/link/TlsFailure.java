// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.memshard.client.options.TlsOptions;
import io.memshard.client.protocol.wire.MalformedReplyException;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.NotSslRecordException;
import java.nio.channels.ClosedChannelException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.HexFormat;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

final class TlsFailure {

    private static final String ALERT = "fatal alert: ";
    private static final String SERVER_FULL =
            HexFormat.of().formatHex(MalformedReplyException.SERVER_FULL.getBytes(US_ASCII));

    private TlsFailure() {}

    static Throwable explained(Throwable cause, TlsOptions options, String host) {
        Throwable unwrapped =
                cause instanceof DecoderException decoder && decoder.getCause() != null ? decoder.getCause() : cause;
        if (unwrapped instanceof ClosedChannelException) {
            return new SSLException(
                    "the server closed the connection during the TLS handshake"
                            + (options.clientCertificates() == null
                                    ? ", perhaps because no client certificate was sent"
                                    : ""),
                    unwrapped);
        }
        if (!(unwrapped instanceof SSLException)) {
            return unwrapped;
        }
        String name = options.serverName();
        String expected = name == null ? host : name;
        for (Throwable each = unwrapped; each != null; each = each.getCause()) {
            // A full memcached says so in plain text, on a TLS port too.
            if (each instanceof NotSslRecordException
                    && LinkFailure.describe(each).contains(SERVER_FULL)) {
                return new ServerFullException(null);
            }
            String why = reason(each, expected, options.clientCertificates() != null || options.context() != null);
            if (why != null) {
                // The original exception is left out, because it quotes all received bytes.
                return each instanceof NotSslRecordException ? new SSLException(why) : new SSLException(why, unwrapped);
            }
        }
        return new SSLException("TLS failed: " + LinkFailure.describe(unwrapped), unwrapped);
    }

    private static @Nullable String reason(Throwable cause, String expected, boolean sendsCertificate) {
        String message = LinkFailure.describe(cause);
        if (cause instanceof CertificateExpiredException) {
            return "the server's certificate has expired (" + message + ")";
        }
        if (cause instanceof CertificateNotYetValidException) {
            return "the server's certificate is not valid yet (" + message + ")";
        }
        if (cause instanceof CertPathBuilderException) {
            return "the server's certificate is not trusted: none of the trusted certificates has signed it";
        }
        if (cause instanceof CertificateException && message.startsWith("No ")) {
            return "the server's certificate is not for \"" + expected + "\" (" + message
                    + "): connect to a name in the certificate, or set that name with withServerName";
        }
        if (cause instanceof NotSslRecordException) {
            return "the server, or a host in between, does not speak TLS on this port: use the server's TLS port";
        }
        int alert = message.indexOf(ALERT);
        return alert < 0 ? null : refusal(message.substring(alert + ALERT.length()), sendsCertificate);
    }

    private static String refusal(String alert, boolean sendsCertificate) {
        boolean aboutCertificate = alert.contains("certificate") || alert.contains("unknown_ca");
        if (alert.equals("certificate_required") || (!sendsCertificate && aboutCertificate)) {
            return "the server requires a client certificate (alert " + alert + "): set withClientCertificate";
        }
        if (aboutCertificate) {
            return "the server refused the client certificate (alert " + alert + "): set one that the server trusts";
        }
        return "the server refused the TLS handshake (alert " + alert + ")"
                + (sendsCertificate ? "" : ", perhaps because no client certificate was sent");
    }
}
