/** Connects sockets that read into reused memory. */
import { connect, isIP, type Socket, type TcpNetConnectOpts } from 'node:net';
import { connect as connectSecurely, type ConnectionOptions } from 'node:tls';
import { frameHeadroom } from './frame-reader.ts';

/**
 * Receives the bytes of a connection, which are valid until it returns. The `room` bytes before them
 * in the same memory may be overwritten.
 */
type Take = (bytes: NonSharedBuffer, room: number) => void;

/** The connection of one stream, which allocates no buffer for each read. */
export interface StreamSocket {
  /** Connects as `ws` does. */
  readonly connect: (options: TcpNetConnectOpts & ConnectionOptions) => Socket;
  /**
   * Sends further bytes to `take` instead of the `data` event. Bytes that were read before are still
   * emitted first.
   */
  readonly setReader: (take: Take) => void;
}

/** Bytes of one read: less costs more reads, more exceeds the processor's caches. */
const readSize = 256 * 1024;

/** Read buffer of all streams; its bytes are valid only during the call that receives them. */
let memory: NonSharedBuffer | undefined;

/** Creates the socket of one stream; it reads into the shared buffer. */
export function createStreamSocket(isSecure: boolean): StreamSocket {
  let take: Take | undefined;
  let socket: Socket | undefined;

  const onread = {
    buffer(): NonSharedBuffer {
      memory ??= Buffer.allocUnsafeSlow(frameHeadroom + readSize).subarray(frameHeadroom);
      return memory;
    },
    callback(length: number): boolean {
      const bytes = onread.buffer().subarray(0, length);
      if (take === undefined || socket === undefined || socket.readableLength > 0) {
        return socket?.push(Buffer.from(bytes)) ?? false;
      }
      take(bytes, frameHeadroom);
      return true;
    },
  };

  return {
    connect(options) {
      const target = { ...options, onread };
      // The path is the request's; `connect` would use it as a Unix socket.
      delete target.path;
      socket = isSecure
        ? connectSecurely({ ...target, servername: target.servername ?? serverName(target.host) })
        : connect(target);
      return socket;
    },
    setReader(next) {
      take = next;
    },
  };
}

/** Returns the server name for TLS; IP addresses are not allowed (RFC 6066, 3). */
function serverName(host = ''): string {
  return isIP(host) > 0 ? '' : host;
}
