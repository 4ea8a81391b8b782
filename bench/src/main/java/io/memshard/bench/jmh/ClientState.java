// SPDX-License-Identifier: Apache-2.0
package io.memshard.bench.jmh;

import io.memshard.bench.contender.Clients;
import io.memshard.bench.contender.ContenderKind;
import io.memshard.bench.lab.experiment.Arm;
import io.memshard.bench.lab.experiment.Condition;
import io.memshard.bench.lab.experiment.OpenedArm;
import io.memshard.bench.lab.experiment.Profile;
import io.memshard.bench.server.PlainSocket;
import io.memshard.testkit.MemcachedServer;
import io.memshard.testkit.ServerLadder;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.TearDown;

/** Connected client. The system property {@value #SERVER} names its server. */
@NullUnmarked // JMH sets the fields that start as null.
public abstract class ClientState extends ArmState {

    private static final String SERVER = "memshard.bench.server";

    @Param
    public ContenderKind contender;

    @Param("2")
    public int connections;

    @Param("CLOUD")
    public Profile profile;

    @Param("100")
    public int valueSize;

    private @Nullable MemcachedServer found;

    @Override
    protected OpenedArm open(Condition condition) throws Exception {
        String named = System.getProperty(SERVER);
        found = named == null ? ServerLadder.find().server() : null;
        InetSocketAddress server =
                found == null ? PlainSocket.parse(named) : new InetSocketAddress(found.host(), found.port());
        Condition gets = Clients.condition(condition.threads(), valueSize, Clients.Load.GET, false);
        Arm arm = new Clients().arm(Clients.name(contender, connections));
        return arm.opener().open(new Arm.Setup(gets, profile, List.of(server)));
    }

    @TearDown(Level.Trial)
    public void closeServer() {
        if (found != null) {
            found.close();
        }
    }
}
