import { z } from 'zod';
import type { DocumentOptions } from '../../src/platform/documents/routes.ts';
import { assembleCatalogue, commonErrors, errorEntries } from '../../src/platform/errors.ts';

/** A small channel with everything that makes a document interesting. */

const card = z.object({ cardGuid: z.string(), accuracy: z.number().min(0).max(1) }).meta({ id: 'TestCard' });
const table = z
  .object({ top: card, hand: z.array(card).nullable(), count: z.int() })
  .describe('What lies on the <table>')
  .meta({ id: 'TestTable' });
z.object({ notOnTheSocket: z.string() }).meta({ id: 'TestUnused' });

const aboutTable = z.object({ table });

const errors = errorEntries({
  TEST_NOT_HELD: { status: 409, message: 'You do not hold <this> card.', details: ['status'] },
  TEST_TOKEN_MISSING: { status: 401, message: 'A token is needed.' },
});

export const options: DocumentOptions = {
  baseUrl: 'https://matches.example.org/ranked',
  version: '1.2.3',
  loginCookie: 'session',
  pageTheme: { js: [], css: [] },
  pageLook: { style: '', site: 'Tables' },
  catalogue: assembleCatalogue([commonErrors, errors]),
  parameters: {},
  httpExamples: { orderThing: { request: { colour: 'red', size: {} } } },
  socketExamples: { playCard: { payload: { cardGuid: 'a' }, data: { table: { top: null } } } },
  tags: { Things: 'What there is.' },
  accessTo: (method) =>
    method === 'GET'
      ? { credentials: [], roles: [], words: '' }
      : { credentials: ['bearer', 'loginCookie'], roles: ['role:keeper'], words: 'Needs `role:keeper`.' },
  contract: {
    handshake: {
      auth: z.object({ token: z.string(), gameVersion: z.string().optional() }),
      refusals: ['TEST_TOKEN_MISSING', 'RATE_LIMITED'],
    },
    toServer: {
      playCard: {
        description: 'Plays a card, not a <script>.',
        payload: z.strictObject({
          cardGuid: z.string(),
          face: z.enum(['up', 'down']).default('up'),
          note: z.string().optional(),
        }),
        data: aboutTable,
        refusals: ['TEST_NOT_HELD'],
      },
      look: { description: 'Looks.', payload: z.strictObject({}), data: aboutTable, refusals: [] },
    },
    life: {
      phases: ['set', 'played'],
      ends: ['won', 'left'],
      ways: [
        { from: 'set', to: 'played', when: 'all <sit>', by: ['sit'] },
        { from: 'played', to: 'set', when: 'another one', by: ['clock'] },
        { from: 'played', to: 'won', when: 'somebody won', by: ['play', 'clock'] },
      ],
      anywhere: 'somebody left',
      endedBy: ['leave'],
      limits: { set: 'one hour' },
    },
    toClient: {
      tableChanged: { description: 'Somebody played.', payload: z.object({ table: table.nullable() }) },
    },
  },
};
