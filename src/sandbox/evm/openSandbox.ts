import { type Address, createPublicClient, erc20Abi, http, isAddress, parseEther, type Transport } from 'viem'
import * as z from 'zod/mini'
import { enough, failAsNoSandbox, fundSandboxAccount, readSandbox } from '../readSandbox.js'

const EvmAddress = z.custom<Address>((text) => typeof text === 'string' && isAddress(text, { strict: false }))

const EvmChain = z.object({
  rpcPath: z.string(),
  chainId: z.number(),
  tokens: z.record(z.string(), z.object({ address: EvmAddress, decimals: z.number() })),
  contracts: z.object({ router: EvmAddress, depositFactory: EvmAddress }),
})

/** A chain of a sandbox: how to reach it, and its currencies. */
export type SandboxChain = {
  /** The interface's name, such as `base-sepolia`. */
  name: string
  chainId: number
  /** Tokens by currency, in lower case. */
  tokens: Readonly<Record<string, { address: Address; decimals: number }>>
  /** The contracts that take payments. */
  contracts: { router: Address; depositFactory: Address }
  transport: Transport
  /** Requests test funds from the sandbox if an account's balance of any currency is too low. */
  topUp(account: Address): Promise<void>
}

// A local chain starts with its first call, which takes a busy machine longer than any later one.
const startMs = 60_000

const isShort = async (
  { tokens, transport }: Pick<SandboxChain, 'tokens' | 'transport'>,
  account: Address,
) => {
  const node = createPublicClient({ transport })
  const held = await Promise.all([
    node.getBalance({ address: account }).then((wei) => wei >= parseEther(`${enough}`)),
    ...Object.values(tokens).map(({ address, decimals }) =>
      node
        .readContract({ address, abi: erc20Abi, functionName: 'balanceOf', args: [account] })
        .then((units) => units >= enough * 10n ** BigInt(decimals)),
    ),
  ])
  return held.includes(false)
}

/**
 * Gets what a sandbox offers: its EVM chains, and test funds on them.
 *
 * @param apiUrl - The service's `baseUrl`, ending in `/api`.
 * @throws RpcError when it is not a sandbox, or does not answer.
 */
export const openSandbox = async (apiUrl: string): Promise<SandboxChain[]> => {
  const { baseUrl, chains } = await readSandbox(apiUrl)
  // A chain of another family has no chain id.
  const onEvm = Object.entries(chains).filter(([, described]) => 'chainId' in described)
  return onEvm.map(([name, described]) => {
    const read = z.safeParse(EvmChain, described)
    if (!read.success) throw failAsNoSandbox(`${baseUrl}/sandbox`)
    const { rpcPath, ...known } = read.data
    const chain = {
      name,
      ...known,
      transport: http(`${baseUrl}${rpcPath}`, { retryCount: 0, timeout: startMs }),
    }
    const topUp = async (account: Address): Promise<void> => {
      if (await isShort(chain, account)) await fundSandboxAccount(baseUrl, name, account)
    }
    return { ...chain, topUp }
  })
}
