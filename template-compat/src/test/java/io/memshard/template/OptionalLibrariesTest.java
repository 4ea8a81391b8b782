// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.memshard.client.json.Jackson2Transcoder;
import io.memshard.client.transcoder.Transcoder;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Loads the module where spymemcached, Commons Pool and Jackson are missing. */
class OptionalLibrariesTest {

    private static final List<String> JACKSON_3 = List.of("tools.jackson.");

    private static final List<String> MISSING =
            List.of("net.spy.", "org.apache.commons.pool2.", "tools.jackson.", "com.fasterxml.jackson.databind.");

    /** Code to run without the libraries, loaded by a class loader that lacks them. */
    public static final class Inside {

        /** Called by reflection. */
        public static void useMemshard() {
            try (MemcachedConnectionFactory factory = MemcachedConnectionFactory.builder()
                    .servers("127.0.0.1:11211")
                    .build()) {
                MemcachedTemplate<String> template = new MemcachedTemplate<>(factory, Transcoder.utf8());
                assertThat(template.getConnectionFactory().getConnection()).isNotNull();
            }
        }

        /** Called by reflection. */
        public static void useSpymemcached() {
            MemcachedConnectionFactory.builder()
                    .engine(Engine.SPYMEMCACHED)
                    .servers("127.0.0.1:11211")
                    .build();
        }

        /** Called by reflection. */
        public static void usePool() {
            MemcachedConnectionFactory.builder()
                    .mode(Mode.POOLED)
                    .servers("127.0.0.1:11211")
                    .build();
        }

        /** Called by reflection. */
        public static void useJson() {
            assertThat(Jackson2Transcoder.of(String.class).decode(new byte[] {'"', '"'}, 0))
                    .isEmpty();
        }
    }

    @Test
    void memshardNeedsNoOptionalLibrary() throws Throwable {
        run("useMemshard", MISSING);
    }

    @Test
    void jackson2IsEnoughForJson() throws Throwable {
        run("useJson", JACKSON_3);
    }

    @Test
    void aMissingLibraryIsNamedWithItsCoordinates() {
        assertMissing("useSpymemcached", "add net.spy:spymemcached");
        assertMissing("usePool", "add org.apache.commons:commons-pool2");
    }

    private static void assertMissing(String method, String words) {
        assertThatThrownBy(() -> run(method, MISSING))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(words);
    }

    private static void run(String method, List<String> missing) throws Throwable {
        Class<?> inside = Class.forName(Inside.class.getName(), true, new MissingLibraries(missing));
        assertThat(inside).isNotSameAs(Inside.class);
        try {
            inside.getMethod(method).invoke(null);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** Defines the classes that use the libraries anew, and refuses those of the libraries. */
    private static final class MissingLibraries extends ClassLoader {

        private final List<String> missing;

        MissingLibraries(List<String> missing) {
            super(OptionalLibrariesTest.class.getClassLoader());
            this.missing = missing;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                if (missing.stream().anyMatch(name::startsWith)) {
                    throw new ClassNotFoundException(name);
                }
                if (!name.startsWith("io.memshard.template.") && !name.startsWith("io.memshard.client.json.")) {
                    return super.loadClass(name, resolve);
                }
                Class<?> loaded = findLoadedClass(name);
                return loaded != null ? loaded : defined(name);
            }
        }

        private Class<?> defined(String name) throws ClassNotFoundException {
            try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
                if (in == null) {
                    throw new ClassNotFoundException(name);
                }
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }
}
