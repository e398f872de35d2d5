import { Heading } from '../parts/heading.tsx';
import { useMe } from '../session.ts';
import { strings } from '../strings.ts';

/** What waits for somebody. */
export function Overview() {
  const { roles } = useMe();
  return (
    <>
      <Heading title={strings.sections.overview} />
      <p class="quiet">{roles.join(', ')}</p>
    </>
  );
}
