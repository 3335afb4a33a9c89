/** Cuts a text for a message, so that the message never repeats a whole body or path. */
export function cutText(text: string, most = 60): string {
  return text.length <= most ? text : `${text.slice(0, most - 3)}…`;
}

/** Quotes a text for a message: cut, and with what would end the line escaped. */
export function quoteText(text: string): string {
  return JSON.stringify(cutText(text));
}
