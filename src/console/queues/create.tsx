import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { api, ask, type Problem } from '../api.ts';
import { addressOf } from '../parts/link.tsx';
import { notify } from '../parts/notices.tsx';
import { ProblemNote } from '../parts/problem.tsx';
import { PATHS } from '../paths.ts';
import { strings } from './strings.ts';
import { poolLabel, usePools, useSeasonNames } from './things.ts';

const texts = strings.create;

/** Makes a closed queue on a published pool and goes to it. */
export function NewQueue() {
  const pools = usePools('published');
  const seasonName = useSeasonNames();
  const { route } = useLocation();
  const [name, setName] = useState('');
  const [poolGuid, setPool] = useState('');
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isSending, setSending] = useState(false);
  const create = async (event: Event): Promise<void> => {
    event.preventDefault();
    setSending(true);
    const answer = await ask(api.POST('/queues', { body: { name: name.trim(), poolGuid } }));
    setSending(false);
    setProblem(answer.problem);
    if (answer.data === null) return;
    notify(texts.done);
    route(addressOf(PATHS.queue, { queueGuid: answer.data.queueGuid }));
  };
  return (
    <section>
      <h2>{texts.title}</h2>
      <form class="stacked" data-form="queue" onSubmit={(event) => void create(event)}>
        <label>
          {texts.name}
          <input
            name="name"
            required
            autocomplete="off"
            value={name}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        </label>
        <label>
          {texts.pool}
          <select
            name="poolGuid"
            required
            value={poolGuid}
            onChange={({ currentTarget }) => setPool(currentTarget.value)}
          >
            <option value="">{texts.choose}</option>
            {pools.data?.items.map((pool) => (
              <option key={pool.poolGuid} value={pool.poolGuid}>
                {poolLabel(pool, seasonName)}
              </option>
            ))}
          </select>
          <span class="quiet">{pools.data?.items.length === 0 ? texts.noPools : texts.poolHint}</span>
        </label>
        <ProblemNote problem={problem ?? pools.problem} />
        <button type="submit" disabled={isSending}>
          {texts.action}
        </button>
      </form>
    </section>
  );
}
