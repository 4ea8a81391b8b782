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

/** Check of the versions of Netty before the client uses Netty, because build tools may mix versions. */
public final class NettyVersions {

    private static final Pattern USED = Pattern.compile(
            "netty-(common|buffer|resolver|transport|codec|codec-base|handler|transport-(native|classes)-.*)");

    private static final Pattern TOO_OLD = Pattern.compile("([0-3]|4\\.0)\\..*|4\\.1\\.\\d{1,2}\\b.*");
    private static final Pattern LINE = Pattern.compile("\\d+\\.\\d+\\.");
    private static final String ADVICE =
            ": set io.netty:netty-bom to 4.2, or to 4.1.100.Final or later (Spring Boot: the property netty.version)";

    private NettyVersions() {}

    @SuppressWarnings("ReturnValueIgnored") // Loads the classes.
    public static void check() {
        String fault;
        try {
            Map<String, String> found = new TreeMap<>();
            Version.identify(Version.class.getClassLoader())
                    .forEach((artifact, version) -> found.put(artifact, version.artifactVersion()));
            fault = fault(found);
            List.of(
                    ByteBuf.class,
                    Bootstrap.class,
                    DecoderException.class,
                    SslHandler.class,
                    DomainSocketAddress.class,
                    Epoll.class);
        } catch (NoClassDefFoundError e) {
            throw new IllegalStateException("Netty is missing: no class " + e.getMessage() + ADVICE, e);
        }
        if (fault != null) {
            throw new IllegalStateException(fault + ADVICE);
        }
    }

    /** Accepts an unknown version, as in a merged jar. */
    static @Nullable String fault(Map<String, String> versions) {
        String first = null;
        for (Map.Entry<String, String> each : versions.entrySet()) {
            Matcher line = LINE.matcher(each.getValue());
            if (!USED.matcher(each.getKey()).matches() || !line.lookingAt()) {
                continue;
            }
            String found = each.getKey() + " " + each.getValue();
            if (TOO_OLD.matcher(each.getValue()).matches()) {
                return "Netty is too old: found " + found;
            }
            if (first != null && !first.contains(" " + line.group())) {
                return "Netty jars of two release lines are mixed: found " + first + " and " + found;
            }
            first = found;
        }
        return null;
    }
}
