import { type Address, type EIP1193RequestFn, type Hex, numberToHex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'

/** What the wallet does when it is asked to send: sign and send, or whatever a test needs it to do. */
export type OnSend = (send: () => Promise<Hex>) => Promise<Hex>

/** An error as EIP-1193 has it. */
export class ProviderError extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

/** What a wallet is asked to send. */
export type SendParameters = { to: Address; value?: Hex; data?: Hex; gas?: Hex }
type Listener = (value: never) => void

/**
 * A wallet at the EIP-1193 boundary, the one place where a test may pretend: its key, chain and answers are the
 * test's, its signatures and transactions are real and go to a real chain.
 */
export const createScriptedWallet = (options: {
  account: PrivateKeyAccount
  chainId: number
  /** RPC address by chain id: the chains this wallet knows. */
  rpcUrls: Record<number, string>
}) => {
  const script: {
    onSend: OnSend
    accounts: Address[]
    onSwitch?: (chainId: number) => void
    /** Answers a method in the wallet's place; undefined leaves it to the wallet. */
    onRequest?: (method: string, params: unknown) => Promise<unknown> | undefined
    /** Stands between the wallet and its node: a signed transaction may reach the chain later than its hash the page. */
    onBroadcast?: (signed: Hex, broadcast: () => Promise<Hex>) => Promise<Hex>
  } = {
    onSend: (send) => send(),
    accounts: [options.account.address],
  }
  const asked: { method: string; params: unknown }[] = []
  const listeners = new Map<string, Set<Listener>>()
  let chainId = options.chainId

  const rpc = async (method: string, params: unknown): Promise<unknown> => {
    const url = options.rpcUrls[chainId]
    if (!url) throw new ProviderError(4902, 'unknown chain')
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    const body = (await response.json()) as { result?: unknown; error?: { code: number; message: string } }
    if (body.error) throw new ProviderError(body.error.code, body.error.message)
    return body.result
  }

  const send = async (transaction: SendParameters): Promise<Hex> => {
    const nonce = await rpc('eth_getTransactionCount', [options.account.address, 'pending'])
    const signed = await options.account.signTransaction({
      type: 'eip1559',
      chainId,
      nonce: Number(nonce),
      to: transaction.to,
      value: BigInt(transaction.value ?? 0),
      data: transaction.data ?? '0x',
      gas: BigInt(transaction.gas ?? 200_000),
      maxFeePerGas: 10_000_000_000n,
      maxPriorityFeePerGas: 1_000_000_000n,
    })
    const broadcast = async (): Promise<Hex> => (await rpc('eth_sendRawTransaction', [signed])) as Hex
    return script.onBroadcast ? script.onBroadcast(signed, broadcast) : broadcast()
  }

  const emit = (event: string, value: unknown): void => {
    for (const listener of listeners.get(event) ?? []) listener(value as never)
  }

  const answer = async (method: string, params: unknown): Promise<unknown> => {
    asked.push({ method, params })
    const answered = script.onRequest?.(method, params)
    if (answered) return answered
    switch (method) {
      case 'eth_requestAccounts':
      case 'eth_accounts':
        return script.accounts
      case 'eth_chainId':
        return numberToHex(chainId)
      case 'wallet_requestPermissions':
        return []
      case 'wallet_switchEthereumChain': {
        const [{ chainId: wanted }] = params as [{ chainId: Hex }]
        const next = Number(wanted)
        script.onSwitch?.(next)
        if (!options.rpcUrls[next]) throw new ProviderError(4902, 'unknown chain')
        chainId = next
        emit('chainChanged', numberToHex(next))
        return null
      }
      case 'wallet_addEthereumChain': {
        const [{ chainId: added, rpcUrls }] = params as [{ chainId: Hex; rpcUrls: string[] }]
        options.rpcUrls[Number(added)] ??= rpcUrls[0] ?? ''
        return null
      }
      case 'eth_signTypedData_v4':
        return options.account.signTypedData(JSON.parse((params as [Address, string])[1]))
      case 'eth_sendTransaction':
        return script.onSend(() => send((params as [SendParameters])[0]))
      default:
        return rpc(method, params)
    }
  }

  return {
    /** What a test changes to make the wallet behave otherwise. */
    script,
    /** Every request the wallet was asked, in order. */
    asked,
    /** Signs with the wallet's key and sends. */
    send,
    /** Asks the node the wallet is connected to. */
    rpc,
    emit,
    provider: {
      request: (({ method, params }) => answer(method, params)) as EIP1193RequestFn,
      on: (event: string, listener: Listener) =>
        listeners.set(event, (listeners.get(event) ?? new Set()).add(listener)),
      removeListener: (event: string, listener: Listener) => listeners.get(event)?.delete(listener),
    },
  }
}
