/**
 * The servers that Stockcheck is measured against: as little as `node:http` can be asked to do.
 *
 * Plain JavaScript, so that it starts as fast as it can: stripping types would cost it 40 ms.
 *
 * node bench/bare-server.mjs constant|stringify <file with a JSON list>
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const [, , mode, file] = process.argv;
const list = readFileSync(file);

/** Sends the same bytes each time. */
function answerWithConstant(request, response) {
  if (request.method === 'GET') send(response, list);
  else readBody(request, () => send(response, constantItem));
}

const constantItem = Buffer.from('{"petId":12345,"quantity":123,"status":"available"}');

/** Keeps objects, and stringifies the whole list for each GET. */
function createStringifier() {
  const items = JSON.parse(list.toString());
  const byId = new Map(items.map((item) => [item.petId, item]));
  return (request, response) => {
    if (request.method === 'GET') {
      send(response, Buffer.from(JSON.stringify(items)));
      return;
    }
    readBody(request, (body) => {
      const item = byId.get(Number(request.url.slice(request.url.lastIndexOf('/') + 1)));
      item.quantity = JSON.parse(body.toString()).quantity;
      send(response, Buffer.from(JSON.stringify(item)));
    });
  };
}

function readBody(request, next) {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => next(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)));
}

function send(response, bytes) {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': bytes.length });
  response.end(bytes);
}

const server = createServer(mode === 'stringify' ? createStringifier() : answerWithConstant);
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`listening on http://127.0.0.1:${server.address().port}/v1\n`);
});
process.on('SIGTERM', () => process.exit());
