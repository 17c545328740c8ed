import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { scanRange } from '../../src/payments/scanRange.js'

const limits = { reorgDepth: 12n, maxBlocks: 100n, mayReset: true }

describe('scanRange', () => {
  test('default: a little before the cursor, to the head', () => {
    expect(scanRange(100n, 105n, limits)).toEqual({ fromBlock: 88n, toBlock: 105n, isReset: false })
  })

  test('parameters: young chain, head gone back a little, chain started anew', () => {
    expect(scanRange(3n, 5n, limits)).toEqual({ fromBlock: 0n, toBlock: 5n, isReset: false })
    const real = { ...limits, mayReset: false }
    expect(scanRange(100n, 98n, real)).toEqual({ fromBlock: 86n, toBlock: 98n, isReset: false })
    expect(scanRange(100n, 20n, limits)).toEqual({ fromBlock: 0n, toBlock: 20n, isReset: true })
  })

  test('behavior: a node that is far behind undoes nothing, unless blocks can really be lost', () => {
    const real = { ...limits, mayReset: false }
    expect(scanRange(20_000_000n, 19_999_980n, real)).toBeUndefined()
    expect(scanRange(20_000_000n, 19_999_990n, real)).toBeDefined()
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
            const range = scanRange(cursor, head, { reorgDepth, maxBlocks, mayReset: false })
            if (!range) throw new Error('the head is beyond the cursor')
            expect(range.fromBlock <= cursor + 1n).toBe(true)
            expect(range.toBlock > cursor).toBe(true)
            cursor = range.toBlock
          }
          expect(cursor).toBe(head)
        },
      ),
    )
  })
})
