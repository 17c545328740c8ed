import * as z from 'zod/mini'
import { RpcError } from '../chain/evm/rpcError.js'

const Answer = z.object({ chains: z.record(z.string(), z.looseObject({ rpcPath: z.string() })) })

/** A tenth of the faucet's amount, and enough for everything the sandbox sells. */
export const enough = 100n

// EIP-1193's code for a disconnected wallet.
const disconnected = 4900
const fail = (message: string): RpcError => new RpcError(disconnected, message)

// EIP-1193's code for an unsupported method.
const unsupported = 4200
/** The error for a service that is no sandbox. */
export const failAsNoSandbox = (url: string): RpcError =>
  new RpcError(unsupported, `${url} is not a sandbox. The sandbox wallet pays only with test funds.`)

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
  if (!ok) throw fail(`The sandbox sent no test funds on ${chain}: it answered ${status}.`)
}
