// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.sample.shop.Servers;
import io.memshard.sample.shop.Setup;
import io.memshard.sample.shop.Switchboard;
import io.memshard.template.Engine;
import io.memshard.template.Mode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

class PageApplicationIT {

    private static final String JSON =
            "{\"engine\":\"MEMSHARD\",\"mode\":\"%s\",\"firstServerOnly\":false,\"threads\":%s}";

    private static Servers servers;
    private static Switchboard switchboard;
    private static WebServerApplicationContext page;
    private static HttpClient http;
    private static String address;

    @BeforeAll
    static void start() {
        servers = Servers.start(2, false);
        switchboard = new Switchboard(new Setup(Engine.MEMSHARD, Mode.SHARDED, false, 1), servers);
        page = PageApplication.start("127.0.0.1", 0, switchboard);
        http = HttpClient.newHttpClient();
        address = "http://127.0.0.1:" + page.getWebServer().getPort() + "/";
    }

    @AfterAll
    static void close() {
        ((ConfigurableApplicationContext) page).close();
        switchboard.close();
        servers.close();
    }

    private static HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(address + path)).header("Content-Type", "application/json");
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return http.send(request.build(), BodyHandlers.ofString());
    }

    private static HttpResponse<String> post(String path, String body) throws IOException, InterruptedException {
        return send(request(path).header(LocalRequests.HEADER, "test").POST(HttpRequest.BodyPublishers.ofString(body)));
    }

    @Test
    void aPostWithoutTheHeaderIsRefused() throws Exception {
        HttpResponse<String> response = send(request("servers/0/stop").POST(HttpRequest.BodyPublishers.noBody()));

        assertThat(response.statusCode()).isEqualTo(403);
        assertThat(response.body()).contains("the header X-Memshard-Sample is missing");
        assertThat(servers.get(0).isRunning()).isTrue();
    }

    @Test
    void thePageLoadsNothingFromElsewhere() throws Exception {
        HttpResponse<String> response = send(request(""));

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("Content-Security-Policy"))
                .hasValueSatisfying(policy -> assertThat(policy).startsWith("default-src 'self'"));
        assertThat(response.body()).doesNotContainPattern("(src|href)=\"(https?:)?//");
    }

    @Test
    void theSecondsAreStreamed() throws Exception {
        HttpResponse<Stream<String>> events = http.send(request("events").build(), BodyHandlers.ofLines());
        try (Stream<String> lines = events.body()) {
            Optional<String> first = lines.filter(line -> !line.isEmpty()).findFirst();
            assertThat(first)
                    .hasValueSatisfying(line -> assertThat(line)
                            .startsWith("data:{\"time\":")
                            .contains("\"throughput\":", "\"servers\":[{\"number\":0"));
        }
    }

    @Test
    void aBadSetupIsRefusedWithAReason() throws Exception {
        assertThat(post("setup", JSON.formatted("SHARDED", "9999")).body())
                .contains("threads is 9999, but must be 0 to 512");
        assertThat(post("setup", JSON.formatted("BOTH", "1")).statusCode()).isEqualTo(400);
        assertThat(post("setup", "{}").statusCode()).isEqualTo(400);
        assertThat(post("servers/7/stop", "").body()).contains("server 7 does not exist");
        assertThat(send(request("products/0")).statusCode()).isEqualTo(400);
    }

    @Test
    void aPostedSetupIsApplied() throws Exception {
        HttpResponse<String> response = post("setup", JSON.formatted("SINGLE", "2"));

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(switchboard.setup().mode()).isEqualTo(Mode.SINGLE);
        assertThat(send(request("products/1")).body()).contains("\"id\":1");
    }
}
