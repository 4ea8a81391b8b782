// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.stream.ImageOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.support.ui.Select;

/** Takes the pictures of the manual: {@code -Dmemshard.sample.pictures=FOLDER}. */
@EnabledIfSystemProperty(named = PagePicturesIT.PICTURES, matches = ".+")
class PagePicturesIT extends PageInBrowser {

    static final String PICTURES = "memshard.sample.pictures";

    private static final Path FOLDER = Path.of(System.getProperty(PICTURES, ""));
    private static final double SCALE = 0.85;
    private static final int HEIGHT = 1120;
    private static final int ANIMATION_WIDTH = 940;
    private static final double ANIMATION_SCALE = 0.8;
    private static final int BEFORE = 4;
    private static final int DURING = 8;
    private static final int AFTER = 8;

    @Test
    void pictures() throws IOException {
        new Select(find("threads")).selectByValue("8");
        await("a warm run", () -> currentRun().contains("8") && seconds() > 25);
        animation();
        openPage();
        stories();
    }

    /** Shows the seconds before, during and after an outage. */
    private static void animation() throws IOException {
        resize(ANIMATION_WIDTH, HEIGHT, ANIMATION_SCALE);
        browser.executeScript("""
                document.querySelectorAll("header, .tiles, .tale:nth-of-type(-n+2), #queue, #compared, .key, .columns,"
                  + " details, .charts > :nth-child(2)").forEach(hidden => { hidden.style.display = "none"; });
                document.querySelector(".story").style.gridTemplateColumns = "1fr";
                document.querySelector(".charts").style.gridTemplateColumns = "1fr 1fr";
                document.querySelector("main").style.padding = "14px";
                document.getElementById("outage").style.minHeight = "2.9em";
                document.querySelector(".tale:nth-of-type(3) .hint").style.minHeight = 0;
                """);
        List<BufferedImage> frames = new ArrayList<>();
        int height = record(frames, BEFORE);
        tell("KILL");
        height = Math.max(height, record(frames, DURING));
        tell("KILL");
        height = Math.max(height, record(frames, AFTER));
        int bottom = (int) Math.ceil(height * ANIMATION_SCALE);
        AnimatedGif.write(
                frames.stream()
                        .map(frame -> frame.getSubimage(0, 0, frame.getWidth(), bottom))
                        .toList(),
                FOLDER.resolve("kill-a-server.gif"));
    }

    /** Adds a frame per second, and returns the height of what they show. */
    private static int record(List<BufferedImage> frames, int count) throws IOException {
        browser.executeScript("document.activeElement.blur()");
        int height = 0;
        for (int frame = 0; frame < count; frame++) {
            awaitSecond();
            frames.add(shot());
            height = Math.max(
                    height,
                    ((Number) browser.executeScript("return document.querySelector('main').offsetHeight")).intValue());
        }
        return height;
    }

    /** Shows both bars, once the outage has left the charts. */
    private static void stories() throws IOException {
        browser.executeScript("document.getElementById('details').open = false");
        for (String story : List.of("YOUR_POOL", "SHARED")) {
            tell(story);
            await("another run", () -> seconds() < 3);
            await("a minute", () -> seconds() > 58);
        }
        browser.executeScript("document.activeElement.blur()");
        shoot(FOLDER.resolve("sample-stories.png"), HEIGHT);
    }

    private static double seconds() {
        return ((Number) browser.executeScript("return moments.at(-1).run.figures.seconds")).doubleValue();
    }

    private static void shoot(Path file, int height) throws IOException {
        resize(WIDTH, height, SCALE);
        awaitSecond();
        Files.createDirectories(file.getParent());
        write(shot(), file);
        browser.executeCdpCommand("Emulation.clearDeviceMetricsOverride", Map.of());
    }

    private static void resize(int width, int height, double scale) {
        browser.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", scale, "mobile", false));
        browser.executeScript("window.scrollTo(0, 0)");
        await(
                "the size",
                () -> browser.executeScript("return window.innerHeight").equals((long) height));
    }

    private static void awaitSecond() {
        Object before = lastSecond();
        await("another second", () -> !lastSecond().equals(before));
    }

    private static Object lastSecond() {
        return browser.executeScript("return moments.at(-1).time");
    }

    private static BufferedImage shot() throws IOException {
        return ImageIO.read(new ByteArrayInputStream(browser.getScreenshotAs(OutputType.BYTES)));
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
