// SPDX-License-Identifier: Apache-2.0
package io.memshard.sample.servers;

import io.memshard.testkit.MemcachedProcess;

/** Memcached from the PATH, as a child process. */
final class ProcessServer implements SampleServer {

    private final MemcachedProcess process;

    ProcessServer() {
        process = MemcachedProcess.start();
    }

    @Override
    public String address() {
        return process.host() + ":" + process.port();
    }

    @Override
    public String description() {
        return "process " + process.pid();
    }

    @Override
    public boolean isRunning() {
        return process.isAlive();
    }

    @Override
    public void stop() {
        process.kill();
    }

    @Override
    public synchronized void start() {
        if (!process.isAlive()) {
            process.restart();
        }
    }

    @Override
    public void close() {
        process.close();
    }
}
