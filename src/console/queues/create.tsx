import { useLocation } from 'preact-iso';
import { pressable } from '../../pages/parts/press.ts';
import { api, ask } from '../api.ts';
import { useKept } from '../parts/kept.ts';
import { addressOf } from '../parts/link.tsx';
import { notify } from '../parts/notices.tsx';
import { asStored, useOnce } from '../parts/once.ts';
import { ProblemNote } from '../parts/problem.tsx';
import { Select } from '../parts/select.tsx';
import { useSending } from '../parts/sending.ts';
import { TextField } from '../parts/text-field.tsx';
import { PATHS } from '../paths.ts';
import { strings } from './strings.ts';
import { poolOption, usePools, useSeasonNames } from './things.ts';

const texts = strings.create;

const UNTOUCHED = { name: '', poolGuid: '' };

/** Makes a closed queue on a published pool and goes to it. */
export function NewQueue() {
  const pools = usePools('published');
  const seasons = useSeasonNames();
  const { route } = useLocation();
  const [draft, setDraft] = useKept('new-queue', UNTOUCHED);
  const { name, poolGuid } = draft;
  const once = useOnce<string>('queues');
  const { isSending, problem, submit } = useSending(async () => {
    const answer = await once({
      sent: asStored(name),
      send: () => ask(api.POST('/queues', { body: { name: name.trim(), poolGuid } })),
      newest: () => ask(api.GET('/queues', { params: { query: { poolGuid, status: 'closed', limit: 1 } } })),
      isIt: (queue, lost) => queue.name === asStored(name) && lost.includes(queue.name),
    });
    if (answer.problem !== null) return answer.problem;
    setDraft(UNTOUCHED);
    notify(texts.done);
    route(addressOf(PATHS.queue, { queueGuid: answer.data.queueGuid }));
    return null;
  });
  return (
    <section>
      <h2>{texts.title}</h2>
      <form class="stacked" data-form="queue" onSubmit={submit}>
        <TextField
          label={texts.name}
          name="name"
          required
          value={name}
          set={(typed) => setDraft({ ...draft, name: typed })}
        />
        <label>
          {texts.pool}
          <Select
            name="poolGuid"
            required
            value={poolGuid}
            set={(chosen) => setDraft({ ...draft, poolGuid: chosen })}
            options={[
              { value: '', text: texts.choose },
              ...(pools.data?.items ?? []).map((pool) => poolOption(pool, seasons.nameOf)),
            ]}
          />
          <span class="quiet">{pools.data?.items.length === 0 ? texts.noPools : texts.poolHint}</span>
        </label>
        <ProblemNote problem={pools.problem} onRetry={pools.reload} />
        <ProblemNote problem={seasons.problem} onRetry={seasons.reload} />
        <ProblemNote problem={problem} />
        <button type="submit" {...pressable(!isSending)}>
          {texts.action}
        </button>
      </form>
    </section>
  );
}
