import { connect, isIP, type Socket, type TcpNetConnectOpts } from 'node:net';
import { connect as connectSecurely, type ConnectionOptions } from 'node:tls';
import { roomBefore } from './frame-reader.ts';

/**
 * Reads the bytes of a connection; they are good until it returns. So many bytes of room stand before
 * them, in the same memory, which may be written over.
 */
type Take = (bytes: NonSharedBuffer, room: number) => void;

/** The connection of one stream, which can be read without making garbage of each read. */
export interface StreamSocket {
  /** Connects as `ws` does. */
  readonly connect: (options: TcpNetConnectOpts & ConnectionOptions) => Socket;
  /**
   * From now on, what comes goes to `take` instead of the `data` event. What has been read before
   * still goes by the event: both are in order.
   */
  readonly readBy: (take: Take) => void;
}

/** So much is read at once: less costs more reads, more does not stay in the processor's caches. */
const readAtOnce = 256 * 1024;

/** One for all: who is given it is done with it when he returns. */
let memory: NonSharedBuffer | undefined;

/** Reading into memory that serves again instead of into new pieces, for the first one that connects. */
export function createStreamSocket(isSecure: boolean): StreamSocket {
  let take: Take | undefined;
  let socket: Socket | undefined;

  const onread = {
    buffer(): NonSharedBuffer {
      memory ??= Buffer.allocUnsafeSlow(roomBefore + readAtOnce).subarray(roomBefore);
      return memory;
    },
    callback(length: number): boolean {
      const bytes = onread.buffer().subarray(0, length);
      if (take === undefined || socket === undefined || socket.readableLength > 0) {
        return socket?.push(Buffer.from(bytes)) ?? false;
      }
      take(bytes, roomBefore);
      return true;
    },
  };

  return {
    connect(options) {
      const to = { ...options, onread };
      // That of the request, which would pass for that of a socket in the file system.
      delete to.path;
      socket = isSecure
        ? connectSecurely({ ...to, servername: to.servername ?? nameOf(to.host) })
        : connect(to);
      return socket;
    },
    readBy(next) {
      take = next;
    },
  };
}

/** What a certificate is asked for; an address is no name (RFC 6066, 3). */
function nameOf(host = ''): string {
  return isIP(host) > 0 ? '' : host;
}
