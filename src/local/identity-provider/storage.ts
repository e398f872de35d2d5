import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider';

interface Stored {
  payload: AdapterPayload;
  /** Milliseconds since 1970; infinite for what does not expire. */
  expiresAt: number;
}

/**
 * The state of the provider (codes, refresh tokens, logins under way) in memory. It outlives a provider: a new signing
 * key means a new provider, and logins stay valid.
 */
export function createStorage(): AdapterFactory {
  const records = new Map<string, Stored>();

  const live = (id: string): AdapterPayload | undefined => {
    const stored = records.get(id);
    return stored !== undefined && stored.expiresAt > Date.now() ? stored.payload : undefined;
  };
  const removeExpired = () => {
    for (const [id, { expiresAt }] of records) if (expiresAt <= Date.now()) records.delete(id);
  };

  return (model): Adapter => ({
    upsert: async (id, payload, expiresIn) => {
      removeExpired();
      const expiresAt = expiresIn === undefined ? Number.POSITIVE_INFINITY : Date.now() + expiresIn * 1000;
      records.set(`${model}:${id}`, { payload, expiresAt });
    },
    find: async (id) => live(`${model}:${id}`),
    findByUid: async (uid) => {
      const [id] =
        [...records].find(([id, { payload }]) => id.startsWith(`${model}:`) && payload.uid === uid) ?? [];
      return id === undefined ? undefined : live(id);
    },
    // For the device flow, which is not used.
    findByUserCode: async () => undefined,
    consume: async (id) => {
      const payload = live(`${model}:${id}`);
      if (payload !== undefined) payload.consumed = Math.floor(Date.now() / 1000);
    },
    destroy: async (id) => {
      records.delete(`${model}:${id}`);
    },
    revokeByGrantId: async (grantId) => {
      for (const [id, { payload }] of records) if (payload.grantId === grantId) records.delete(id);
    },
  });
}
