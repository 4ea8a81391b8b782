// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample;

import static org.assertj.core.api.Assertions.assertThat;

import io.memshard.sample.servers.Servers;
import io.memshard.sample.shop.Setup;
import io.memshard.template.Engine;
import io.memshard.template.Mode;
import io.memshard.testkit.NeedsProgram;
import io.memshard.testkit.Program;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.stream.ImageOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.Keys;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.support.ui.Select;
import org.openqa.selenium.support.ui.WebDriverWait;

/**
 * The page in a browser: a person's clicks, and what is then to be seen. It needs chromium and chromedriver on the
 * PATH.
 */
@NeedsProgram({Program.CHROMIUM, Program.CHROMEDRIVER})
@Tag("once")
class PageIT {

    private static final String SCREENSHOTS = "memshard.sample.screenshots";
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final int WIDTH = 1200;
    private static final double SCALE = 0.85;

    private static @Nullable Sample sample;
    private static @Nullable ChromeDriver browser;

    @BeforeAll
    static void openBrowser() throws IOException {
        sample = Sample.start(
                new Setup(Engine.MEMSHARD, Mode.SHARDED, 2, false, true),
                Servers.start(Servers.Kind.EMBEDDED, 3),
                "127.0.0.1",
                0);
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
        browser.manage().window().setSize(new Dimension(WIDTH, 1000));
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

    private static void press(String button, int server) {
        WebElement found = browser.findElement(By.cssSelector("#server-" + server + " button"));
        await("a button " + button, () -> found.getText().equals(button) && found.isEnabled());
        found.sendKeys(Keys.ENTER);
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

    @Test
    void virtualThreadsAreUsedOrReportedAsUnavailable() {
        WebElement box = find("virtual");
        if (Setup.whyNotVirtual() != null) {
            assertThat(box.isEnabled()).isFalse();
            assertThat(text("why-not-virtual")).contains("need Java 21");
            return;
        }
        box.click();
        awaitRun("virtual");
        box.click();
        assertNothingFailed();
    }

    @Test
    void aServerIsEjectedAndTakenBackAndNoRequestFails() {
        choose("engine", "MEMSHARD");
        choose("mode", "SHARDED");
        awaitRun("Sharded", "memshard");
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

    /** Takes the screenshots of the manual: {@code -Dmemshard.sample.screenshots=FOLDER}. */
    @Test
    @EnabledIfSystemProperty(named = SCREENSHOTS, matches = ".+")
    void screenshots() throws IOException {
        Path folder = Path.of(System.getProperty(SCREENSHOTS));
        new Select(find("threads")).selectByValue("32");
        choose("engine", "MEMSHARD");
        awaitRun("32");
        for (String[] mode :
                new String[][] {{"POOLED", "Template"}, {"SINGLE", "Connection"}, {"SHARDED", "Sharded"}}) {
            choose("mode", mode[0]);
            awaitRun(mode[1], "warming up");
            await("a run of half a minute", () -> seconds() >= 22);
        }
        shoot(folder.resolve("sample-modes.png"), "light", 1490);
        press("Stop", 1);
        await("an ejected server", () -> state(1).equals("EJECTED"));
        double stopped = seconds();
        await("some seconds without it", () -> seconds() > stopped + 12);
        shoot(folder.resolve("sample-server-down.png"), "dark", 1150);
        press("Start", 1);
        await("a server that is back", () -> state(1).equals("UP"));
        double started = seconds();
        await("some seconds with it", () -> seconds() > started + 15);
        shoot(folder.resolve("sample-server-back.png"), "light", 1150);
    }

    private static double seconds() {
        String seconds = String.valueOf(
                browser.executeScript("return document.querySelector('#runs tr.now td.number').innerText"));
        return seconds.matches("[0-9]+") ? Double.parseDouble(seconds) : -1;
    }

    private static void shoot(Path file, String scheme, int height) throws IOException {
        browser.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
        browser.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", WIDTH, "height", height, "deviceScaleFactor", SCALE, "mobile", false));
        browser.executeScript("window.scrollTo(0, 0)");
        await(
                "the size",
                () -> browser.executeScript("return window.innerHeight").equals((long) height));
        String before = text("throughput");
        await("another second", () -> !text("throughput").equals(before));
        Files.createDirectories(file.getParent());
        write(ImageIO.read(new ByteArrayInputStream(browser.getScreenshotAs(OutputType.BYTES))), file);
        browser.executeCdpCommand("Emulation.clearDeviceMetricsOverride", Map.of());
    }

    /** Smaller than the browser writes it. */
    private static void write(BufferedImage shot, Path file) throws IOException {
        BufferedImage opaque = new BufferedImage(shot.getWidth(), shot.getHeight(), BufferedImage.TYPE_INT_RGB);
        opaque.createGraphics().drawImage(shot, 0, 0, null);
        ImageWriter writer = ImageIO.getImageWritersByFormatName("png").next();
        ImageWriteParam smallest = writer.getDefaultWriteParam();
        smallest.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
        smallest.setCompressionQuality(0);
        try (ImageOutputStream out = ImageIO.createImageOutputStream(file.toFile())) {
            writer.setOutput(out);
            writer.write(null, new IIOImage(opaque, null, null), smallest);
        } finally {
            writer.dispose();
        }
    }
}
