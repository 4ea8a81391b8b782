// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.By;
import org.openqa.selenium.support.ui.Select;

/** Clicks on the page, and what is then to be seen. */
class PageIT extends PageInBrowser {

    private static void assertNothingFailed() {
        assertThat(number("failures")).as("failed requests of the callers").isZero();
        assertThat(number("shop-failed")).as("failed requests of the page").isZero();
        assertThat(number("shop-answered")).as("answered requests of the page").isPositive();
    }

    @Test
    void eachSecondIsShownInTilesAndCharts() {
        await(
                "four charts",
                () -> browser.findElements(By.cssSelector(".chart svg polyline"))
                                .size()
                        >= 4);
        await("a product", () -> number("shop-answered") > 0);

        assertThat(number("p99")).isPositive();
        assertThat(browser.findElements(By.cssSelector(".servers > li"))).hasSize(3);
        assertThat(find("chart-throughput").findElement(By.tagName("svg")).getDomAttribute("aria-label"))
                .startsWith("Requests a second, now: ");
        assertNothingFailed();
    }

    @Test
    void aSwitchStartsARunWithNewFigures() {
        choose("mode", "POOLED");
        awaitRun("Template", "memshard");
        choose("engine", "SPYMEMCACHED");
        awaitRun("Template", "spymemcached");
        assertThat(state(1)).isEqualTo("NOT USED");
        new Select(find("threads")).selectByValue("4");
        awaitRun("Template", "spymemcached", "4");
        await("figures after the warm-up", () -> currentRun().strip().endsWith("now"));
        choose("engine", "MEMSHARD");
        awaitRun("Template", "memshard");
        choose("mode", "SINGLE");
        awaitRun("Connection", "memshard", "4");

        assertThat(browser.findElements(By.cssSelector("#runs tr"))).hasSizeGreaterThan(4);
        assertThat(text("refusal")).isEmpty();
        assertNothingFailed();
    }

    private static void useAllServers() {
        choose("engine", "MEMSHARD");
        choose("mode", "SHARDED");
        await("memshard is chosen", () -> find("firstServerOnly").isEnabled());
        if (find("firstServerOnly").isSelected()) {
            find("firstServerOnly").click();
        }
        await("a run over all servers", () -> currentRun().contains("Sharded") && state(1).equals("UP"));
    }

    @Test
    void clicksDuringASwitchAreCarriedOutInTheirOrder() {
        Object queue = browser.executeScript("""
                for (const story of ["YOUR_POOL", "SHARED", "KILL", "KILL", "YOUR_POOL"]) {
                  document.getElementById("story-" + story).click();
                }
                return document.getElementById("queue").textContent;
                """);
        assertThat(queue).isEqualTo("Switching: Your pool. Waiting: Shared; Kill a server; Kill a server; Your pool.");
        await("an empty queue", () -> text("queue").isEmpty());
        await("the last run", () -> lines("log").get(lines("log").size() - 1).contains("spymemcached"));

        assertThat(String.join("\n", lines("log")))
                .containsSubsequence(
                        "Template, spymemcached",
                        "Sharded, memshard, first server",
                        "Sharded, memshard, 2",
                        "Server 1 stopped",
                        "Server 1 started",
                        "Template, spymemcached");
        assertThat(text("refusal")).isEmpty();
    }

    /** Returns the lines of a list, the last first. */
    private static List<String> lines(String id) {
        List<String> lines = new ArrayList<>(text(id).lines().toList());
        Collections.reverse(lines);
        return lines;
    }

    @Test
    void yourPoolAndSharedEndAsTwoBars() {
        new Select(find("threads")).selectByValue("1");
        await("callers that were not measured", () -> text("median-YOUR_POOL").equals("not yet measured"));
        tell("YOUR_POOL");
        await("the bar of the pool", () -> number("median-YOUR_POOL") > 0);
        assertThat(text("median-SHARED")).isEqualTo("not yet measured");
        assertThat(heightOfBar("SHARED")).isZero();
        tell("SHARED");
        await("the bar of shared", () -> number("median-SHARED") > 0);

        assertThat(text("compared")).matches("(?s)Shared answers [0-9.]+ times as many .* with 1.* callers\\..*");
        await(
                "bars in proportion",
                () -> Math.abs(heightOfBar("YOUR_POOL") / heightOfBar("SHARED")
                                - number("median-YOUR_POOL") / number("median-SHARED"))
                        < 0.1);
        new Select(find("threads")).selectByValue("2");
        await("other callers", () -> text("median-SHARED").equals("not yet measured"));
        assertNothingFailed();
    }

    private static double heightOfBar(String story) {
        return ((Number) browser.executeScript(
                        "return document.querySelector('#bar-" + story + " i').getBoundingClientRect().height"))
                .doubleValue();
    }

    @Test
    void aKilledServerIsReportedInASentence() {
        tell("KILL");
        await("its ejection", () -> text("outage").matches("Server 1 .* was ejected [0-9.]+ s after .* It is down\\."));
        await("another button", () -> text("story-KILL").equals("Start it again"));
        tell("KILL");
        await("its return", () -> text("outage").matches(".*; 0 requests have failed\\. It was back .* its start\\."));
        await("the former button", () -> text("story-KILL").equals("Kill a server"));
    }

    @ParameterizedTest
    @ValueSource(ints = {390, 1280})
    void nothingLeavesItsCard(int width) {
        browser.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", 900, "deviceScaleFactor", 1, "mobile", false));
        try {
            await(
                    "the width",
                    () -> browser.executeScript("return window.innerWidth").equals((long) width));
            String before = text("throughput");
            await("another second", () -> !text("throughput").equals(before));
            assertThat(browser.executeScript("""
                    document.getElementById("throughput").textContent = "888,888";
                    document.getElementById("median-SHARED").textContent = "888,888";
                    const outside = [];
                    for (const card of document.querySelectorAll(".card")) {
                      const edge = card.getBoundingClientRect().right - 4;
                      for (const inner of card.querySelectorAll("*")) {
                        if (!inner.closest(".scroll *") && inner.getBoundingClientRect().right > edge) {
                          outside.push(inner.outerHTML.slice(0, 80));
                        }
                      }
                    }
                    const page = document.documentElement;
                    if (page.scrollWidth > innerWidth) outside.push("the page is " + page.scrollWidth + " wide");
                    return outside;
                    """))
                    .asInstanceOf(InstanceOfAssertFactories.LIST)
                    .isEmpty();
            assertThat(find("scroll-hint").isDisplayed()).isEqualTo(width == 390);
        } finally {
            browser.executeCdpCommand("Emulation.clearDeviceMetricsOverride", Map.of());
        }
    }

    @Test
    void aChartDrawsAndNamesWhatIsThere() {
        Object drawn = browser.executeScript("""
                const moments = [0, 1, 2].map(second => (
                  {time: 1e12 + second * 1000, run: {number: 1, isWarm: true}, events: [], falls: [500, 5, 0][second]}
                ));
                const chart = new Chart("chart-hits", "drawn by a test", [
                  {name: "falls", colour: "blue", of: moment => moment.falls},
                  {name: "zero", colour: "red", of: () => 0},
                ], {logarithmic: true});
                chart.draw(moments);
                const all = selector => [...chart.holder.querySelectorAll(selector)];
                const points = all("polyline").map(line => line.getAttribute("points").split(" ")).flat();
                const [x, y] = points.at(-1).split(",").map(Number);
                const tick = all("text").find(text => text.textContent === "0");
                return [
                  all("polyline").length, all("text.end").map(text => text.textContent).join(),
                  Math.round(y) === Number(tick.getAttribute("y")) - 4,
                  all("text").some(text => text.textContent === "−10 s"),
                  shortNumber(0.00011), shortNumber(0.123),
                ].join(" | ");
                """);

        assertThat(drawn).isEqualTo("1 | falls | true | true | < 0.01 | 0.12");
    }

    @Test
    void aServerIsEjectedAndTakenBackAndNoRequestFails() {
        useAllServers();
        press("Stop", 1);
        await("an ejected server", () -> state(1).equals("EJECTED"));
        assertThat(state(0)).isEqualTo("UP");
        assertNothingFailed();
        press("Start", 1);
        await("a server that is back", () -> state(1).equals("UP"));
        await(
                "its connections",
                () -> !browser.findElements(By.cssSelector("#server-1 .dot.ready"))
                        .isEmpty());

        await("the story of it", () -> text("log").contains("Server 1 is UP"));
        assertThat(text("log")).contains("Server 1 stopped", "Server 1 is EJECTED", "Server 1 started");
        assertNothingFailed();
    }
}
