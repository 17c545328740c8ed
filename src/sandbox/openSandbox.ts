import { type Address, createPublicClient, erc20Abi, http, isAddress, parseEther, type Transport } from 'viem'
import * as z from 'zod/mini'
import { RpcError } from '../chain/evm/rpcError.js'

const EvmAddress = z.custom<Address>((text) => typeof text === 'string' && isAddress(text, { strict: false }))

const Answer = z.object({ chains: z.record(z.string(), z.looseObject({ rpcPath: z.string() })) })

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

/** A tenth of the faucet's amount, and enough for everything the sandbox sells. */
export const enough = 100n

// EIP-1193's code for a disconnected wallet.
const disconnected = 4900
const fail = (message: string): RpcError => new RpcError(disconnected, message)

// EIP-1193's code for an unsupported method.
const unsupported = 4200
const failAsNoSandbox = (url: string): RpcError =>
  new RpcError(
    unsupported,
    `${url} is no sandbox of the service. The sandbox wallet pays with test funds alone.`,
  )

/**
 * Whether an error says that a service is not a sandbox, which is permanent. An unavailable service may be
 * one.
 */
export const isNoSandbox = (error: unknown): boolean =>
  error instanceof RpcError && error.code === unsupported

/**
 * Reads what a sandbox offers.
 *
 * @param apiUrl - The service's `baseUrl`, ending in `/api`.
 * @throws RpcError when it is not a sandbox, or does not answer.
 */
export const readSandbox = async (
  apiUrl: string,
): Promise<{ baseUrl: string; chains: z.infer<typeof Answer>['chains'] }> => {
  const baseUrl = apiUrl.replace(/\/(api\/?)?$/, '')
  const url = `${baseUrl}/sandbox`
  const response = await fetch(url).catch(() => undefined)
  if (!response || response.status >= 500) {
    throw fail(`The sandbox at ${baseUrl} does not answer. Is the service running?`)
  }
  const answer = z.safeParse(Answer, response.ok ? await response.json().catch(() => undefined) : undefined)
  if (!answer.success) {
    throw failAsNoSandbox(url)
  }
  return { baseUrl, chains: answer.data.chains }
}

/** Requests test funds for an account from the sandbox's faucet. */
export const fundSandboxAccount = async (baseUrl: string, chain: string, address: string): Promise<void> => {
  const { ok, status } = await fetch(`${baseUrl}/sandbox/fund`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ chain, address }),
  })
  if (!ok) throw fail(`The sandbox gave no test funds on ${chain}: it answered ${status}.`)
}

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
    const chain = { name, ...known, transport: http(`${baseUrl}${rpcPath}`, { retryCount: 0 }) }
    const topUp = async (account: Address): Promise<void> => {
      if (await isShort(chain, account)) await fundSandboxAccount(baseUrl, name, account)
    }
    return { ...chain, topUp }
  })
}
