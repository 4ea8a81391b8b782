// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample;

import io.memshard.sample.servers.Servers;
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
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.support.ui.WebDriverWait;

/**
 * The page of a sample with three servers in a headless browser, and what a person does there. It needs chromium and
 * chromedriver on the PATH.
 */
@NeedsProgram({Program.CHROMIUM, Program.CHROMEDRIVER})
abstract class PageInBrowser {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    static final int WIDTH = 1200;

    private static @Nullable Sample sample;
    static @Nullable ChromeDriver browser;

    @BeforeAll
    static void openBrowser() throws IOException {
        sample = Sample.start(
                new Setup(Engine.MEMSHARD, Mode.SHARDED, false, 2),
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
        browser.executeScript("document.getElementById('details').open = true");
    }

    static WebElement find(String id) {
        return browser.findElement(By.id(id));
    }

    static String text(String id) {
        return find(id).getText();
    }

    static double number(String id) {
        String text = text(id).replace(",", "");
        return text.matches("[0-9.]+") ? Double.parseDouble(text) : -1;
    }

    interface Condition {
        boolean holds();
    }

    static void await(String what, Condition condition) {
        new WebDriverWait(browser, PATIENCE)
                .withMessage(() -> what + "; the page says: "
                        + browser.findElement(By.tagName("main")).getText())
                .ignoring(org.openqa.selenium.StaleElementReferenceException.class)
                .ignoring(org.openqa.selenium.NoSuchElementException.class)
                .until(any -> condition.holds());
    }

    static void choose(String name, String value) {
        browser.findElement(By.cssSelector("input[name=" + name + "][value=" + value + "]"))
                .findElement(By.xpath(".."))
                .click();
    }

    /** The row of the run that goes on. */
    static String currentRun() {
        return String.valueOf(browser.executeScript("return document.querySelector('#runs tr.now').innerText"));
    }

    static void awaitRun(String... words) {
        await("a run with " + List.of(words), () -> Stream.of(words).allMatch(currentRun()::contains));
    }

    static String state(int server) {
        return browser.findElement(By.cssSelector("#server-" + server + " .state"))
                .getText();
    }

    static void press(String button, int server) {
        WebElement found = browser.findElement(By.cssSelector("#server-" + server + " button"));
        await("a button " + button, () -> found.getText().equals(button) && found.isEnabled());
        found.sendKeys(Keys.ENTER);
    }

    /** Clicks the button of a story. */
    static void tell(String story) {
        find("story-" + story).sendKeys(Keys.ENTER);
    }
}
