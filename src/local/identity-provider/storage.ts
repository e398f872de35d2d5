import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider';

/**
 * The state of the provider (codes, refresh tokens, logins under way) in memory. It outlives a provider: a new signing
 * key means a new provider, and logins stay valid.
 */
export function createStorage(): AdapterFactory {
  const records = new Map<string, AdapterPayload>();

  return (model): Adapter => ({
    upsert: async (id, payload) => void records.set(`${model}:${id}`, payload),
    find: async (id) => records.get(`${model}:${id}`),
    findByUid: async (uid) =>
      [...records].find(([id, payload]) => id.startsWith(`${model}:`) && payload.uid === uid)?.[1],
    // For the device flow, which is not used.
    findByUserCode: async () => undefined,
    consume: async (id) => {
      const payload = records.get(`${model}:${id}`);
      if (payload !== undefined) payload.consumed = Math.floor(Date.now() / 1000);
    },
    destroy: async (id) => void records.delete(`${model}:${id}`),
    revokeByGrantId: async (grantId) => {
      for (const [id, payload] of records) if (payload.grantId === grantId) records.delete(id);
    },
  });
}
