import { afterEach } from 'vitest';
import { requireFit, watchFetch } from './references.ts';

/** Every answer and message that a test gets is held to the references. */
watchFetch();
afterEach(requireFit);
