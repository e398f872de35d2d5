import { h } from 'preact';
import { clockTime } from '../parts/match-text.ts';
import { strings } from '../strings.ts';
import type { MatchModel } from './model.ts';

const texts = strings.match;

/** The slider moves the board; without script every version is a line to read. */
export function Story({ model: { story, shown, onSlide } }: { model: MatchModel }) {
  if (story === null)
    return h('section', null, h('h2', null, texts.story.title), h('p', null, texts.story.noStory));
  const last = story.length;
  const line = story.find(({ version }) => version === shown);
  return h(
    'section',
    { class: 'story' },
    h('h2', null, texts.story.title),
    shown !== null &&
      h(
        'div',
        { class: 'slider' },
        h('label', { for: 'version' }, texts.story.slider),
        h('input', {
          id: 'version',
          type: 'range',
          min: 1,
          max: last,
          step: 1,
          value: shown,
          'aria-valuetext': `${texts.story.position(shown, last)}. ${line?.text ?? ''}`,
          onInput: (event: Event) => onSlide?.(Number((event.currentTarget as HTMLInputElement).value)),
        }),
        h('p', { class: 'quiet' }, texts.story.position(shown, last)),
        h('p', { class: 'shown-line' }, line?.text),
      ),
    h(
      'ol',
      { class: 'lines', tabIndex: 0, 'aria-label': texts.story.title },
      story.map(({ version, afterMs, text }) =>
        h(
          'li',
          { key: version, 'aria-current': version === shown ? 'step' : undefined },
          h('span', { class: 'quiet' }, clockTime(afterMs)),
          ' ',
          text,
        ),
      ),
    ),
  );
}

/** Whether the log proves the match, claim by claim. */
export function Proof({ model: { match, proof, onProveAgain } }: { model: MatchModel }) {
  const { state, checks, isUnreachable } = proof;
  return h(
    'section',
    { class: 'proof' },
    h('h2', null, texts.proof.title),
    h(
      'p',
      { 'data-proof': state, role: 'status' },
      isUnreachable ? texts.proof.unreachable : texts.proof[state],
    ),
    h('noscript', null, h('p', null, texts.proof.noScript)),
    isUnreachable && h('button', { type: 'button', onClick: onProveAgain }, texts.proof.again),
    checks.length > 0 &&
      h(
        'ul',
        { class: 'checks' },
        checks.map(({ claim, problem }) =>
          h(
            'li',
            { key: claim, class: problem === null ? 'holds' : 'fails' },
            h('strong', null, problem === null ? texts.proof.holds : texts.proof.fails),
            `: ${claim}.`,
            problem !== null && h('span', { class: 'problem' }, ` ${problem}`),
          ),
        ),
      ),
    h('p', null, h('a', { href: `matches/${match.matchGuid}/log` }, texts.proof.log)),
  );
}
