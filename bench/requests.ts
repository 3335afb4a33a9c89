/** The bytes of requests, made before the load starts. */

const key = 'demo-key';

/** `GET /inventory`. */
export const listRequest: Uint8Array = Buffer.from(
  `GET /v1/inventory HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: */*\r\nAuthorization: Bearer ${key}\r\n\r\n`,
);

/** `PATCH /inventory/{petId}`. */
export function updateRequest(petId: bigint, quantity: number): Uint8Array {
  const body = `{"quantity":${quantity}}`;
  return Buffer.from(
    `PATCH /v1/inventory/${petId} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: */*\r\n` +
      `Authorization: Bearer ${key}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${body.length}\r\n\r\n${body}`,
  );
}
