// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample;

import java.awt.Rectangle;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageTypeSpecifier;
import javax.imageio.ImageWriter;
import javax.imageio.metadata.IIOMetadata;
import javax.imageio.metadata.IIOMetadataNode;
import javax.imageio.stream.ImageOutputStream;

/** Writer of a GIF that repeats its frames, of which each has only what differs from the one before. */
final class AnimatedGif {

    private static final String FORMAT = "javax_imageio_gif_image_1.0";
    private static final int DELAY_HUNDREDTHS = 60;
    private static final int LAST_DELAY_HUNDREDTHS = 250;

    private AnimatedGif() {}

    /** Writes frames, which are cut to the size of the first. */
    static void write(List<BufferedImage> frames, Path file) throws IOException {
        Files.createDirectories(file.getParent());
        Files.deleteIfExists(file);
        ImageWriter writer = ImageIO.getImageWritersByFormatName("gif").next();
        try (ImageOutputStream out = ImageIO.createImageOutputStream(file.toFile())) {
            writer.setOutput(out);
            writer.prepareWriteSequence(null);
            BufferedImage before = null;
            for (BufferedImage frame : frames) {
                Rectangle changed =
                        before == null ? new Rectangle(frame.getWidth(), frame.getHeight()) : difference(before, frame);
                BufferedImage part = new BufferedImage(changed.width, changed.height, BufferedImage.TYPE_INT_RGB);
                part.createGraphics().drawImage(frame, -changed.x, -changed.y, null);
                boolean isLast = frame == frames.get(frames.size() - 1);
                writer.writeToSequence(
                        new IIOImage(
                                part,
                                null,
                                metadata(writer, part, changed, isLast ? LAST_DELAY_HUNDREDTHS : DELAY_HUNDREDTHS)),
                        null);
                before = frame;
            }
            writer.endWriteSequence();
        } finally {
            writer.dispose();
        }
    }

    /** Returns the smallest rectangle outside which both are equal, at least one pixel. */
    private static Rectangle difference(BufferedImage before, BufferedImage now) {
        Rectangle found = null;
        for (int y = 0; y < Math.min(before.getHeight(), now.getHeight()); y++) {
            for (int x = 0; x < now.getWidth(); x++) {
                if (before.getRGB(x, y) != now.getRGB(x, y)) {
                    Rectangle pixel = new Rectangle(x, y, 1, 1);
                    found = found == null ? pixel : found.union(pixel);
                }
            }
        }
        return found == null ? new Rectangle(1, 1) : found;
    }

    private static IIOMetadata metadata(ImageWriter writer, BufferedImage part, Rectangle place, int delay)
            throws IOException {
        IIOMetadata metadata = writer.getDefaultImageMetadata(new ImageTypeSpecifier(part), null);
        IIOMetadataNode root = new IIOMetadataNode(FORMAT);
        IIOMetadataNode descriptor = child(root, "ImageDescriptor");
        descriptor.setAttribute("imageLeftPosition", String.valueOf(place.x));
        descriptor.setAttribute("imageTopPosition", String.valueOf(place.y));
        descriptor.setAttribute("imageWidth", String.valueOf(place.width));
        descriptor.setAttribute("imageHeight", String.valueOf(place.height));
        descriptor.setAttribute("interlaceFlag", "FALSE");
        IIOMetadataNode control = child(root, "GraphicControlExtension");
        control.setAttribute("disposalMethod", "doNotDispose");
        control.setAttribute("userInputFlag", "FALSE");
        control.setAttribute("transparentColorFlag", "FALSE");
        control.setAttribute("delayTime", String.valueOf(delay));
        control.setAttribute("transparentColorIndex", "0");
        IIOMetadataNode repeat = child(child(root, "ApplicationExtensions"), "ApplicationExtension");
        repeat.setAttribute("applicationID", "NETSCAPE");
        repeat.setAttribute("authenticationCode", "2.0");
        repeat.setUserObject(new byte[] {1, 0, 0});
        metadata.mergeTree(FORMAT, root);
        return metadata;
    }

    private static IIOMetadataNode child(IIOMetadataNode parent, String name) {
        IIOMetadataNode child = new IIOMetadataNode(name);
        parent.appendChild(child);
        return child;
    }
}
