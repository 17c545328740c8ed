import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { scanRange } from '#base/watch/scanRange.js'

const limits = { reorgDepth: 12n, maxBlocks: 100n }

describe('scanRange', () => {
  test('default: a little before the cursor, to the head', () => {
    expect(scanRange(100n, 105n, limits)).toEqual({ fromBlock: 88n, toBlock: 105n })
  })

  test('parameters: young chain, nothing new', () => {
    expect(scanRange(3n, 5n, limits)).toEqual({ fromBlock: 0n, toBlock: 5n })
    expect(scanRange(100n, 100n, limits)).toEqual({ fromBlock: 88n, toBlock: 100n })
  })

  test('parameters: more blocks than one read covers, and a read no larger than the reread blocks', () => {
    expect(scanRange(100n, 1000n, limits)).toEqual({ fromBlock: 88n, toBlock: 187n })
    expect(scanRange(100n, 1000n, { reorgDepth: 12n, maxBlocks: 13n })).toEqual({
      fromBlock: 88n,
      toBlock: 101n,
    })
  })

  test('behavior: a node that is behind is not queried', () => {
    expect(scanRange(20_000_000n, 19_000_000n, limits)).toBeUndefined()
    expect(scanRange(20_000_000n, 19_999_999n, limits)).toBeUndefined()
  })

  test('behavior: reaches the head from anywhere without skipping a block', () => {
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
            const range = scanRange(cursor, head, { reorgDepth, maxBlocks })
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
