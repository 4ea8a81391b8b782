// SPDX-License-Identifier: Apache-2.0
package io.memshard.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.Order;
import com.example.ShopApplication;
import io.memshard.template.MemcachedConnectionFactory;
import io.memshard.template.MemcachedTemplate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * docs/spring-boot.md: its application runs with its properties, and its table is that of the metadata. The properties
 * of docs/migrating/pooled-spymemcached.md do what the page says.
 */
class ManualTest {

    private static final Path PAGE = Path.of("../../docs/spring-boot.md");

    private static final Path POOL_PAGE = Path.of("../../docs/migrating/pooled-spymemcached.md");

    private static final Pattern YAML = Pattern.compile("```yaml\n(memcached:\n.*?)```", Pattern.DOTALL);

    private static final Pattern TABLE = Pattern.compile("<!-- properties -->\n(.*?)\n<!-- end -->", Pattern.DOTALL);

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void theApplicationOfThePageLoadsOnce(@TempDir Path directory, CapturedOutput output) throws IOException {
        Matcher yaml = YAML.matcher(Files.readString(PAGE));
        assertThat(yaml.find()).isTrue();
        Path properties = Files.writeString(directory.resolve("application.yaml"), yaml.group(1));

        try (ConfigurableApplicationContext context = SpringApplication.run(
                ShopApplication.class,
                "--spring.config.location=file:" + properties,
                "--memcached.servers=" + SharedServer.ADDRESS,
                "--memcached.request-timeout=30s",
                "--memcached.connect-timeout=30s")) {
            assertThat(context.isRunning()).isTrue();
        }
        assertThat(output).containsOnlyOnce("loading 1").contains("Product[id=1, name=Product 1]", "hello");
    }

    @EnableAutoConfiguration
    static class Plain {}

    @Test
    @SuppressWarnings("unchecked") // Spring's bean is a template of objects.
    void theStepsFromAPoolReadEachOthersValues(@TempDir Path directory) throws IOException {
        Object order = new ArrayList<>(List.of(new Order("42")));
        List<String> seen = new ArrayList<>();
        for (MatchResult yaml :
                YAML.matcher(Files.readString(POOL_PAGE)).results().toList()) {
            Path properties = Files.writeString(directory.resolve("application.yaml"), yaml.group(1));
            try (ConfigurableApplicationContext context = SpringApplication.run(
                    Plain.class,
                    "--spring.config.location=file:" + properties,
                    "--memcached.servers=" + SharedServer.ADDRESS,
                    "--memcached.request-timeout=30s",
                    "--memcached.connect-timeout=30s")) {
                MemcachedConnectionFactory factory = context.getBean(MemcachedConnectionFactory.class);
                MemcachedTemplate<Object> template = context.getBean("memcachedTemplate", MemcachedTemplate.class);
                template.add("order", order, Duration.ofMinutes(1));
                seen.add(factory.mode() + " " + template.get("order"));
            }
        }
        assertThat(seen).containsExactly("POOLED [Order[id=42]]", "SHARDED [Order[id=42]]");
    }

    @Test
    void theTableHasEveryPropertyAsTheMetadataDescribesIt() throws IOException {
        JsonNode metadata = JsonMapper.shared()
                .readTree(Files.readString(Path.of("target/classes/META-INF/spring-configuration-metadata.json")));
        TreeMap<String, String> rows = new TreeMap<>();
        for (JsonNode property : metadata.get("properties")) {
            if (!property.has("deprecation")) {
                rows.put(property.get("name").asString(), row(property));
            }
        }
        Matcher table = TABLE.matcher(Files.readString(PAGE));
        assertThat(table.find()).isTrue();
        List<String> written =
                table.group(1).lines().filter(line -> line.startsWith("| `")).toList();
        assertThat(written).containsExactlyElementsOf(rows.values());
    }

    private static String row(JsonNode property) {
        String value = property.path("defaultValue").asString("");
        return "| `" + property.get("name").asString() + "` | "
                + property.get("description").asString().replace("\n", " ")
                + (value.isEmpty() ? "" : " By default `" + value + "`.") + " |";
    }
}
