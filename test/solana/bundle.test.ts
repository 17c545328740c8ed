import { expect, test } from 'vitest'
import { listBundled } from '../helpers/listBundled.js'

const isSolana = (file: string): boolean => /(^|\/)solana\//.test(file)
/** Attempts of both families are read from storage, in a few lines. */
const shared = ['src/chain/solana/attempt.ts']

test('behavior: an app without Solana downloads nothing of it, now or later', async () => {
  const { atOnce, later } = await listBundled("export * from 'kassa'")
  expect(later).toContain('src/pay/evm/openEvm.ts')
  expect([...atOnce, ...later].filter(isSolana)).toEqual(shared)
})

test('behavior: an app with Solana loads what checks and follows payments later', async () => {
  const { atOnce, later } = await listBundled("export { solana } from 'kassa/solana'")
  expect(atOnce.filter(isSolana).sort()).toEqual([
    'src/solana/createSolana.ts',
    'src/solana/createWallets.ts',
    'src/solana/walletStandard.ts',
  ])
  expect(later).toEqual(
    expect.arrayContaining(['src/solana/openSolana.ts', 'src/chain/solana/checkSolanaPayment.ts']),
  )
})
