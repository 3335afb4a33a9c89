/** Joins the segments of a list. */
export function joinSegments(segments: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(segments.reduce((length, segment) => length + segment.length, 0));
  let offset = 0;
  for (const segment of segments) {
    joined.set(segment, offset);
    offset += segment.length;
  }
  return joined;
}
