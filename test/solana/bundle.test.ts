import { expect, test } from 'vitest'
import { listBundled } from '../helpers/listBundled.js'

const isSolana = (file: string): boolean => /(^|\/)solana\//.test(file)
/** Attempts of both families are read from storage, and parts are of both families: a few lines each. */
const shared = [
  'src/chain/solana/attempt.ts',
  'src/components/checkout/solana/ConnectSolana.tsx',
  'src/components/checkout/solana/SolanaBalance.tsx',
  'src/components/checkout/solana/address.ts',
  'src/hooks/solana/useSolanaWallets.ts',
]

test('behavior: an app without Solana downloads nothing of it, now or later', async () => {
  const { atOnce, later } = await listBundled("export * from 'kassa'")
  expect(later).toContain('src/pay/evm/openEvm.ts')
  expect([...atOnce, ...later].filter(isSolana).sort()).toEqual(shared)
})

test('behavior: an app with Solana loads what checks and follows payments later', async () => {
  const { atOnce, later } = await listBundled("export { solana } from 'kassa/solana'")
  expect(atOnce.filter(isSolana).sort()).toEqual([
    'src/pay/solana/createWallets.ts',
    'src/pay/solana/walletStandard.ts',
    'src/solana/createSolana.ts',
  ])
  expect(later).toEqual(
    expect.arrayContaining(['src/pay/solana/openSolana.ts', 'src/chain/solana/checkSolanaPayment.ts']),
  )
})
