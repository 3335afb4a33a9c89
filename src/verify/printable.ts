/**
 * Makes a text safe to print anywhere: what would move the cursor, ring, hide or reorder (control
 * and format characters, lone surrogates) becomes visible as an escape. A line break stays one.
 */
export function toPrintable(text: string): string {
  return text.replace(/[^\P{C}\n]|[\u2028\u2029]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (code === 0x09) return String.raw`\t`;
    if (code === 0x0d) return String.raw`\r`;
    return code <= 0xff
      ? String.raw`\x${code.toString(16).padStart(2, '0')}`
      : String.raw`\u{${code.toString(16)}}`;
  });
}

/** Text as it is, or with every byte that is not ASCII as an escape where it is not UTF-8. */
export function decodePrintable(bytes: Uint8Array): string {
  try {
    // As the beginning of a stream: a character that is cut at the end is no error.
    return toPrintable(new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true }));
  } catch {
    return Array.from(bytes, (byte) =>
      byte < 0x80 ? toPrintable(String.fromCharCode(byte)) : String.raw`\x${byte.toString(16)}`,
    ).join('');
  }
}

/** Cuts a text that is too long and says so. */
export function cutTo(limit: number, text: string): string {
  return text.length <= limit
    ? text
    : `${text.slice(0, limit)}… (${text.length - limit} more characters)`;
}
