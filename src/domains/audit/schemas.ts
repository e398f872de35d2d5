import { z } from 'zod';
import {
  givenInstant,
  guid,
  isoInstant,
  keyInstant,
  keyText,
  page,
  pageQuery,
} from '../../platform/http/schemas.ts';
import { filterText } from '../../platform/http/text.ts';

export const auditEntry = z
  .object({
    at: isoInstant,
    actor: guid.nullable().describe('`playerGuid` of the person who did it; null: the service itself'),
    action: z.string().meta({ examples: ['publishPool'] }),
    target: z
      .string()
      .describe('The thing, as the path of its resource')
      .meta({ examples: ['/pools/01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11'] }),
    before: z.unknown().describe('As it was; null: it did not exist'),
    after: z.unknown().describe('As it is since; null: it exists no more'),
  })
  .meta({ id: 'AuditEntry' });
export type AuditEntry = z.output<typeof auditEntry>;

export const auditPage = page('AuditEntryList', auditEntry);

export const auditQuery = pageQuery.extend({
  actorGuid: guid.optional(),
  target: filterText(200)
    .describe('The thing, as the path of its resource, with everything that lies under it')
    .meta({ examples: ['/pools/01981f6a-7c3e-7a10-9f43-2f1a6f0c9b11'] }),
  action: filterText(100).describe('What was done, exactly'),
  since: givenInstant.optional().describe('ISO 8601: entries of then or later'),
  until: givenInstant.optional().describe('ISO 8601: entries of before'),
});
export type AuditQuery = z.output<typeof auditQuery>;

/** Keyset of the list: time and id of the last entry of a page. */
export const auditKey = z.tuple([keyInstant, guid]);
export type AuditKey = z.output<typeof auditKey>;

/** In the order of the alphabet. */
export const auditActions = page('AuditActions', z.string().meta({ examples: ['publishPool'] }));
/** Keyset of the list: the last action of a page. */
export const auditActionKey = z.tuple([keyText]);
