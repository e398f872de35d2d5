import { readFileSync } from 'node:fs';
import Fastify from 'fastify';

/** Fastify that sends a prebuilt answer or, to who knows it, that it is the same; with nothing around it. */

const body = readFileSync(process.env.FILE ?? '');
const etag = process.env.ETAG ?? '';
const app = Fastify();
app.get('/', (request, reply) => {
  reply.header('etag', etag);
  if (request.headers['if-none-match'] === etag) reply.code(304).send();
  else reply.type('application/json; charset=utf-8').send(body);
});
await app.listen({ host: '127.0.0.1', port: 0 });
const address = app.server.address();
process.send?.({ port: typeof address === 'object' ? address?.port : null });
