// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.memshard.client.connection.ConnectionGroup;
import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NettyVersionsTest {

    private static final String ADVICE =
            ": set io.netty:netty-bom to 4.2, or to 4.1.100.Final or later (Spring Boot: the property netty.version)";

    /** Makes a group of connections with the class path of this test, of which some is left out. */
    private void makeGroup(Predicate<String> kept) throws Throwable {
        List<URL> classPath = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            if (kept.test(new File(entry).getName())) {
                classPath.add(Path.of(entry).toUri().toURL());
            }
        }
        try (URLClassLoader loader =
                new URLClassLoader(classPath.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
            Class<?> options = loader.loadClass(ConnectionOptions.class.getName());
            AutoCloseable group = (AutoCloseable) loader.loadClass(ConnectionGroup.class.getName())
                    .getConstructor(options, int.class)
                    .newInstance(options.getConstructor().newInstance(), 1);
            group.close();
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** Jars of one line may differ in the last number; those that are not used, in all. */
    @ParameterizedTest
    @CsvSource({
        "4.1.100.Final, 4.1.100.Final",
        "4.1.140.Final, 4.1.140.Final",
        "4.2.0.Final, 4.2.0.Final",
        "4.2.18.Final, 4.2.17.Final",
        "4.3.0.Final, 4.3.0.Final",
        "unknown, unknown"
    })
    void versionsThatFit(String common, String handler) {
        assertThat(NettyVersions.fault(
                        Map.of("netty-common", common, "netty-handler", handler, "netty-codec-http", "4.1.50.Final")))
                .isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"3.10.6.Final", "4.0.56.Final", "4.1.9.Final", "4.1.99.Final", "4.1.99.Final-vendor1"})
    void tooOldOnesAreNamed(String version) {
        assertThat(NettyVersions.fault(Map.of("netty-common", "4.1.100.Final", "netty-handler", version)))
                .isEqualTo("Netty is too old: found netty-handler " + version);
    }

    @Test
    void twoReleaseLinesAreNamed() {
        assertThat(NettyVersions.fault(
                        new TreeMap<>(Map.of("netty-common", "4.2.18.Final", "netty-handler", "4.1.110.Final"))))
                .isEqualTo("Netty jars of two release lines are mixed: found netty-common 4.2.18.Final and"
                        + " netty-handler 4.1.110.Final");
    }

    @ParameterizedTest
    @ValueSource(strings = {"netty", "netty-handler", "netty-transport-classes-epoll", "netty-buffer"})
    void groupIsRefusedWithoutNetty(String jar) {
        assertThatThrownBy(() -> makeGroup(entry -> !entry.startsWith(jar)))
                .hasMessageMatching("Netty is missing: no class io/netty/\\S+\\Q" + ADVICE + "\\E");
    }
}
