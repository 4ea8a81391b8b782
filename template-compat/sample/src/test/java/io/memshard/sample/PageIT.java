// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.sample.shop.Servers;
import io.memshard.sample.shop.Setup;
import io.memshard.template.Engine;
import io.memshard.template.Mode;
import io.memshard.testkit.NeedsProgram;
import io.memshard.testkit.Program;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.support.ui.Select;
import org.openqa.selenium.support.ui.WebDriverWait;

/**
 * Clicks on the page of a sample with three servers in a headless browser, and what is then to be seen. It needs
 * chromium and chromedriver on the PATH.
 */
@NeedsProgram({Program.CHROMIUM, Program.CHROMEDRIVER})
class PageIT {

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static @Nullable Sample sample;
    private static @Nullable ChromeDriver browser;

    @BeforeAll
    static void openBrowser() throws IOException {
        sample = Sample.start(
                new Setup(Engine.MEMSHARD, Mode.SHARDED, false, 2), Servers.start(3, false), "127.0.0.1", 0);
        ChromeOptions options = new ChromeOptions();
        options.setBinary(Program.CHROMIUM.need().toFile());
        options.addArguments(
                "--headless=new",
                "--no-sandbox",
                "--disable-dev-shm-usage",
                "--disable-gpu",
                "--hide-scrollbars",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--lang=en");
        // Both paths are set, so that Selenium looks for neither.
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(Program.CHROMEDRIVER.need().toFile())
                .usingAnyFreePort()
                .build();
        service.sendOutputTo(OutputStream.nullOutputStream());
        browser = new ChromeDriver(service, options);
        browser.manage().window().setSize(new Dimension(1200, 1000));
    }

    @AfterAll
    static void close() {
        if (browser != null) {
            browser.quit();
        }
        if (sample != null) {
            sample.close();
        }
    }

    @BeforeEach
    void openPage() {
        browser.get(sample.address());
        await("the stream of seconds", () -> text("live").equals("live"));
        await("callers that are answered", () -> number("throughput") > 0);
        browser.executeScript("document.getElementById('details').open = true");
    }

    private static WebElement find(String id) {
        return browser.findElement(By.id(id));
    }

    private static String text(String id) {
        return find(id).getText();
    }

    private static double number(String id) {
        String text = text(id).replace(",", "");
        return text.matches("[0-9.]+") ? Double.parseDouble(text) : -1;
    }

    private interface Condition {
        boolean holds();
    }

    private static void await(String what, Condition condition) {
        new WebDriverWait(browser, PATIENCE)
                .withMessage(() -> what + "; the page says: "
                        + browser.findElement(By.tagName("main")).getText())
                .ignoring(org.openqa.selenium.StaleElementReferenceException.class)
                .ignoring(org.openqa.selenium.NoSuchElementException.class)
                .until(any -> condition.holds());
    }

    private static void choose(String name, String value) {
        browser.findElement(By.cssSelector("input[name=" + name + "][value=" + value + "]"))
                .findElement(By.xpath(".."))
                .click();
    }

    /** The row of the run that goes on. */
    private static String currentRun() {
        return String.valueOf(browser.executeScript("return document.querySelector('#runs tr.now').innerText"));
    }

    private static void awaitRun(String... words) {
        await("a run with " + List.of(words), () -> Stream.of(words).allMatch(currentRun()::contains));
    }

    private static String state(int server) {
        return browser.findElement(By.cssSelector("#server-" + server + " .state"))
                .getText();
    }

    /** Clicks the button of a story. */
    private static void startStory(String story) {
        find("story-" + story).sendKeys(Keys.ENTER);
    }

    /** The page replaces its charts each second, so one script finds the chart and reads it. */
    private static String labelOfChart(String chart) {
        return String.valueOf(browser.executeScript(
                "return document.querySelector('#chart-" + chart + " svg').getAttribute('aria-label')"));
    }

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
        assertThat(labelOfChart("throughput")).startsWith("Requests a second, now: ");
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

    @Test
    void yourPoolAndSharedEndAsTwoBars() {
        new Select(find("threads")).selectByValue("1");
        await("callers that were not measured", () -> text("median-YOUR_POOL").equals("not yet measured"));
        startStory("YOUR_POOL");
        await("the bar of the pool", () -> number("median-YOUR_POOL") > 0);
        assertThat(text("median-SHARED")).isEqualTo("not yet measured");
        assertThat(heightOfBar("SHARED")).isZero();
        startStory("SHARED");
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
        startStory("KILL");
        await("its ejection", () -> text("outage").matches("Server 1 .* was ejected [0-9.]+ s after .* It is down\\."));
        await("another button", () -> text("story-KILL").equals("Start it again"));
        startStory("KILL");
        await("its return", () -> text("outage").matches(".*; 0 requests have failed\\. It was back .* its start\\."));
        await("the former button", () -> text("story-KILL").equals("Kill a server"));
    }
}
