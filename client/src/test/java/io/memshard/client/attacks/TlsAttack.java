// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.attacks;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.memshard.testkit.CertificateAuthority;
import io.memshard.testkit.CertificateAuthority.Issued;
import io.memshard.testkit.fault.ScriptedConnection;
import io.memshard.testkit.fault.ScriptedServer;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Servers and networks that no credentials may be sent to, as a table: what they do, and what the failure says.
 *
 * <p>Some show a certificate in a handshake that is sound otherwise. The others send bytes in the place of a handshake.
 */
enum TlsAttack {
    // Certificates.
    EXPIRED("has expired", (ours, stranger) -> ours.issueExpired("127.0.0.1")),
    NOT_YET_VALID("is not valid yet", (ours, stranger) -> ours.issueNotYetValid("127.0.0.1")),
    OTHER_HOST("is not for \"127.0.0.1\"", (ours, stranger) -> ours.issue("cache.example.com")),
    ADDRESS_AS_A_NAME("is not for \"127.0.0.1\"", (ours, stranger) -> ours.issue("127.0.0.1.example.com")),
    UNKNOWN_AUTHORITY("is not trusted", (ours, stranger) -> stranger.issue("127.0.0.1")),
    SELF_SIGNED("is not trusted", (ours, stranger) -> stranger.selfSigned()),

    // No TLS at all.
    PLAIN_MEMCACHED("does not speak TLS", sends("STORED\r\nMN\r\n")),
    HTTP("does not speak TLS", sends("HTTP/1.1 400 Bad Request\r\n\r\n")),
    NUL_BYTES("does not speak TLS", sends("\0".repeat(100))),
    SSL_2(TlsAttack.TIMED_OUT, sendsHex("801c0402000100020000000100")),

    // A handshake that breaks off.
    CLOSED_AT_ONCE("during the TLS handshake", ScriptedConnection::cut),
    CLOSED_AFTER_THE_HELLO("during the TLS handshake", c -> c.cut(), 100),
    RESET_AFTER_THE_HELLO("", c -> c.reset(), 100),
    CLOSED_WITHIN_A_RECORD(
            "during the TLS handshake", c -> c.send(bytes("1603030040020000")).cut(), 100),
    CLOSE_NOTIFY("", sendsHex("15030300020100")),
    REFUSED("refused the TLS handshake", sendsHex("15030300020228")),
    SILENT(TlsAttack.TIMED_OUT, c -> c),
    SILENT_WITHIN_A_RECORD(TlsAttack.TIMED_OUT, sendsHex("1603030040020000")),
    A_BYTE_AT_A_TIME(TlsAttack.TIMED_OUT, TlsAttack::drip),
    WARNINGS_ONLY(TlsAttack.TIMED_OUT, TlsAttack::warnings),

    // A handshake that is weaker than what was asked for.
    TLS_1_0("TLS failed", sends(serverHello("0301", "c013"))),
    NO_ENCRYPTION("TLS failed", sends(serverHello("0303", "0000"))),

    // Records that are none.
    DATA_BEFORE_THE_HANDSHAKE("TLS", sends(record("17", hex("STORED\r\n")))),
    RECORD_TOO_LONG("TLS", sendsHex("160303ffff" + "00".repeat(65_535)));

    /** Usually in the handshake, on a crowded machine also before it. */
    private static final String TIMED_OUT = " within 1000 ms: ";

    private static final String SERVER_HELLO = "02";

    private interface Deed {
        ScriptedConnection play(ScriptedConnection connection) throws InterruptedException;
    }

    private final String reason;
    private final @Nullable BiFunction<CertificateAuthority, CertificateAuthority, Issued> certificate;
    private final Deed deed;

    TlsAttack(String reason, BiFunction<CertificateAuthority, CertificateAuthority, Issued> certificate) {
        this.reason = reason;
        this.certificate = certificate;
        this.deed = c -> c;
    }

    TlsAttack(String reason, Deed deed) {
        this(reason, deed, 0);
    }

    /** What is done after so many bytes of the client's hello. */
    TlsAttack(String reason, Deed deed, int bytes) {
        this.reason = reason;
        this.certificate = null;
        this.deed = c -> {
            try {
                c.readBytes(bytes);
            } catch (AssertionError e) {
                return c; // The test is over, and so is an attempt to connect again.
            }
            return deed.play(c);
        };
    }

    String reason() {
        return reason;
    }

    boolean isSlow() {
        return reason.equals(TIMED_OUT);
    }

    /** Starts the server. What it has read, decrypted if there was a handshake, is in its connections. */
    ScriptedServer start(CertificateAuthority ours, CertificateAuthority stranger) {
        ScriptedServer server = certificate == null
                ? ScriptedServer.start()
                : ScriptedServer.start(CertificateAuthority.serverContext(certificate.apply(ours, stranger)));
        return server.onConnection(c -> {
            try {
                deed.play(c).ignore();
            } catch (UncheckedIOException e) {
                // The client has closed it.
            }
        });
    }

    private static Deed sends(String bytes) {
        return c -> c.send(bytes);
    }

    private static Deed sendsHex(String hex) {
        return sends(new String(bytes(hex), ISO_8859_1));
    }

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex);
    }

    private static String hex(String text) {
        return HexFormat.of().formatHex(text.getBytes(ISO_8859_1));
    }

    private static ScriptedConnection drip(ScriptedConnection c) throws InterruptedException {
        return c.sendSlowly(serverHello("0303", "c02f"), Duration.ofMillis(50), 1);
    }

    private static ScriptedConnection warnings(ScriptedConnection c) {
        return c.send(new String(bytes("1503030002015a"), ISO_8859_1).repeat(1_000));
    }

    private static String record(String type, String hex) {
        return new String(bytes(type + "0303" + "%04x".formatted(hex.length() / 2) + hex), ISO_8859_1);
    }

    /** A record with the server's answer to the hello: it chooses the version and the cipher suite. */
    private static String serverHello(String version, String cipherSuite) {
        String body = version + "00".repeat(32) + "00" + cipherSuite + "00";
        return record("16", SERVER_HELLO + "%06x".formatted(body.length() / 2) + body);
    }
}
