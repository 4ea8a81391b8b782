// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.lab.data;

import io.memshard.bench.locks.ProfiledLoad;
import io.memshard.bench.result.Csv;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/**
 * The recordings of lock profiles that a run keeps, one for each profiled fork.
 *
 * <p>Threading: stateless. Failure: {@link UncheckedIOException} naming the file.
 */
public final class Recordings {

    private Recordings() {}

    /** Where the recording of the fork with {@code key} is. */
    public static Path of(Path folder, ForkKey key) {
        return folder.resolve("locks-" + key.experiment() + "-" + key.profile().label() + "-" + key.arm() + "-"
                + key.condition().label().replaceAll("[^A-Za-z0-9]+", "-") + ".jfr");
    }

    /**
     * Writes {@code waits.csv} from the recordings, by today's rules of what threads wait for. Rows whose recording is
     * not in the folder stay as they are.
     */
    public static void writeWaits(Path folder) {
        Path waits = folder.resolve(WaitFile.NAME);
        Path forks = folder.resolve(ForkFile.NAME);
        if (!Csv.isThere(forks)) {
            return;
        }
        List<WaitRow> old = Csv.isThere(waits) ? WaitFile.read(waits) : List.of();
        Path anew = folder.resolve(WaitFile.NAME + ".new");
        try {
            Files.deleteIfExists(anew);
            ForkFile.read(forks).stream()
                    .filter(fork -> fork.key().profiled() && fork.isThere())
                    .map(ForkResult::key)
                    .forEach(key -> append(anew, key, of(folder, key), old));
            if (Files.exists(anew)) {
                Files.move(anew, waits, StandardCopyOption.REPLACE_EXISTING);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + waits + ": " + e.getMessage(), e);
        }
    }

    private static void append(Path anew, ForkKey key, Path recording, List<WaitRow> old) {
        if (!Files.exists(recording)) {
            old.stream().filter(row -> row.isOf(key)).forEach(row -> WaitFile.append(anew, row));
            return;
        }
        try {
            WaitFile.append(anew, key, ProfiledLoad.read(recording));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + recording + ": " + e.getMessage(), e);
        }
    }
}
