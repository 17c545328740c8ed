import { createWeb3Buyer } from '../../../service/test/helpers/web3Buyer.js'
import { ProviderError } from '../../helpers/scriptedWallet.js'
import { fund } from './chain.js'
import { createLine } from './line.js'

/** What a page calls of the wallet. */
export type SolanaCall =
  | { method: 'connect'; silent: boolean }
  | { method: 'disconnect' }
  | { method: 'sign'; address: string; transaction: string }

/** One question whether to sign a payment; it outlives the page that asked. */
export type SolanaAsk = {
  /** The account that is asked to pay. */
  payer: string
  /** Signs and tells the page, which sends. */
  approve(): void
  reject(): void
}

/** The signature of one signer stands before the message of a transaction. */
const messageStart = 65

const readMessage = (transaction: string): string =>
  Buffer.from(transaction, 'base64').subarray(messageStart).toString('base64')

/**
 * A Solana wallet outside the browser that signs and does not send. Like an extension it lives outside the page, and
 * stays when a page reloads. It has two accounts.
 */
export const createOutsideSolanaWallet = async (
  stack: { serviceUrl: string },
  { isFunded = true }: { isFunded?: boolean } = {},
) => {
  const asks = createLine<SolanaAsk>()
  const buyers = [createWeb3Buyer(), createWeb3Buyer()]
  if (isFunded) await Promise.all(buyers.map(({ address }) => fund(stack, 'solana', address)))
  const listeners = new Set<(addresses: string[]) => void>()
  let at = 0
  let askedCount = 0
  let isPermitted = false
  const addresses = (): string[] =>
    isPermitted ? buyers.slice(at, at + 1).map(({ address }) => address) : []

  const sign = ({ address, transaction }: { address: string; transaction: string }): Promise<string> =>
    new Promise((resolve, reject) => {
      const buyer = buyers.find((known) => known.address === address)
      if (!buyer) throw new ProviderError(4100, 'The wallet has no such account.')
      askedCount++
      asks.push({
        payer: address,
        approve: () => resolve(buyer.sign(readMessage(transaction))),
        reject: () => reject(new ProviderError(4001, 'User rejected the request.')),
      })
    })

  return {
    asks,
    accounts: buyers.map(({ address }) => address),
    /** How often it was asked to pay. */
    countAsked: (): number => askedCount,
    request: async (call: SolanaCall): Promise<unknown> => {
      if (call.method === 'sign') return sign(call)
      if (call.method === 'connect') isPermitted ||= !call.silent
      else isPermitted = false
      return addresses()
    },
    onChange: (listener: (addresses: string[]) => void): void => void listeners.add(listener),
    /** The buyer chooses the other account in the wallet. */
    switchAccount: (): void => {
      at = 1 - at
      for (const listener of listeners) listener(addresses())
    },
  }
}

/** A Solana wallet outside the browser. */
export type OutsideSolanaWallet = Awaited<ReturnType<typeof createOutsideSolanaWallet>>
