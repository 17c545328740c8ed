const hashText = (text: string): number => {
  let state = 2_166_136_261
  for (let at = 0; at < text.length; at++) state = Math.imul(state ^ text.charCodeAt(at), 16_777_619) >>> 0
  return state
}

const mix = (seed: number, name: number, count: number): number => {
  let state = (seed ^ Math.imul(name, 0x9e3779b1) ^ Math.imul(count + 1, 0x85ebca6b)) >>> 0
  state = Math.imul(state ^ (state >>> 16), 0x7feb352d) >>> 0
  state = Math.imul(state ^ (state >>> 15), 0x846ca68b) >>> 0
  return ((state ^ (state >>> 16)) >>> 0) / 4_294_967_296
}

/**
 * The choices of one world. Each kind of choice has a sequence of its own, so that leaving out one fault does not
 * change what is chosen elsewhere.
 */
export class Dice {
  /** The faults that happened, in their order. */
  readonly faults: string[] = []
  private readonly seed: number
  private readonly counts = new Map<string, { hash: number; count: number }>()
  /** Whether faults still happen. In the end they do not, so that the world can come to rest. */
  isCalm = false

  /** @param leftOut - Faults that must not happen, as {@link Dice.faults} names them. */
  private readonly leftOut: ReadonlySet<string>

  constructor(seed: string, leftOut: ReadonlySet<string> = new Set()) {
    this.leftOut = leftOut
    this.seed = hashText(seed)
  }

  private draw(name: string): { value: number; count: number } {
    const known = this.counts.get(name) ?? { hash: hashText(name), count: 0 }
    this.counts.set(name, known)
    const { hash, count } = known
    known.count += 1
    return { value: mix(this.seed, hash, count), count }
  }

  /** Whether a fault happens now. */
  fault(name: string, probability: number): boolean {
    const { value, count } = this.draw(name)
    if (this.isCalm || value >= probability) return false
    const id = `${name}#${count}`
    if (this.leftOut.has(id)) return false
    this.faults.push(id)
    return true
  }

  /** Returns a whole number, both ends included. */
  between(name: string, least: number, most: number): number {
    return least + Math.floor(this.draw(name).value * (most - least + 1))
  }

  pick<Item>(name: string, items: readonly Item[]): Item {
    const item = items[this.between(name, 0, items.length - 1)]
    if (item === undefined) throw new Error(`${name} picks from nothing`)
    return item
  }
}
