import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { api, ask } from '../api.ts';
import { Ask } from '../parts/dialog.tsx';
import { addressOf } from '../parts/link.tsx';
import { notify } from '../parts/notices.tsx';
import { PATHS } from '../paths.ts';
import { type Operation, useMe } from '../session.ts';
import { useSeasons } from './choices.ts';
import { NameField, SeasonField } from './fields.tsx';
import { Meanwhile } from './meanwhile.tsx';
import { QueuesOn } from './queues.tsx';
import { LastReview } from './reviews.tsx';
import { strings } from './strings.ts';
import type { Pool, PoolDesk } from './use-pool.ts';

const texts = strings.actions;

interface ActionProps {
  desk: PoolDesk;
  pool: Pool;
  onClose(): void;
}

function Rename({ desk, pool: { whole }, onClose }: ActionProps) {
  const [name, setName] = useState(whole.name);
  const path = { poolGuid: whole.poolGuid };
  const send = () =>
    desk.write(
      (header) => ask(api.PATCH('/pools/{poolGuid}', { params: { path, header }, body: { name } })),
      () => notify(texts.rename.done),
    );
  return (
    <Ask title={texts.rename.title(whole.name)} action={texts.rename.action} send={send} onClose={onClose}>
      <Meanwhile desk={desk} />
      <NameField value={name} set={setName} />
      <p class="quiet">{texts.rename.what}</p>
    </Ask>
  );
}

function Remove({ desk, pool: { whole }, onClose }: ActionProps) {
  const { route } = useLocation();
  const path = { poolGuid: whole.poolGuid };
  const send = async () => {
    const { before } = desk;
    return desk.write(
      (header) => ask(api.DELETE('/pools/{poolGuid}', { params: { path, header } })),
      () => {
        notify(texts.remove.done);
        route(addressOf(PATHS.pools, {}), before === null);
      },
    );
  };
  return (
    <Ask title={texts.remove.title(whole.name)} action={texts.remove.action} send={send} onClose={onClose}>
      <Meanwhile desk={desk} />
      <p>{texts.remove.what(whole.maps.length)}</p>
    </Ask>
  );
}

function Submit({ desk, pool: { whole }, onClose }: ActionProps) {
  const path = { poolGuid: whole.poolGuid };
  const send = () =>
    desk.write(
      (header) => ask(api.POST('/pools/{poolGuid}/submit', { params: { path, header } })),
      () => notify(texts.submit.done),
    );
  return (
    <Ask title={texts.submit.title(whole.name)} action={texts.submit.action} send={send} onClose={onClose}>
      <Meanwhile desk={desk} />
      <p>{texts.submit.what(whole.maps.length)}</p>
    </Ask>
  );
}

function Publish({ desk, pool: { whole }, onClose }: ActionProps) {
  const path = { poolGuid: whole.poolGuid };
  const send = () =>
    desk.write(
      (header) => ask(api.POST('/pools/{poolGuid}/publish', { params: { path, header } })),
      () => notify(texts.publish.done),
    );
  return (
    <Ask title={texts.publish.title(whole.name)} action={texts.publish.action} send={send} onClose={onClose}>
      <Meanwhile desk={desk} />
      <p>{texts.publish.what(whole.maps.length)}</p>
      <LastReview of={desk.reviews} revision={whole.revision} />
    </Ask>
  );
}

function Retire({ desk, pool: { whole }, onClose }: ActionProps) {
  const path = { poolGuid: whole.poolGuid };
  const send = () =>
    desk.write(
      (header) => ask(api.POST('/pools/{poolGuid}/retire', { params: { path, header } })),
      () => notify(texts.retire.done),
    );
  return (
    <Ask title={texts.retire.title(whole.name)} action={texts.retire.action} send={send} onClose={onClose}>
      <Meanwhile desk={desk} />
      <p>{texts.retire.what}</p>
      <QueuesOn poolGuid={whole.poolGuid} nothing={texts.retire.noQueues} />
    </Ask>
  );
}

function Copy({ desk, pool: { whole }, onClose }: ActionProps) {
  const { route } = useLocation();
  const seasons = useSeasons().data ?? [whole.season];
  const [name, setName] = useState(whole.name);
  const [seasonGuid, setSeason] = useState(whole.season.seasonGuid);
  const path = { poolGuid: whole.poolGuid };
  const send = () =>
    desk.write(
      (header) =>
        ask(api.POST('/pools/{poolGuid}/copy', { params: { path, header }, body: { name, seasonGuid } })),
      ({ poolGuid }) => {
        notify(texts.copy.done);
        route(addressOf(PATHS.pool, { poolGuid }));
      },
    );
  return (
    <Ask title={texts.copy.title(whole.name)} action={texts.copy.action} send={send} onClose={onClose}>
      <Meanwhile desk={desk} />
      <p>{texts.copy.what(whole.maps.length)}</p>
      <NameField value={name} set={setName} />
      <SeasonField value={seasonGuid} set={setSeason} seasons={seasons} />
    </Ask>
  );
}

type Action = 'rename' | 'submit' | 'publish' | 'retire' | 'copy' | 'remove';

/** Each action with the operation it needs and the statuses it begins in. Without statuses: in every one. */
const ACTIONS: readonly {
  action: Action;
  needs: Operation;
  from?: readonly string[];
  view: (props: ActionProps) => ReturnType<typeof Rename>;
}[] = [
  { action: 'submit', needs: 'POST /pools/{poolGuid}/submit', from: ['draft'], view: Submit },
  { action: 'publish', needs: 'POST /pools/{poolGuid}/publish', from: ['in_review'], view: Publish },
  { action: 'copy', needs: 'POST /pools/{poolGuid}/copy', view: Copy },
  { action: 'rename', needs: 'PATCH /pools/{poolGuid}', from: ['draft'], view: Rename },
  { action: 'retire', needs: 'POST /pools/{poolGuid}/retire', from: ['published'], view: Retire },
  { action: 'remove', needs: 'DELETE /pools/{poolGuid}', from: ['draft'], view: Remove },
];

/** The actions that this role has in this status of the pool. */
export function Actions({ desk, pool }: { desk: PoolDesk; pool: Pool }) {
  const { may } = useMe();
  const [open, setOpen] = useState<Action | null>(null);
  const offered = ACTIONS.filter(
    ({ needs, from }) => may(needs) && (from === undefined || from.includes(pool.whole.status)),
  );
  // An open dialog stays when the status changes meanwhile: what was typed in it is still there.
  const View = ACTIONS.find(({ action }) => action === open)?.view;
  return (
    <p class="actions" data-actions>
      {offered.map(({ action }) => (
        <button
          key={action}
          type="button"
          class={['remove', 'retire'].includes(action) ? 'destructive' : undefined}
          data-action={action}
          onClick={() => setOpen(action)}
        >
          {texts[action].action}
        </button>
      ))}
      {View && <View desk={desk} pool={pool} onClose={() => setOpen(null)} />}
    </p>
  );
}
