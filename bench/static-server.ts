import fastifyStatic from '@fastify/static';
import Fastify from 'fastify';

/** A folder behind `@fastify/static`, with nothing around it. */

const app = Fastify();
await app.register(fastifyStatic, { root: process.env.FOLDER ?? '' });
await app.listen({ host: '127.0.0.1', port: 0 });
const address = app.server.address();
process.send?.({ port: typeof address === 'object' ? address?.port : null });
