import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { scanRange } from '../../src/payments/scanRange.js'

const limits = { reorgDepth: 12n, maxBlocks: 100n }

describe('scanRange', () => {
  test('default: a little before the cursor, to the head', () => {
    expect(scanRange(100n, 105n, limits)).toEqual({ fromBlock: 88n, toBlock: 105n, isReset: false })
  })

  test('parameters: young chain, head gone back a little, chain started anew', () => {
    expect(scanRange(3n, 5n, limits)).toEqual({ fromBlock: 0n, toBlock: 5n, isReset: false })
    expect(scanRange(100n, 98n, limits)).toEqual({ fromBlock: 86n, toBlock: 98n, isReset: false })
    expect(scanRange(100n, 20n, limits)).toEqual({ fromBlock: 0n, toBlock: 20n, isReset: true })
  })

  test('behavior: reaches the head from anywhere without leaving a block out', () => {
    const block = fc.bigInt({ min: 0n, max: 2000n })
    fc.assert(
      fc.property(
        block,
        block,
        fc.bigInt({ min: 1n, max: 50n }),
        fc.bigInt({ min: 1n, max: 60n }),
        (start, more, reorgDepth, maxBlocks) => {
          const head = start + more
          let cursor = start
          while (cursor < head) {
            const { fromBlock, toBlock } = scanRange(cursor, head, { reorgDepth, maxBlocks })
            expect(fromBlock <= cursor + 1n).toBe(true)
            expect(toBlock > cursor).toBe(true)
            cursor = toBlock
          }
          expect(cursor).toBe(head)
        },
      ),
    )
  })
})
