// Configures the Prisma command line. Generating the client needs no schema engine, but the
// command line insists on having one and would download it: naming any existing file skips that,
// so an installation needs no network but the npm registry. Migrations run through the same
// engine's WebAssembly build instead (src/platform/database/migrations.ts).
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'prisma-command-line/config';

process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= fileURLToPath(import.meta.url);

export default defineConfig({ schema: 'prisma/schema.prisma' });
