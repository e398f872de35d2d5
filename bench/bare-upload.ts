import { createHash, randomUUID } from 'node:crypto';
import { open } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

/** A server that does to an upload what must be done to it: it streams, hashes, writes and flushes. */

const folder = process.env.FOLDER ?? '.';
const server = createServer(async (request, response) => {
  const file = await open(path.join(folder, randomUUID()), 'wx');
  const hash = createHash('sha256');
  for await (const chunk of request) {
    hash.update(chunk);
    await file.writeFile(chunk);
  }
  await file.datasync();
  await file.close();
  const body = JSON.stringify({ sha256: hash.digest('hex') });
  response.writeHead(201, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  response.end(body);
});
// The matches of the service's round are made meanwhile, which may take longer than Node keeps an idle connection.
server.keepAliveTimeout = 0;
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
