import { outcomesOf } from './endOfWorld.js'
import { World } from './world.js'

/** What happened in some worlds: how often each fault, and how many orders and payments came to which end. */
export type Tally = Record<string, number>

/** The worlds to run: every `step`th from `first` on, up to `last`. */
export type Range = { seed: string; first: number; step: number; last: number }

/** How many worlds run side by side. They share the turns of the event loop, which cost as much as the work in them. */
const sideBySide = 16

/** Returns the seed of one world. */
export const seedOf = (seed: string, world: number): string => `${seed}/${world}`

const add = (tally: Tally, names: readonly string[]): void => {
  for (const name of names) tally[name] = (tally[name] ?? 0) + 1
}

/**
 * Runs worlds, in about their order.
 *
 * @param onWorld - Called after each. It returns whether to go on with the worlds after it.
 */
export const runWorlds = async (
  { seed, first, step, last }: Range,
  onWorld: (number: number, world: World) => boolean,
): Promise<Tally> => {
  const tally: Tally = {}
  let next = first
  let isOver = false
  const runInTurn = async (): Promise<void> => {
    while (next <= last && !isOver) {
      const number = next
      next += step
      const world = new World({ seed: seedOf(seed, number) })
      await world.run()
      add(
        tally,
        world.dice.faults.map((fault) => fault.slice(0, fault.indexOf('#'))),
      )
      add(tally, outcomesOf(world))
      if (!onWorld(number, world)) isOver = true
    }
  }
  await Promise.all(Array.from({ length: sideBySide }, runInTurn))
  return tally
}
