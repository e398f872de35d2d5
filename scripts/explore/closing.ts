import { Found, type Search } from './search.ts';

/** Checks that need every state: each state comes to its end. */

/**
 * @param mostMs how long a match may take at most when it is left alone
 * @returns how long a match takes at most when nobody does anything, milliseconds
 * @throws Found with a state whose limits do not lead to an end in time
 */
export function checkClosed(search: Search, mostMs: number): number {
  const { size, limits, limitMs } = search;
  const took = new Int32Array(size).fill(-1);
  let longestMs = 0;
  const fail = (id: number, problem: string): never => {
    throw new Found({ invariant: 'every match ends', problem, way: search.wayTo(id) });
  };
  for (let id = 0; id < size; id++) {
    const chain: number[] = [];
    let at = id;
    while (took[at] === -1 && limits.at(at) >= 0) {
      took[at] = -2;
      chain.push(at);
      at = limits.at(at);
    }
    if (took[at] === -2) fail(id, 'its limits lead in a circle');
    let ms = Math.max(0, took[at] as number);
    took[at] = ms;
    for (const one of chain.reverse()) {
      ms += limitMs.at(one);
      took[one] = ms;
    }
    longestMs = Math.max(longestMs, ms);
    if (ms > mostMs) fail(id, `left alone it takes ${ms} ms`);
  }
  const circle = circleThroughTime(search);
  if (circle >= 0) fail(circle, 'time passes, and the match is where it was');
  return longestMs;
}

/**
 * Looks for a state from which time passes on a way back to it, with Tarjan's strongly connected components.
 * @returns such a state; −1: there is none
 */
function circleThroughTime({ size, starts, edges }: Search): number {
  const order = new Int32Array(size).fill(-1);
  const low = new Int32Array(size);
  const component = new Int32Array(size).fill(-1);
  const stack = new Int32Array(size);
  const path = new Int32Array(size);
  const edge = new Int32Array(size);
  let [visited, components, height] = [0, 0, 0];
  const end = (id: number): number => (id + 1 < size ? starts.at(id + 1) : edges.length);
  for (let root = 0; root < size; root++) {
    if (order[root] !== -1) continue;
    let depth = 0;
    const enter = (id: number): void => {
      order[id] = visited;
      low[id] = visited++;
      edge[id] = starts.at(id);
      stack[height++] = id;
      path[depth++] = id;
    };
    enter(root);
    while (depth > 0) {
      const id = path[depth - 1] as number;
      const next = edge[id] as number;
      if (next < end(id)) {
        edge[id] = next + 1;
        const target = edges.at(next) >> 1;
        if (order[target] === -1) enter(target);
        else if (component[target] === -1) low[id] = Math.min(low[id] as number, order[target] as number);
        continue;
      }
      depth -= 1;
      if (depth > 0) {
        const above = path[depth - 1] as number;
        low[above] = Math.min(low[above] as number, low[id] as number);
      }
      if (low[id] !== order[id]) continue;
      for (let member = -1; member !== id; ) {
        member = stack[--height] as number;
        component[member] = components;
      }
      components += 1;
    }
  }
  for (let id = 0; id < size; id++)
    for (let at = starts.at(id); at < end(id); at++)
      if (edges.at(at) % 2 === 1 && component[edges.at(at) >> 1] === component[id]) return id;
  return -1;
}
