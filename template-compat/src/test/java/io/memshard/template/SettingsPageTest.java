// SPDX-License-Identifier: Apache-2.0
package io.memshard.template;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.Memshard;
import io.memshard.client.chunked.ChunkedClient;
import io.memshard.client.concurrent.Backoff;
import io.memshard.client.load.LoadOptions;
import io.memshard.sharding.ConnectionChooser;
import io.memshard.sharding.cluster.MemshardOptions;
import io.memshard.sharding.ring.Ring;
import io.memshard.sharding.ring.Server;
import io.memshard.sharding.ring.ServerLocator;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** docs/settings.md has every setting, and the defaults that pages name are those of the builders. */
class SettingsPageTest {

    private static final Path ROOT = Path.of("..");
    private static final Path PAGE = ROOT.resolve("docs/settings.md");

    /** A row of a table of settings: a setting in the first cell, and its default in the second. */
    private static final Pattern ROW = Pattern.compile("^\\| `(\\w+)[^|]*\\| ([^|]+) \\|.*");

    /** They depend on the machine, on the mode, or have none. */
    private static final Set<String> WITHOUT_ONE_DEFAULT = Set.of(
            "servers", "server", "gutter", "ioThreads", "engine", "mode", "poolWaitLimit", "connectionsPerServer");

    private static final int MIB = 1024 * 1024;

    @Test
    void thePageHasEverySettingAndNoOther() throws IOException {
        Set<String> settings = new TreeSet<>();
        settings.addAll(settersOf(Memshard.builder().getClass()));
        settings.addAll(settersOf(MemcachedConnectionFactoryBuilder.class));
        Stream.of(LoadOptions.class.getRecordComponents())
                .map(RecordComponent::getName)
                .forEach(settings::add);
        settings.addAll(List.of("chunkBytes", "maxBytes")); // of ChunkedClient.over

        assertThat(defaultsOn(PAGE).keySet()).isEqualTo(settings);
    }

    private static Set<String> settersOf(Class<?> builder) {
        return Stream.of(builder.getMethods())
                .filter(method -> method.getReturnType().isAssignableFrom(builder)
                        && method.getReturnType() != Object.class
                        && !Modifier.isStatic(method.getModifiers()))
                .map(Method::getName)
                .collect(Collectors.toSet());
    }

    @ParameterizedTest
    @ValueSource(strings = {"docs/settings.md", "docs/failures.md"})
    void defaultsMatchTheBuilders(String page) throws Exception {
        Map<String, Object> defaults = new HashMap<>();
        MemshardOptions options = Memshard.builder().servers("localhost").unwrap(MemshardOptions.class);
        for (Field setting : MemshardOptions.class.getFields()) {
            defaults.put(setting.getName(), setting.get(options));
        }
        collect(options.ejection, defaults);
        collect(LoadOptions.DEFAULTS, defaults);
        defaults.put("chunkBytes", ChunkedClient.DEFAULT_CHUNK_BYTES);
        defaults.put("maxBytes", ChunkedClient.DEFAULT_MAX_BYTES);
        Map<String, String> onPage = defaultsOn(ROOT.resolve(page));
        onPage.keySet().removeAll(WITHOUT_ONE_DEFAULT);

        assertThat(onPage).isNotEmpty();
        onPage.forEach((setting, written) -> {
            assertThat(defaults).containsKey(setting);
            Object value = defaults.get(setting);
            if (value != null || page.endsWith("settings.md")) {
                assertThat(written).as(setting).startsWith(text(value));
            }
        });
    }

    /** The components of a record. */
    private static void collect(Record options, Map<String, Object> components) throws ReflectiveOperationException {
        for (RecordComponent component : options.getClass().getRecordComponents()) {
            components.put(component.getName(), component.getAccessor().invoke(options));
        }
    }

    /** The method of {@link Ring} whose ring places keys as this one. */
    private static String nameOf(Ring ring) {
        return Stream.of(Ring.class.getMethods())
                .filter(method -> method.getReturnType() == Ring.class && method.getParameterCount() == 0)
                .filter(method -> places(ring).equals(places(made(method))))
                .map(Method::getName)
                .collect(Collectors.joining(" or "));
    }

    private static Ring made(Method method) {
        try {
            return (Ring) method.invoke(null);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private static List<Integer> places(Ring ring) {
        try {
            ServerLocator locator = ring.locator(Server.parseAll("10.0.0.1, 10.0.0.2*2, [::1]"));
            return IntStream.range(0, 1_000)
                    .mapToObj(key -> locator.locate("key" + key))
                    .toList();
        } catch (IllegalArgumentException e) {
            return List.of(); // It has no weights.
        }
    }

    private static Map<String, String> defaultsOn(Path page) throws IOException {
        Map<String, String> defaults = new TreeMap<>();
        boolean isOfSettings = false;
        for (String line : Files.readAllLines(page)) {
            isOfSettings = line.startsWith("|") && (isOfSettings || line.startsWith("| setting | default |"));
            Matcher row = ROW.matcher(line);
            if (isOfSettings && row.matches()) {
                defaults.put(row.group(1), row.group(2).replace("`", ""));
            }
        }
        return defaults;
    }

    private static String text(Object value) {
        if (value == null || value.equals("")) {
            return "none";
        }
        if (value instanceof Duration duration) {
            long millis = duration.toMillis();
            String seconds = String.valueOf(millis / 1e3).replaceFirst("\\.0$", "");
            return millis < 1_000 ? millis + " ms" : seconds + " s";
        }
        if (value instanceof Backoff backoff) {
            return text(backoff.base()) + ", " + text(backoff.limit());
        }
        if (value instanceof Ring ring) {
            return nameOf(ring) + "()";
        }
        if (value instanceof ConnectionChooser chooser) {
            String type = chooser.getClass().getSimpleName().replace("Chooser", "");
            return Character.toLowerCase(type.charAt(0)) + type.substring(1) + "()";
        }
        if (value instanceof Number number && number.longValue() % MIB == 0) {
            return number.longValue() / MIB + " MiB";
        }
        return value instanceof Number ? String.format(Locale.ROOT, "%,d", value) : value.toString();
    }
}
