/** Takes a stream of server-sent events apart (WHATWG HTML, section 9.2.6). */
export class EventParser {
  /** In milliseconds: how long to wait before connecting again, as the server asked. */
  retry: number | undefined;
  /** What to resume behind: of the last event, be it one without data. Empty: there was none. */
  lastId = '';
  #id = '';
  #rest = '';
  #data: string[] = [];

  /** Takes some more of the stream, cut anywhere, and gives the data of every event that is whole. */
  push(text: string): string[] {
    // A carriage return at the end may be half of a line's end.
    const lines = (this.#rest + text).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? '';
    return lines.flatMap((line) => this.#take(line));
  }

  #take(line: string): string[] {
    if (line === '') return this.#dispatch();
    const [, name = line, value = ''] = /^([^:]*): ?(.*)$/s.exec(line) ?? [];
    if (name === 'data') this.#data.push(value);
    else if (name === 'id' && !value.includes('\0')) this.#id = value;
    else if (name === 'retry' && /^\d+$/.test(value)) this.retry = Number(value);
    return [];
  }

  #dispatch(): string[] {
    this.lastId = this.#id;
    if (this.#data.length === 0) return [];
    const data = this.#data.join('\n');
    this.#data = [];
    return [data];
  }
}
