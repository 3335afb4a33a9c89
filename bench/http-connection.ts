import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Size of the buffer that all connections read into, one after another. */
const bufferSize = 1 << 18;
const buffer = Buffer.alloc(bufferSize);

const endOfHead = '\r\n\r\n';

/**
 * One keep-alive connection that sends ready bytes and counts those that come back. It does as
 * little as can be, so that the server is what is measured.
 */
export class HttpConnection {
  readonly #socket: Socket;
  #head = '';
  /** Bytes of the body still to come; `undefined` while the head is read. */
  #missing: number | undefined;
  #bodyLength = 0;
  #finish: (bodyLength: number) => void = () => undefined;

  static async open(port: number): Promise<HttpConnection> {
    const connection = new HttpConnection(port);
    await once(connection.#socket, 'connect');
    return connection;
  }

  private constructor(port: number) {
    this.#socket = connect({
      port,
      host: '127.0.0.1',
      noDelay: true,
      onread: {
        buffer,
        callback: (length: number) => {
          this.#read(length);
          return true;
        },
      },
    });
  }

  /** Sends a request. `finish` is called once its answer, which must be a 200, was read. */
  send(request: Uint8Array, finish: (bodyLength: number) => void): void {
    this.#finish = finish;
    this.#socket.write(request);
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(length: number): void {
    let start = 0;
    if (this.#missing === undefined) {
      start = this.#readHead(length);
      if (this.#missing === undefined) return;
    }
    this.#missing -= length - start;
    if (this.#missing > 0) return;
    if (this.#missing < 0) throw new Error('the server sent more than it announced');
    this.#missing = undefined;
    this.#finish(this.#bodyLength);
  }

  /** @returns where the body starts in what was read */
  #readHead(length: number): number {
    const end = buffer.subarray(0, length).indexOf(endOfHead);
    if (end === -1) {
      this.#head += buffer.toString('latin1', 0, length);
      return length;
    }
    const head = this.#head + buffer.toString('latin1', 0, end);
    this.#head = '';
    const announced = /^content-length: *(\d+)/im.exec(head)?.[1];
    if (!head.startsWith('HTTP/1.1 200 ') || announced === undefined) {
      throw new Error(`expected a 200 with a Content-Length; got ${head.split('\r\n', 1)[0]}`);
    }
    this.#bodyLength = Number(announced);
    this.#missing = this.#bodyLength;
    return end + endOfHead.length;
  }
}
