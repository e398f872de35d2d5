import { h } from 'preact';
import { useState } from 'preact/hooks';
import {
  confirmationOf,
  ErasureWords,
  erasing,
  isConfirmed,
  isErasedNow,
  leaveErased,
} from '../parts/erasing.ts';
import type { NamedPlayer } from '../parts/name.ts';
import { pressable } from '../parts/press.ts';
import { saveFile } from '../parts/save.ts';
import { strings } from '../strings.ts';

const texts = strings.me;

/** Why something was refused, in the words of the service. */
async function refusalOf(answer: Response, otherwise: string): Promise<string> {
  const body = (await answer.json().catch(() => null)) as { error?: { message?: string } } | null;
  return body?.error?.message ?? otherwise;
}

/** Whether a visitor is erased, although the answer does not say so: it may be lost, and the login ended with the erasure. */
const wasErased = (me: NamedPlayer): Promise<boolean> =>
  fetch(`players/${me.playerGuid}`, { headers: { accept: 'application/json' }, cache: 'no-cache' })
    .then((answer) => answer.json())
    .then((now: Partial<NamedPlayer>) => isErasedNow(now, me))
    .catch(() => false);

const Problem = ({ text }: { text: string }) => h('p', { class: 'warning', role: 'alert' }, text);

function Export({ playerGuid }: Pick<NamedPlayer, 'playerGuid'>) {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const save = async (): Promise<void> => {
    setBusy(true);
    try {
      const answer = await fetch(`players/${playerGuid}/export`, { headers: { accept: 'application/json' } });
      setProblem(answer.ok ? null : await refusalOf(answer, texts.exportFailed));
      if (answer.ok) saveFile(await answer.blob(), `player-${playerGuid}.json`);
    } catch {
      setProblem(texts.exportFailed);
    }
    setBusy(false);
  };
  return [
    h('p', null, erasing.exportText),
    h('p', null, h('button', { type: 'button', ...pressable(!isBusy, () => void save()) }, erasing.export)),
    problem !== null && h(Problem, { text: problem }),
  ];
}

/** Says what an erasure does, and asks for the name or id. */
function Erasure({ me, onClose }: { me: NamedPlayer; onClose(): void }) {
  const [typed, setTyped] = useState('');
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const send = async (event: Event): Promise<void> => {
    event.preventDefault();
    setSending(true);
    const answer = await fetch(`players/${me.playerGuid}/erase`, {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify({ confirm: me.playerGuid }),
    }).catch(() => null);
    if (answer?.ok || (await wasErased(me))) leaveErased();
    else setProblem(answer === null ? texts.eraseUnanswered : await refusalOf(answer, texts.eraseUnanswered));
    setSending(false);
  };
  return h(
    'form',
    { id: 'erase', class: 'stacked', onSubmit: (event: Event) => void send(event) },
    h(ErasureWords, null),
    h(
      'label',
      null,
      confirmationOf(me),
      ' ',
      h('input', {
        name: 'confirm',
        required: true,
        autocomplete: 'off',
        value: typed,
        onInput: (event: Event) => setTyped((event.currentTarget as HTMLInputElement).value),
      }),
    ),
    problem !== null && h(Problem, { text: problem }),
    h(
      'p',
      { class: 'actions' },
      h('button', { type: 'submit', ...pressable(!isSending && isConfirmed(typed, me)) }, erasing.now),
      ' ',
      h('button', { type: 'button', onClick: onClose }, erasing.keep),
    ),
  );
}

/** The export of the visitor's data, and their erasure. */
export function PersonalData({ me }: { me: NamedPlayer }) {
  const [isAsking, setAsking] = useState(false);
  return h(
    'section',
    null,
    h('h2', null, erasing.title),
    h(Export, me),
    isAsking
      ? h(Erasure, { me, onClose: () => setAsking(false) })
      : h('button', { type: 'button', id: 'erase-me', onClick: () => setAsking(true) }, erasing.erase),
  );
}
