import type { FastifyPluginAsyncZod } from '@fastify/type-provider-zod';
import { tagAnswer } from '../../platform/http/etag.ts';
import { refusalsOf } from '../../platform/http/refusals.ts';
import { pageQuery } from '../../platform/http/schemas.ts';
import { sendTagged, writeHeaders, writeRequestOf } from '../../platform/http/staff.ts';
import { playerErrors } from './errors.ts';
import {
  ban,
  banBody,
  banParams,
  bans,
  foundPlayers,
  heldRoles,
  lifted,
  type PlayerRating,
  playerParams,
  playerProfile,
  playerQuery,
  rolesBody,
} from './schemas.ts';
import type { Players } from './service.ts';

interface PlayerRoutesOptions {
  players: Players;
  /** A player's rating in every queue and season. */
  ratingsOf(playerGuid: string): Promise<PlayerRating[]>;
}

const refusals = refusalsOf(playerErrors);

type PlayerRoutes = FastifyPluginAsyncZod<PlayerRoutesOptions>;

/** All routes under `/players` of this domain: reads for everybody, roles and bans for staff. */
export const playerRoutes: PlayerRoutes = async (app, options) => {
  const { players, ratingsOf } = options;

  app.get('/players', {
    config: { reads: ['Player'] },
    schema: {
      operationId: 'findPlayers',
      summary: 'Find players',
      description: 'By a part of the name in any case or by a whole platform id, in order of the name.',
      querystring: playerQuery,
      response: { 200: foundPlayers, ...refusals('VALIDATION_FAILED') },
    },
    handler: (request) => players.search(request.query),
  });

  app.get('/players/:playerGuid', {
    config: { reads: ['LadderCount', 'Player', 'Rating'] },
    schema: {
      operationId: 'getPlayer',
      summary: 'Read a player',
      description: 'With the standing in every queue and season that holds a rated match.',
      params: playerParams,
      response: { 200: playerProfile, ...refusals('VALIDATION_FAILED', 'PLAYER_NOT_FOUND') },
    },
    handler: async ({ params }) => {
      const profile = await players.profile(params.playerGuid);
      return { ...profile, ratings: await ratingsOf(params.playerGuid) };
    },
  });

  await app.register(roleRoutes, options);
  await app.register(banRoutes, options);
};

const roleRoutes: PlayerRoutes = async (app, { players }) => {
  app.get('/players/:playerGuid/roles', {
    schema: {
      tags: ['Staff'],
      operationId: 'getRolesOfPlayer',
      sends: ['ETag'],
      summary: 'List a player’s roles with their sources',
      description: 'Roles from the identity provider are as of the last token that spoke of roles.',
      params: playerParams,
      response: { 200: heldRoles, ...refusals('VALIDATION_FAILED', 'PLAYER_NOT_FOUND') },
    },
    onSend: tagAnswer,
    handler: async ({ params }, reply) => sendTagged(reply, await players.roles(params.playerGuid)),
  });

  app.put('/players/:playerGuid/roles', {
    schema: {
      tags: ['Staff'],
      operationId: 'setRolesOfPlayer',
      sends: ['ETag'],
      summary: 'Set the roles granted here',
      description:
        'Roles from the identity provider or the configuration stay, and are revoked where they come from.',
      params: playerParams,
      headers: writeHeaders,
      body: rolesBody,
      response: {
        200: heldRoles,
        ...refusals(
          'VALIDATION_FAILED',
          'PLAYER_NOT_FOUND',
          'PLAYER_ERASED',
          'LAST_ADMIN',
          'ROLE_NOT_GRANTED_HERE',
          'STALE',
        ),
      },
    },
    handler: async (request, reply) => {
      const { params, body } = request;
      const held = await players.setRoles(writeRequestOf(request), params.playerGuid, body.roles);
      return sendTagged(reply, held);
    },
  });
};

const banRoutes: PlayerRoutes = async (app, { players }) => {
  app.get('/players/:playerGuid/bans', {
    schema: {
      tags: ['Staff'],
      operationId: 'listBansOfPlayer',
      summary: 'List a player’s bans',
      description: 'Newest first, with those that ended or were lifted.',
      params: playerParams,
      querystring: pageQuery,
      response: { 200: bans, ...refusals('VALIDATION_FAILED', 'PLAYER_NOT_FOUND') },
    },
    handler: ({ params, query }) => players.bans(params.playerGuid, query),
  });

  app.post('/players/:playerGuid/bans', {
    schema: {
      tags: ['Staff'],
      operationId: 'banPlayer',
      summary: 'Ban a player',
      description:
        'Closes the connection, removes the queue entry and loses the running match. Bans may overlap; the last to end counts.',
      params: playerParams,
      body: banBody,
      response: {
        201: ban,
        ...refusals('VALIDATION_FAILED', 'PLAYER_NOT_FOUND', 'PLAYER_ERASED', 'SELF_BAN', 'LAST_ADMIN'),
      },
    },
    handler: (request) => players.ban(writeRequestOf(request), request.params.playerGuid, request.body),
  });

  app.get('/players/:playerGuid/bans/:banGuid', {
    schema: {
      tags: ['Staff'],
      operationId: 'getBan',
      sends: ['ETag'],
      summary: 'Read a ban',
      description: 'Its `ETag` is what `If-Match` of lifting it is compared with.',
      params: banParams,
      response: { 200: ban, ...refusals('VALIDATION_FAILED', 'BAN_NOT_FOUND') },
    },
    onSend: tagAnswer,
    handler: async ({ params }, reply) =>
      sendTagged(reply, await players.readBan(params.playerGuid, params.banGuid)),
  });

  app.delete('/players/:playerGuid/bans/:banGuid', {
    schema: {
      tags: ['Staff'],
      operationId: 'liftBan',
      summary: 'Lift a ban',
      description: 'It stays in the list as lifted. Lifting it again changes nothing.',
      params: banParams,
      headers: writeHeaders,
      response: { 204: lifted, ...refusals('VALIDATION_FAILED', 'BAN_NOT_FOUND', 'STALE') },
    },
    handler: (request) =>
      players.lift(writeRequestOf(request), request.params.playerGuid, request.params.banGuid),
  });
};
