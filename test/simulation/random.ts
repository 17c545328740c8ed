/** A source of choices that makes the same ones for the same seed. */
export type Random = {
  /** A number from 0 up to, and without, 1. */
  next(): number
  chance(probability: number): boolean
  /** A whole number, both ends included. */
  between(least: number, most: number): number
  /** One of the keys, as often as its weight says. */
  choose<Choice extends string>(weights: Readonly<Record<Choice, number>>): Choice
  /** One of a list; undefined of an empty one. */
  pick<Item>(items: readonly Item[]): Item | undefined
  /** Another source for one purpose, so that choices made there do not shift those made here. */
  fork(purpose: string): Random
}

// FNV-1a: spreads neighbouring seeds and purposes far apart.
const hash = (text: string): number =>
  Array.from(text).reduce(
    (state, letter) => Math.imul(state ^ letter.charCodeAt(0), 16_777_619) >>> 0,
    2_166_136_261,
  )

/** Makes a source of choices (Mulberry32). */
export const createRandom = (seed: string): Random => {
  let state = hash(seed)
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const between = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1))
  return {
    next,
    between,
    chance: (probability) => next() < probability,
    choose: <Choice extends string>(weights: Readonly<Record<Choice, number>>): Choice => {
      const choices = Object.entries(weights) as [Choice, number][]
      let left = next() * choices.reduce((sum, [, weight]) => sum + weight, 0)
      const chosen = choices.find(([, weight]) => {
        left -= weight
        return left < 0
      })
      if (!chosen) throw new Error('nothing to choose from')
      return chosen[0]
    },
    pick: (items) => items[between(0, items.length - 1)],
    fork: (purpose) => createRandom(`${seed}/${purpose}`),
  }
}
