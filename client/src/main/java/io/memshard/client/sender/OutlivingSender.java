// SPDX-License-Identifier: Apache-2.0
package io.memshard.client.sender;

/**
 * Sender that sends each command to several copies of the data. A blocking call ends as soon as enough copies have
 * answered, so its commands may outlive the call.
 */
public interface OutlivingSender extends CommandSender {}
