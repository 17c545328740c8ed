import type { SolanaToken } from '../../chain/solana/tokens.js'
import { answerSolanaNode } from './answerSolanaNode.js'
import { operator, solanaTokens } from './network.js'
import type { TestSolana } from './testSolana.js'

/** The parameters of `solana` of `kassa/solana` for the cluster of a test service. */
export type TestSolanaParameters = {
  rpcUrl: string
  cluster: 'devnet'
  operator: string
  tokens: Readonly<Record<string, SolanaToken>>
  /** Answers as a node of the cluster. */
  fetch: typeof fetch
}

const readText = async (input: string | URL | Request, init: RequestInit | undefined): Promise<string> =>
  init?.body == null && input instanceof Request ? input.text() : new Response(init?.body ?? null).text()

/** Opens a node of a test cluster, which presents itself as devnet. */
export const openSolanaNode = (chain: TestSolana): TestSolanaParameters => ({
  rpcUrl: 'https://kassa.test/rpc/solana',
  cluster: 'devnet',
  operator,
  tokens: solanaTokens,
  fetch: async (input, init) => {
    init?.signal?.throwIfAborted()
    const call: unknown = JSON.parse(await readText(input, init))
    const answer = JSON.stringify(answerSolanaNode(chain, call))
    return new Response(answer, { headers: { 'content-type': 'application/json' } })
  },
})
