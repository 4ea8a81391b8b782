// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample.servers;

/** A memcached that runs already, and belongs to somebody else. */
record GivenServer(String address) implements SampleServer {

    private static final String REASON = "it was not started here";

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
