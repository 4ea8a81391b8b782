// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.Version;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Check of the Netty jars, before any other class of Netty is used. A build tool that manages versions may add an old
 * Netty, or mix jars of 4.1 and 4.2.
 */
public final class NettyVersions {

    private static final int OLDEST_OF_4_1 = 100;

    private static final List<String> USED = List.of(
            "netty-common",
            "netty-buffer",
            "netty-resolver",
            "netty-transport",
            "netty-codec",
            "netty-codec-base",
            "netty-handler",
            "netty-transport-native-unix-common",
            "netty-transport-classes-epoll",
            "netty-transport-native-epoll");

    private static final Pattern VERSION = Pattern.compile("(\\d{1,4})\\.(\\d{1,4})\\.(\\d{1,6})\\b.*");

    private static final String ADVICE =
            ": set io.netty:netty-bom to 4.2, or to 4.1.100.Final or later (Spring Boot: the property netty.version)";

    private NettyVersions() {}

    /** Throws an {@link IllegalStateException} if Netty is missing or too old, or its jars do not fit together. */
    public static void check() {
        String fault;
        try {
            Map<String, String> found = new TreeMap<>();
            Version.identify(Version.class.getClassLoader())
                    .forEach((artifact, version) -> found.put(artifact, version.artifactVersion()));
            fault = fault(found);
            if (fault == null) {
                requireClasses();
            }
        } catch (NoClassDefFoundError e) {
            throw new IllegalStateException("Netty is missing: no class " + e.getMessage() + ADVICE, e);
        }
        if (fault != null) {
            throw new IllegalStateException(fault + ADVICE);
        }
    }

    @SuppressWarnings("ReturnValueIgnored") // Loads the classes.
    private static void requireClasses() {
        List.of(
                ByteBuf.class,
                Bootstrap.class,
                DecoderException.class,
                SslHandler.class,
                DomainSocketAddress.class,
                Epoll.class);
    }

    /** Returns the reason why these versions are unusable, or null. Accepts an unknown version, as in a merged jar. */
    static @Nullable String fault(Map<String, String> versions) {
        String first = null;
        String line = "";
        for (String artifact : USED) {
            Matcher version = VERSION.matcher(versions.getOrDefault(artifact, ""));
            if (!version.matches()) {
                continue;
            }
            String found = artifact + " " + version.group();
            if (isTooOld(version)) {
                return "Netty is too old: found " + found;
            }
            String itsLine = version.group(1) + "." + version.group(2);
            if (first == null) {
                first = found;
                line = itsLine;
            } else if (!itsLine.equals(line)) {
                return "Netty jars of two release lines are mixed: found " + first + " and " + found;
            }
        }
        return null;
    }

    private static boolean isTooOld(Matcher version) {
        int major = Integer.parseInt(version.group(1));
        int minor = Integer.parseInt(version.group(2));
        return major < 4
                || (major == 4 && minor < 1)
                || (major == 4 && minor == 1 && Integer.parseInt(version.group(3)) < OLDEST_OF_4_1);
    }
}
