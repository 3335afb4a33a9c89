/**
 * Tells of every line of a response as it arrives, without its end.
 *
 * @throws what the body's reader throws where the connection breaks
 */
export async function readLines(
  response: Response,
  onLine: (line: string) => void,
  onChunk?: () => void,
): Promise<void> {
  const reader = response.body?.getReader();
  if (reader === undefined) return;
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    onChunk?.();
    const lines = (rest + decoder.decode(value, { stream: !done })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line.endsWith('\r') ? line.slice(0, -1) : line);
    if (done) break;
  }
  if (rest !== '') onLine(rest);
}
