import { writeHeaders, writeRequestOf } from '../../platform/http/staff.ts';
import { BOUNDS } from '../../platform/limits.ts';
import { attachment } from '../maps/index.ts';
import { rowsOfBplist, rowsOfCsv } from './interchange.ts';
import { refusals } from './refusals.ts';
import {
  bplist,
  csvFile,
  exportedPlaylist,
  exportedTable,
  importedMaps,
  importQuery,
  poolParams,
} from './schemas.ts';
import type { PoolRoutes } from './service.ts';

/** The contract that both imports share. */
const imported = {
  tags: ['Pool maps'],
  description:
    'Drafts only. Up to 200 rows, all or none; `details.rows` names one problem for each wrong row. A map is ' +
    'named by its key, or by exactly one hash: an upload that was replaced since is `MAP_STALE`. With ' +
    '`dryRun=true` nothing is added.',
  params: poolParams,
  querystring: importQuery,
  headers: writeHeaders,
  response: {
    200: importedMaps,
    201: importedMaps,
    ...refusals(
      'VALIDATION_FAILED',
      'POOL_NOT_FOUND',
      'POOL_NOT_EDITABLE',
      'MAP_STALE',
      'STALE',
      'UPSTREAM_UNAVAILABLE',
    ),
  },
};

const FORMATS = [
  { format: 'csv', type: 'text/csv', as: 'a table', exportId: 'exportPoolAsCsv', file: exportedTable },
  {
    format: 'bplist',
    type: 'application/json',
    as: 'a playlist',
    exportId: 'exportPoolAsPlaylist',
    file: exportedPlaylist,
  },
] as const;

/** Pools as files: export and import. */
export const poolFileRoutes: PoolRoutes = async (app, { pools }) => {
  for (const { format, type, as, exportId, file } of FORMATS)
    app.get(`/pools/:poolGuid/export.${format}`, {
      schema: {
        tags: ['Pool maps'],
        operationId: exportId,
        sends: ['Content-Disposition'],
        summary: `Export a pool as ${as}`,
        description: 'In whatever status. What is exported can be imported into a draft.',
        produces: [type],
        params: poolParams,
        response: { 200: file, ...refusals('VALIDATION_FAILED', 'POOL_NOT_FOUND') },
      },
      handler: async ({ params }, reply) => {
        const { name, body } = await pools.exportAs(params.poolGuid, format);
        return reply
          .type(`${type}; charset=utf-8`)
          .header('content-disposition', attachment(name))
          .serializer(String)
          .send(body);
      },
    });
  await app.register(csvImport, { pools });
  await app.register(bplistImport, { pools });
};

/** Accepts tables and no other type of content. */
const csvImport: PoolRoutes = async (app, { pools }) => {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('text/csv', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  app.post('/pools/:poolGuid/import.csv', {
    bodyLimit: BOUNDS.importedFile.value,
    schema: {
      ...imported,
      operationId: 'importPoolFromCsv',
      summary: 'Import a table into a pool',
      consumes: ['text/csv'],
      body: csvFile,
    },
    handler: async (request, reply) => {
      const { params, query, body } = request;
      reply.code(query.dryRun === 'true' ? 200 : 201);
      return pools.importMaps(writeRequestOf(request), params.poolGuid, rowsOfCsv(body), query);
    },
  });
};

/** Accepts playlists: JSON, also as `application/octet-stream`. */
const bplistImport: PoolRoutes = async (app, { pools }) => {
  app.addContentTypeParser('application/octet-stream', { parseAs: 'string' }, (request, body, done) =>
    app.getDefaultJsonParser('error', 'error')(request, String(body), done),
  );
  app.post('/pools/:poolGuid/import.bplist', {
    bodyLimit: BOUNDS.importedFile.value,
    schema: {
      ...imported,
      operationId: 'importPoolFromPlaylist',
      summary: 'Import a playlist into a pool',
      consumes: ['application/json', 'application/octet-stream'],
      body: bplist,
    },
    handler: async (request, reply) => {
      const { params, query, body } = request;
      reply.code(query.dryRun === 'true' ? 200 : 201);
      return pools.importMaps(writeRequestOf(request), params.poolGuid, rowsOfBplist(body), query);
    },
  });
};
