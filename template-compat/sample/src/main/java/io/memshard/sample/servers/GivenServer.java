// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample.servers;

/** Memcached that runs already, and that the sample does not own. */
record GivenServer(String address) implements SampleServer {

    private static final String REASON = "the sample did not start it";

    @Override
    public String description() {
        return "given";
    }

    @Override
    public boolean isRunning() {
        return true;
    }

    @Override
    public String whyNotStoppable() {
        return REASON;
    }

    @Override
    public void stop() {
        throw new IllegalStateException(address + " cannot be stopped: " + REASON);
    }

    @Override
    public void start() {
        throw new IllegalStateException(address + " cannot be started: " + REASON);
    }

    @Override
    public void close() {}
}
