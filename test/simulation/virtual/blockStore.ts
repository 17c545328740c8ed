import type { BlockRef, SeenPayment } from '../../../service/src/base/ports/chain.js'
import type { Included } from './transaction.js'

/** A block, and what undoes its effects on the contracts. */
export type Block = BlockRef & { included: Included[]; logs: SeenPayment[]; undo: (() => void)[] }

/** The pause between blocks. @units milliseconds */
export const blockMs = 5_000
/** How many blocks, with its own, make a transaction final. */
export const confirmations = 3

/** The blocks before the first one that the simulation makes. */
const firstNumber = 200
/** The blocks of a simulated chain, as a node shows them. */
export class BlockStore {
  protected readonly blocks: Block[] = []
  protected readonly included = new Map<string, Included>()
  private readonly startMs: number

  constructor(startMs: number) {
    this.startMs = startMs
  }

  get headNumber(): number {
    return firstNumber + this.blocks.length
  }

  /** Returns a block, or one of those from before the simulation. */
  getBlock(number: number): BlockRef | undefined {
    if (number < 0 || number > this.headNumber) return undefined
    const block = this.blocks[number - firstNumber - 1]
    if (block) return { number: block.number, hash: block.hash, timestampMs: block.timestampMs }
    return {
      number: BigInt(number),
      hash: `before-${number}`,
      timestampMs: this.startMs - (firstNumber - number) * blockMs,
    }
  }

  findIncluded(txId: string): Included | undefined {
    return this.included.get(txId)
  }

  isFinal({ blockNumber }: Included): boolean {
    return blockNumber <= this.headNumber - confirmations + 1
  }

  listPayments(from: number, to: number, targets: ReadonlySet<string>): SeenPayment[] {
    const first = Math.max(0, from - firstNumber - 1)
    return this.blocks
      .slice(first, Math.max(first, to - firstNumber))
      .flatMap(({ logs }) => logs.filter(({ target }) => targets.has(target)))
  }

  /** Returns every payment on the chain. */
  listAllPayments(): SeenPayment[] {
    return this.blocks.flatMap(({ logs }) => logs)
  }
}
