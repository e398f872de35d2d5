import { useState } from 'preact/hooks';
import {
  confirmationOf,
  ErasureWords,
  erasing,
  isConfirmed,
  isErasedNow,
  leaveErased,
} from '../../pages/parts/erasing.ts';
import type { NamedPlayer } from '../../pages/parts/name.ts';
import { pressable } from '../../pages/parts/press.ts';
import { saveFile } from '../../pages/parts/save.ts';
import { plain } from '../../pages/parts/text.ts';
import { api, ask, type Problem } from '../api.ts';
import { FormDialog } from '../parts/dialog.tsx';
import { forgetName } from '../parts/names.ts';
import { notify } from '../parts/notices.tsx';
import { useOutcome } from '../parts/outcome.ts';
import { ProblemNote } from '../parts/problem.tsx';
import { TextField } from '../parts/text-field.tsx';
import { strings } from './strings.ts';

const texts = strings.erase;

/** Counts that the dialog names. */
export interface Facts {
  logins: number;
  /** Null: they could not be read. */
  bans: number | null;
  penalties: number;
  ratedMatches: number;
}

function Export({ playerGuid }: { playerGuid: string }) {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const save = async (): Promise<void> => {
    setBusy(true);
    const answer = await ask<Blob>(
      api.GET('/players/{playerGuid}/export', {
        params: { path: { playerGuid } },
        parseAs: 'blob',
      }) as never,
    );
    setBusy(false);
    setProblem(answer.problem);
    if (answer.data !== null) saveFile(answer.data, `player-${playerGuid}.json`);
  };
  return (
    <>
      <p class="quiet">{erasing.exportText}</p>
      <p>
        <button type="button" {...pressable(!isBusy, () => void save())}>
          {erasing.export}
        </button>
      </p>
      <ProblemNote problem={problem} onRetry={() => void save()} />
    </>
  );
}

const FactList = ({ facts }: { facts: Facts }) => (
  <ul>
    <li>{texts.ratings(facts.ratedMatches)}</li>
    <li>{texts.logins(facts.logins)}</li>
    <li>{texts.bans(facts.bans)}</li>
    <li>{texts.penalties(facts.penalties)}</li>
  </ul>
);

interface EraseProps {
  person: NamedPlayer;
  facts: Facts;
  isSelf: boolean;
  onErased(): void;
}

function EraseDialog({ person, facts, isSelf, onErased, onClose }: EraseProps & { onClose(): void }) {
  const { playerGuid } = person;
  const [typed, setTyped] = useState('');
  const outcome = useOutcome();
  const send = async (): Promise<Problem | null> => {
    const params = { path: { playerGuid } };
    const { problem } = await outcome<Partial<NamedPlayer>>({
      send: () => ask(api.POST('/players/{playerGuid}/erase', { params, body: { confirm: playerGuid } })),
      // Everybody may read it, also a person whose login went with the erasure.
      now: () => ask(api.GET('/players/{playerGuid}', { params })),
      isDone: (now) => isErasedNow(now, person),
    });
    if (problem !== null) return problem;
    forgetName(playerGuid);
    if (isSelf) leaveErased();
    else onErased();
    return null;
  };
  return (
    <FormDialog
      title={texts.ask(plain(person.username, 40, strings.nameless))}
      action={erasing.now}
      isReady={isConfirmed(typed, person)}
      isDestructive
      send={send}
      onClose={onClose}
    >
      <div data-erase>
        <ErasureWords />
        <p>{texts.facts}</p>
        <FactList facts={facts} />
        {isSelf && <p>{texts.self}</p>}
      </div>
      <TextField label={confirmationOf(person)} name="confirm" required value={typed} set={setTyped} />
    </FormDialog>
  );
}

/** Export of a person, and erasure. */
export function PersonalData({ isErased, ...props }: EraseProps & { isErased: boolean }) {
  const [isAsking, setAsking] = useState(false);
  return (
    <section>
      <h2>{erasing.title}</h2>
      <Export playerGuid={props.person.playerGuid} />
      {!isErased && (
        <button type="button" class="destructive" onClick={() => setAsking(true)}>
          {erasing.erase}
        </button>
      )}
      {isAsking && (
        <EraseDialog
          {...props}
          onErased={() => {
            notify(texts.done);
            props.onErased();
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </section>
  );
}
