import type { ComponentChildren } from 'preact';
import { pressable } from '../../pages/parts/press.ts';
import type { List, Read } from '../read.ts';
import { strings } from '../strings.ts';
import { useMore } from './more.ts';
import { ProblemNote } from './problem.tsx';

interface ReadingProps<Data> {
  of: Pick<Read<Data>, 'data' | 'problem' | 'isLoading' | 'reload'>;
  children(data: Data): ComponentChildren;
}

/** Shows data after reading them. Old data stay visible beside the problem of a new read. */
export function Reading<Data>({ of: { data, problem, isLoading, reload }, children }: ReadingProps<Data>) {
  return (
    <>
      <ProblemNote problem={problem} onRetry={reload} />
      {data === null && isLoading && <p role="status">{strings.loading}</p>}
      {data !== null && children(data)}
    </>
  );
}

interface ListingProps<Item> {
  of: List<Item>;
  /** Draws all items that were read. Not called when there is none. */
  children(items: readonly Item[]): ComponentChildren;
  /** The text for an empty list. */
  nothing?: string;
  /** Whether it answers what the person has just searched for. */
  isAnswer?: boolean;
}

/** Shows a list, and a button for its next page. */
export function Listing<Item>({
  of,
  children,
  nothing = strings.nothing,
  isAnswer = false,
}: ListingProps<Item>) {
  const more = useMore({ of, nothing, isAnswer });
  return (
    <Reading of={{ ...of, problem: of.hasMoreFailed ? null : of.problem }}>
      {(items) => (
        <>
          {items.length === 0 ? <p class="quiet">{nothing}</p> : children(items)}
          {of.hasMore && (
            <button type="button" class="plain" {...pressable(!of.isLoading, more)}>
              {strings.more}
            </button>
          )}
          {of.hasMoreFailed && <ProblemNote problem={of.problem} />}
        </>
      )}
    </Reading>
  );
}
