import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * How many answers may be late on one connection. A client that sends on without waiting for answers
 * (pipelining, RFC 9112, section 9.3.2) is not read any further until there are fewer.
 */
const mostLate = 100;

/** The answers that faults keep back, by the connections that wait for them. */
export class LateAnswers {
  readonly #isStopping: () => boolean;
  readonly #counts = new WeakMap<Socket, number>();
  /** Connections that never get their answer. */
  readonly #hung = new Set<Socket>();
  /** What is to be done on a connection when it has all its late answers. */
  readonly #next = new WeakMap<Socket, () => void>();

  /** @param isStopping whether the server takes no new requests */
  constructor(isStopping: () => boolean) {
    this.#isStopping = isStopping;
  }

  /** Connections that a server that stops need not wait for. */
  get hung(): Iterable<Socket> {
    return this.#hung;
  }

  /** Takes note of an answer that comes late, if it comes. */
  add(outgoing: ServerResponse): void {
    const { socket } = outgoing.req;
    this.#counts.set(socket, this.#countOf(socket) + 1);
    outgoing.once('close', () => this.#remove(socket));
    this.#limit(socket);
  }

  /** Never answers on a connection. */
  hang(socket: Socket): void {
    // Where the client has left already, nothing would end it.
    if (socket.destroyed) return;
    if (this.#isStopping()) socket.destroy();
    // Nothing is sent that would show that the client is no more there.
    socket.setKeepAlive(true, 60_000);
    this.#hung.add(socket);
    socket.once('close', () => this.#hung.delete(socket));
    this.#limit(socket);
  }

  /**
   * Does something at once, or behind the late answers of a connection; only the first thing that is
   * asked for.
   */
  behind(socket: Socket, act: () => void): void {
    if (this.#countOf(socket) === 0) act();
    else if (!this.#next.has(socket)) {
      this.#next.set(socket, act);
      // What cannot be read is no more read: nothing else would show that the client has left.
      socket.once('end', () => socket.destroy());
    }
  }

  #countOf(socket: Socket): number {
    return this.#counts.get(socket) ?? 0;
  }

  #limit(socket: Socket): void {
    if (this.#countOf(socket) < mostLate) return;
    // What is not read does not show that the client has left, and here nothing is sent either.
    if (this.#hung.has(socket)) socket.destroy();
    // Not now: `node:http` goes on reading when it has read this request to its end.
    else process.nextTick(() => this.#pause(socket));
  }

  #pause(socket: Socket): void {
    if (this.#countOf(socket) >= mostLate) socket.pause();
  }

  #remove(socket: Socket): void {
    const count = this.#countOf(socket) - 1;
    this.#counts.set(socket, count);
    if (count === mostLate - 1) socket.resume();
    if (count > 0) return;
    const next = this.#next.get(socket);
    this.#next.delete(socket);
    next?.();
  }
}
