package io.memshard.client.connection;

import io.memshard.client.options.TlsOptions;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/** Explains the failures of TLS to the link behind it. Threading: confined to the event loop. */
final class TlsFailureHandler extends ChannelInboundHandlerAdapter {

    private final TlsOptions options;
    private final String host;

    TlsFailureHandler(TlsOptions options, String host) {
        this.options = options;
        this.host = host;
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.fireExceptionCaught(TlsFailure.explained(cause, options, host));
    }
}
