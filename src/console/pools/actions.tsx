import type { ComponentChildren, ComponentType } from 'preact';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { type Answer, api, ask, type Shapes } from '../api.ts';
import { Ask } from '../parts/dialog.tsx';
import { addressOf } from '../parts/link.tsx';
import { notify } from '../parts/notices.tsx';
import { useOnce } from '../parts/once.ts';
import { deleteThing, has, useOutcome } from '../parts/outcome.ts';
import { PATHS } from '../paths.ts';
import { type Operation, useMe } from '../session.ts';
import { useSeasons } from './choices.ts';
import { NameField, SeasonField } from './fields.tsx';
import { freshDraft } from './fresh.ts';
import { Meanwhile } from './meanwhile.tsx';
import { QueuesOn } from './queues.tsx';
import { LastReview } from './reviews.tsx';
import { strings } from './strings.ts';
import { countRows, NO_EDITS } from './table/edits.ts';
import { shownTables } from './table/store.ts';
import type { Pool, PoolDesk, WriteParams } from './use-pool.ts';

const texts = strings.actions;

interface ActionProps {
  desk: PoolDesk;
  pool: Pool;
  onClose(): void;
}

type Action = 'rename' | 'submit' | 'publish' | 'retire' | 'copy' | 'remove';

interface ActionDialogProps<Data> extends ActionProps {
  action: Action;
  request(params: WriteParams): Promise<Answer<Data>>;
  /** Called after the notice that it is done. */
  onDone?(data: Data): void;
  /** What will happen. */
  children: ComponentChildren;
}

function ActionDialog<Data>(props: ActionDialogProps<Data>) {
  const { action, request, onDone, desk, pool, onClose, children } = props;
  const { title, action: verb, done } = texts[action];
  const send = () =>
    desk.write(request, (data) => {
      notify(done);
      onDone?.(data);
    });
  return (
    <Ask title={title(pool.whole.name)} action={verb} send={send} onClose={onClose}>
      <Meanwhile desk={desk} />
      {children}
    </Ask>
  );
}

interface ChangeDialogProps extends ActionDialogProps<Shapes['Pool']> {
  /** What the pool has when the action is carried out. It is looked for when the answer was lost. */
  change: Partial<Shapes['Pool']>;
}

/** The dialog of an action whose outcome can be read from the pool. */
function ChangeDialog({ request, change, ...props }: ChangeDialogProps) {
  const outcome = useOutcome();
  return (
    <ActionDialog
      {...props}
      request={(params) =>
        outcome({
          send: () => request(params),
          now: () => ask(api.GET('/pools/{poolGuid}', { params: { path: params.path } })),
          isDone: (pool) => has(pool, change),
        })
      }
    />
  );
}

function Rename(props: ActionProps) {
  const [name, setName] = useState(props.pool.whole.name);
  return (
    <ChangeDialog
      {...props}
      action="rename"
      request={(params) => ask(api.PATCH('/pools/{poolGuid}', { params, body: { name } }))}
      change={{ name }}
    >
      <NameField value={name} set={setName} />
      <p class="quiet">{texts.rename.what}</p>
    </ChangeDialog>
  );
}

function Remove(props: ActionProps) {
  const { route } = useLocation();
  return (
    <ActionDialog
      {...props}
      action="remove"
      request={({ path, header }) =>
        deleteThing({
          send: () => ask(api.DELETE('/pools/{poolGuid}', { params: { path, header } })),
          now: () => ask(api.GET('/pools/{poolGuid}', { params: { path } })),
          notFound: 'POOL_NOT_FOUND',
        })
      }
      onDone={() => route(addressOf(PATHS.pools, {}), props.desk.before === null)}
    >
      <p>{texts.remove.what(props.pool.whole.maps.length)}</p>
    </ActionDialog>
  );
}

function Submit(props: ActionProps) {
  const { poolGuid, maps } = props.pool.whole;
  const unsaved = countRows(shownTables.get(poolGuid)?.get().edits ?? NO_EDITS);
  return (
    <ChangeDialog
      {...props}
      action="submit"
      request={(params) => ask(api.POST('/pools/{poolGuid}/submit', { params }))}
      change={{ status: 'in_review' }}
    >
      {unsaved > 0 && <p class="warning">{texts.submit.unsaved(unsaved)}</p>}
      <p>{texts.submit.what(maps.length)}</p>
    </ChangeDialog>
  );
}

const Publish = (props: ActionProps) => (
  <ChangeDialog
    {...props}
    action="publish"
    request={(params) => ask(api.POST('/pools/{poolGuid}/publish', { params }))}
    change={{ status: 'published' }}
  >
    <p>{texts.publish.what(props.pool.whole.maps.length)}</p>
    <LastReview of={props.desk.reviews} revision={props.pool.whole.revision} />
  </ChangeDialog>
);

const Retire = (props: ActionProps) => (
  <ChangeDialog
    {...props}
    action="retire"
    request={(params) => ask(api.POST('/pools/{poolGuid}/retire', { params }))}
    change={{ status: 'retired' }}
  >
    <p>{texts.retire.what}</p>
    <QueuesOn poolGuid={props.pool.whole.poolGuid} nothing={texts.retire.noQueues} />
  </ChangeDialog>
);

function Copy(props: ActionProps) {
  const { name: oldName, season, maps } = props.pool.whole;
  const { route } = useLocation();
  const seasons = useSeasons();
  const [name, setName] = useState(oldName);
  const [seasonGuid, setSeason] = useState(season.seasonGuid);
  const once = useOnce<string>(`pool-copies/${props.pool.whole.poolGuid}`);
  return (
    <ActionDialog
      {...props}
      action="copy"
      request={(params) =>
        once({
          ...freshDraft({ name, seasonGuid, mapCount: maps.length }),
          send: () => ask(api.POST('/pools/{poolGuid}/copy', { params, body: { name, seasonGuid } })),
        })
      }
      onDone={({ poolGuid }) => route(addressOf(PATHS.pool, { poolGuid }))}
    >
      <p>{texts.copy.what(maps.length)}</p>
      <NameField value={name} set={setName} />
      <SeasonField value={seasonGuid} set={setSeason} seasons={seasons} own={[season]} />
    </ActionDialog>
  );
}

/** Each action with the operation it needs and the statuses it begins in. Without statuses: in every one. */
const ACTIONS: readonly {
  action: Action;
  needs: Operation;
  from?: readonly string[];
  view: ComponentType<ActionProps>;
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
