import { readFileSync } from 'node:fs';
import Fastify from 'fastify';

/** Fastify that sends a prebuilt answer, with nothing around it. */

const body = readFileSync(process.env.FILE ?? '');
const app = Fastify();
app.get('/', (_request, reply) => {
  reply.type('application/json; charset=utf-8').send(body);
});
await app.listen({ host: '127.0.0.1', port: 0 });
const address = app.server.address();
process.send?.({ port: typeof address === 'object' ? address?.port : null });
