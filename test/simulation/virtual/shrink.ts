import { seedOf } from './runWorlds.js'
import { World } from './world.js'

/** A world in which something happened that never may: why, after which faults, and all events. */
export type Replay = { violation: string; faults: readonly string[]; trace: readonly string[] }

const maxRuns = 400

/** Two violations are alike if only ids and amounts differ. */
const kindOf = (violation: string): string => violation.replace(/\S*\d\S*/g, '').slice(0, 60)

/** Runs a world without some of its faults. Returns `undefined` if nothing wrong happens in it. */
const replayWorld = async (
  seed: string,
  leftOut: ReadonlySet<string> = new Set(),
): Promise<Replay | undefined> => {
  const world = new World({ seed, leftOut, isTracing: true })
  await world.run()
  const { violation } = world.invariants
  return violation === undefined
    ? undefined
    : { violation, faults: world.dice.faults, trace: world.trace ?? [] }
}

/**
 * Finds few faults that lead to a violation: leaves out half of them, a quarter and so on, down to single ones, for as
 * long as the same violation happens without them.
 */
export const shrinkWorld = async (runSeed: string, number: number): Promise<Replay | undefined> => {
  const seed = seedOf(runSeed, number)
  let found = await replayWorld(seed)
  if (!found) return undefined
  const kind = kindOf(found.violation)
  const leftOut = new Set<string>()
  let runs = 0
  for (
    let size = Math.ceil(found.faults.length / 2);
    size >= 1 && runs < maxRuns;
    size = size > 1 ? Math.ceil(size / 2) : 0
  ) {
    for (let at = 0; at < found.faults.length && runs < maxRuns; ) {
      const without: Set<string> = new Set([...leftOut, ...found.faults.slice(at, at + size)])
      const smaller = await replayWorld(seed, without)
      runs += 1
      if (smaller && kindOf(smaller.violation) === kind) {
        found = smaller
        for (const fault of without) leftOut.add(fault)
      } else at += size
    }
  }
  return found
}
