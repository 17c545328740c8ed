import { type Address, type Hex, numberToHex, parseTransaction, zeroAddress } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { baseSepolia, polygonAmoy } from 'viem/chains'
import { createScriptedWallet, ProviderError } from '../../helpers/scriptedWallet.js'
import { fund, rpcUrlOf } from './chain.js'
import { createLine } from './line.js'

type Stack = { serviceUrl: string }
type Call = { method: string; params?: unknown }

/** One question whether to pay, as the buyer sees it in the wallet; it outlives the page that asked. */
export type Ask = {
  /** The account that is asked to pay. */
  payer: Address
  /** Signs, sends, and tells the page. */
  approve(): Promise<Hex>
  /** Signs and sends, and the page never hears of it: its connection to the wallet is dead. */
  approveUnheard(): Promise<Hex>
  /** Tells the page, late, what was sent. */
  answer(): void
  reject(): void
  /** The same payment again with a higher fee. */
  speedUp(): Promise<Hex>
  /** Nothing, to oneself, in the payment's place. */
  cancel(): Promise<Hex>
  /** Something that has nothing to do with the order, in the payment's place. */
  sendOther(): Promise<Hex>
}

const bumped = (fee: bigint | undefined): bigint => (fee ?? 1n) * 2n

const createOwner = (stack: Stack, account: PrivateKeyAccount, asks: { push(ask: Ask): void }) => {
  const wallet = createScriptedWallet({
    account,
    chainId: baseSepolia.id,
    rpcUrls: {
      [baseSepolia.id]: rpcUrlOf(stack, 'base-sepolia'),
      [polygonAmoy.id]: rpcUrlOf(stack, 'polygon-amoy'),
    },
  })
  const { script, provider } = wallet
  const signed: Hex[] = []
  script.onBroadcast = (bytes, broadcast) => {
    signed.push(bytes)
    return broadcast()
  }
  /** Signs another transaction in the place of the last one. */
  const replace = async (change: object): Promise<Hex> => {
    const last = signed.at(-1)
    if (!last) throw new Error('nothing was sent that could be replaced')
    const { r: _r, s: _s, v: _v, yParity: _y, ...earlier } = parseTransaction(last)
    const bytes = await account.signTransaction({
      ...earlier,
      maxFeePerGas: bumped(earlier.maxFeePerGas),
      maxPriorityFeePerGas: bumped(earlier.maxPriorityFeePerGas),
      ...change,
    } as Parameters<typeof account.signTransaction>[0])
    signed.push(bytes)
    return provider.request({ method: 'eth_sendRawTransaction', params: [bytes] })
  }
  script.onSend = (send) =>
    new Promise((resolve, reject) => {
      let txId: Hex | undefined
      const approveUnheard = async (): Promise<Hex> => {
        txId = await send()
        return txId
      }
      asks.push({
        payer: account.address,
        approveUnheard,
        approve: async () => {
          resolve(await approveUnheard())
          return txId as Hex
        },
        answer: () => txId && resolve(txId),
        reject: () => reject(new ProviderError(4001, 'User rejected the request.')),
        speedUp: () => replace({}),
        cancel: () => replace({ to: account.address, value: 0n, data: '0x' }),
        sendOther: () => replace({ to: zeroAddress, value: 1n, data: '0x' }),
      })
    })
  return { ...wallet, account }
}

/**
 * A wallet outside the browser, like an extension or a phone's app: it lives in the test's process, so that it
 * stays when a page reloads, crashes or is thrown away. It has two accounts, both with test funds.
 */
export const createOutsideWallet = async (stack: Stack) => {
  const asks = createLine<Ask>()
  const accounts = [privateKeyToAccount(generatePrivateKey()), privateKeyToAccount(generatePrivateKey())]
  for (const { address } of accounts) await fund(stack, 'base-sepolia', address)
  const owners = accounts.map((account) => createOwner(stack, account, asks))
  const listeners = new Set<(event: string, value: unknown) => void>()
  const emit = (event: string, value: unknown): void => {
    for (const listener of listeners) listener(event, value)
  }
  let at = 0
  let isPermitted = false
  const owner = () => {
    const current = owners[at]
    if (!current) throw new Error('the wallet has no such account')
    return current
  }
  for (const { provider } of owners) {
    provider.on('chainChanged', ((chainId: Hex) => emit('chainChanged', chainId)) as never)
  }

  return {
    asks,
    /** Every account it has: a payment from any of them is a payment. */
    payers: accounts.map(({ address }) => address),
    /** How often it was asked to pay. */
    countAsked: (): number =>
      owners.flatMap(({ asked }) => asked).filter(({ method }) => method === 'eth_sendTransaction').length,
    request: async ({ method, params }: Call): Promise<unknown> => {
      if (method === 'eth_requestAccounts') isPermitted = true
      if (method === 'eth_accounts' && !isPermitted) return []
      return owner().provider.request({ method, params } as never)
    },
    onEvent: (listener: (event: string, value: unknown) => void): void => void listeners.add(listener),
    /** The buyer chooses the other account in the wallet. */
    switchAccount: (): void => {
      at = 1 - at
      emit('accountsChanged', [owner().account.address])
    },
    /** The buyer chooses another network in the wallet. */
    switchNetwork: (chainId: number): Promise<unknown> =>
      owner().provider.request({
        method: 'wallet_switchEthereumChain',
        params: [{ chainId: numberToHex(chainId) }],
      }),
  }
}

/** A wallet outside the browser. */
export type OutsideWallet = Awaited<ReturnType<typeof createOutsideWallet>>
