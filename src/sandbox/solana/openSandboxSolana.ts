import * as z from 'zod/mini'
import { RpcError } from '../../chain/evm/rpcError.js'
import { openNode, type SolanaNode } from '../../pay/solana/node.js'
import { enough, fundSandboxAccount, readSandbox } from '../readSandbox.js'

const Solana = z.object({
  rpcPath: z.string(),
  tokens: z.record(z.string(), z.object({ address: z.string(), decimals: z.number() })),
  operator: z.string(),
})

/** The Solana cluster of a sandbox: how to reach it, and its currencies. */
export type SandboxSolana = {
  rpcUrl: string
  /** The address of the service's operator. */
  operator: string
  /** Tokens by currency, in lower case. */
  tokens: Readonly<Record<string, { address: string; decimals: number }>>
  node: SolanaNode
  /** Requests test funds from the sandbox if an account's balance of any currency is too low. */
  topUp(address: string): Promise<void>
}

const lamportsPerSol = 1_000_000_000n

/**
 * Gets what a sandbox offers on Solana.
 *
 * @param apiUrl - The service's `baseUrl`, ending in `/api`.
 * @throws RpcError when it is not a sandbox, has no Solana, or does not answer.
 */
export const openSandboxSolana = async (apiUrl: string): Promise<SandboxSolana> => {
  const { baseUrl, chains } = await readSandbox(apiUrl)
  const read = z.safeParse(Solana, chains.solana)
  // EIP-1193's code for an unknown chain.
  if (!read.success) throw new RpcError(4902, `The sandbox at ${baseUrl} has no Solana.`)
  const { rpcPath, operator, tokens } = read.data
  const rpcUrl = `${baseUrl}${rpcPath}`
  const node = openNode(rpcUrl)
  const isShort = async (address: string): Promise<boolean> => {
    const held = await Promise.all([
      node.getBalance(address).then((lamports) => lamports >= enough * lamportsPerSol),
      ...Object.values(tokens).map(async (token) => {
        const units = await node.getTokenBalance(address, token.address)
        return units >= enough * 10n ** BigInt(token.decimals)
      }),
    ])
    return held.includes(false)
  }
  return {
    rpcUrl,
    operator,
    tokens,
    node,
    topUp: async (address) => {
      if (await isShort(address)) await fundSandboxAccount(baseUrl, 'solana', address)
    },
  }
}
