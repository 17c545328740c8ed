import { type Address, fetchEncodedAccount, lamports, type Rpc, type SolanaRpcApi } from '@solana/kit'
import type { Operator } from '../chainParts.js'
import { createTestToken, testTokens } from '../createTestTokens.js'
import type { Connection } from './connect.js'
import { deriveTestToken } from './derivedAddresses.js'

/** What the operator of a local cluster has. @units lamports */
const localLamports = lamports(1_000_000n * 10n ** 9n)

const fundLocally = async (rpc: Rpc<SolanaRpcApi>, operator: Address): Promise<void> => {
  const { value: balance } = await rpc.getBalance(operator, { commitment: 'confirmed' }).send()
  if (balance >= localLamports / 2n) return
  const signature = await rpc.requestAirdrop(operator, localLamports).send()
  for (;;) {
    const { value } = await rpc.getSignatureStatuses([signature]).send()
    if (value[0] && value[0].confirmationStatus !== 'processed') return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** Creates what a chain lacks: the operator's funds on a local cluster, and test tokens. */
export const deploy = async (
  { options, operator, hasTestTokens }: Operator,
  { rpc, operator: signer, outbox }: Connection,
): Promise<void> => {
  if (options.isLocal) await fundLocally(rpc, operator)
  for (const token of hasTestTokens ? testTokens : []) {
    const trace = deriveTestToken(operator, token.currency).address
    const known = await fetchEncodedAccount(rpc, trace, { commitment: 'confirmed' })
    if (known.exists) continue
    const makeInstructions = () => createTestToken(rpc, signer, token)
    const write = { makeInstructions, trace, isGuarded: false }
    const created = await outbox.send(`test-token:${token.currency}`, write)
    if (created.status === 'failed') throw new Error(`the test token ${token.currency}: ${created.reason}`)
  }
}
