import { fromBaseUnits, type SentToken } from 'kassa/schema'
import type { StoredCall } from '../db/tables/walletTransactions.js'
import type { ChainPort } from '../ports/chain.js'

/** Selectors of the functions that send tokens and do nothing else. */
const selectors = {
  /** ERC-20 `transfer(address,uint256)`. */
  transfer: '0xa9059cbb',
  /** ERC-721 `safeTransferFrom(address,address,uint256)`. */
  sendToken: '0x42842e0e',
  /** ERC-1155 `safeTransferFrom(address,address,uint256,uint256,bytes)`. */
  sendCopies: '0xf242432a',
} as const

/** Splits a call's arguments into words of 32 bytes. Returns `undefined` if the data ends within a word. */
const readWords = (data: string): string[] | undefined => {
  const digits = data.slice(10)
  return digits.length % 64 ? undefined : (digits.match(/.{64}/g) ?? [])
}

const readAddress = (chain: ChainPort, word: string | undefined): string | undefined =>
  word !== undefined && /^0{24}/.test(word) ? chain.parseAddress(`0x${word.slice(24)}`) : undefined

const readAmount = (word: string | undefined): string | undefined =>
  word === undefined ? undefined : `${BigInt(`0x${word}`)}`

/** A transfer of a token. @units `amount` in whole units of a currency, or in tokens */
type Send = { token: string | undefined; amount: string | undefined; recipient: string | undefined }

/**
 * An amount cannot be shown without its currency's decimals, so transfers of unknown contracts are left out.
 */
const readCurrency = (
  chain: ChainPort,
  contract: string | undefined,
  units: bigint,
  recipient: string | undefined,
): Send | undefined => {
  const known = chain.currencies.find(({ address }) =>
    address === undefined
      ? contract === undefined
      : contract !== undefined && chain.parseAddress(address) === contract,
  )
  if (!known) return undefined
  const amount = fromBaseUnits(units, known.decimals)
  return { token: `${chain.chain}:${known.currency}`, amount, recipient }
}

const readTokenCall = (chain: ChainPort, { to, data }: StoredCall): Send | undefined => {
  const words = readWords(data)
  const contract = chain.parseAddress(to)
  if (!words || contract === undefined) return undefined
  const token = `${chain.chain}:${contract}`
  const [first, second, third, fourth] = words
  switch (data.slice(0, 10).toLowerCase()) {
    case selectors.transfer:
      if (words.length !== 2 || second === undefined) return undefined
      return readCurrency(chain, contract, BigInt(`0x${second}`), readAddress(chain, first))
    case selectors.sendToken:
      if (words.length !== 3) return undefined
      return { token: `${token}:${readAmount(third)}`, amount: '1', recipient: readAddress(chain, second) }
    case selectors.sendCopies:
      if (words.length < 6) return undefined
      return {
        token: `${token}:${readAmount(third)}`,
        amount: readAmount(fourth),
        recipient: readAddress(chain, second),
      }
    default:
      return undefined
  }
}

const readSend = (chain: ChainPort, call: StoredCall): Send | undefined => {
  if (call.value === '0') return readTokenCall(chain, call)
  if (call.data !== '0x') return undefined
  return readCurrency(chain, undefined, BigInt(call.value), chain.parseAddress(call.to))
}

/**
 * Reads which token a transaction sends, if sending it is all that the transaction does: coins, `transfer` of
 * a currency of the deployment, or `safeTransferFrom` of an NFT. `transferFrom` is left out, because it means
 * an amount to some contracts and a token's id to others.
 *
 * @source interface.md "Wallet transaction"
 */
export const readSentToken = (chain: ChainPort, calls: readonly StoredCall[]): SentToken | undefined => {
  const [call, ...others] = calls
  const send = call && !others.length ? readSend(chain, call) : undefined
  if (send?.token === undefined || send.amount === undefined || send.recipient === undefined) return undefined
  const { token, amount, recipient } = send
  return {
    token,
    params: { amount, recipient: `${chain.chain}:${recipient}`, recipientAddress: recipient },
  }
}
