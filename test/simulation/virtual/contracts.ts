import { firstKey } from '../../../service/src/base/ports/write.js'
import type { Dice } from './dice.js'

/** A call of the service to one of its contracts. */
export type ServiceCall =
  | {
      type: 'refund' | 'sweep'
      key: string
      orderId: string
      currency: string
      units: bigint
      recipient: string
      /** Whether the treasury pays. What it lends for that is not modelled: its loan and the refund are one call. */
      isFromTreasury?: boolean
    }
  | { type: 'pay-out-credit'; key: string; payOutKey: string; recipient: string }
  | { type: 'create-collection'; key: string; supplyLimit: number }
  | {
      type: 'mint'
      key: string
      collection: string
      tokens: readonly { tokenId: bigint; mintKey: string; recipient: string }[]
    }

/** Money that a contract has paid out. */
export type PayOut = {
  key: string
  orderId: string
  currency: string
  units: bigint
  txId: string
  /** Whether its recipient rejected it, and has not claimed it yet. */
  isCredited: boolean
  /** The transaction by which the recipient claimed it. */
  claimedBy?: string
}

/** A token that a contract has minted. */
export type MintedToken = {
  collection: string
  tokenId: bigint
  mintKey: string
  recipient: string
  txId: string
}

/** A change of contracts that a reorganisation can undo. */
type Undo = (() => void)[]

/** The state of the service's contracts on a chain: orders' money, payouts and tokens. Each key acts once. */
export class Contracts {
  /** What the contracts hold, by order and currency. */
  readonly held = new Map<string, bigint>()
  readonly payOuts = new Map<string, PayOut>()
  readonly minted = new Map<string, MintedToken>()
  readonly collections = new Map<string, { supplyLimit: number; count: number; txId: string }>()
  /** The accounts that cannot receive the native currency. */
  readonly rejecting = new Set<string>()

  private readonly dice: Dice

  constructor(dice: Dice) {
    this.dice = dice
  }

  private set<Value>(map: Map<string, Value>, key: string, value: Value, undo: Undo): void {
    const before = map.get(key)
    const isKnown = map.has(key)
    undo.push(() => {
      if (isKnown) map.set(key, before as Value)
      else map.delete(key)
    })
    map.set(key, value)
  }

  receive(target: string, currency: string, units: bigint, undo: Undo): void {
    const key = `${target.slice(target.indexOf(':') + 1)} ${currency}`
    this.set(this.held, key, (this.held.get(key) ?? 0n) + units, undo)
  }

  /** Returns why a call would revert now, or `undefined`. */
  explain(call: ServiceCall): string | undefined {
    switch (call.type) {
      case 'refund':
      case 'sweep':
        if (this.payOuts.has(firstKey(call.key))) return 'paid out already'
        if (call.isFromTreasury) return undefined
        if ((this.held.get(`${call.orderId} ${call.currency}`) ?? 0n) < call.units) return 'holds too little'
        return undefined
      case 'pay-out-credit':
        return this.payOuts.get(call.payOutKey)?.isCredited ? undefined : 'claimed already'
      case 'create-collection':
        return undefined
      case 'mint': {
        const collection = this.collections.get(call.collection)
        if (!collection) return 'no such contract'
        const due = call.tokens.filter(({ mintKey }) => !this.minted.has(mintKey))
        if (collection.supplyLimit && collection.count + due.length > collection.supplyLimit)
          return 'sold out'
        const ids = new Set([...this.minted.values()].map((token) => `${token.collection} ${token.tokenId}`))
        return due.some(({ tokenId }) => ids.has(`${call.collection} ${tokenId}`))
          ? 'token exists'
          : undefined
      }
    }
  }

  /** Runs a call in a block. Returns why it reverted, if it did. */
  execute(
    call: ServiceCall,
    { txId, isAgain }: { txId: string; isAgain: boolean },
    undo: Undo,
  ): string | undefined {
    const failure = this.explain(call)
    if (failure !== undefined) return failure
    if (!isAgain && this.dice.fault(`${call.type} reverts`, 0.03)) return 'paused'
    switch (call.type) {
      case 'refund':
      case 'sweep': {
        const { orderId, currency, units, recipient } = call
        const key = firstKey(call.key)
        const place = `${orderId} ${currency}`
        const isCredited = currency === 'eth' && this.rejecting.has(recipient)
        const left = (this.held.get(place) ?? 0n) - units
        if (!call.isFromTreasury) this.set(this.held, place, left, undo)
        this.set(this.payOuts, key, { key, orderId, currency, units, txId, isCredited }, undo)
        break
      }
      case 'pay-out-credit': {
        const credit = this.payOuts.get(call.payOutKey)
        if (credit)
          this.set(this.payOuts, call.payOutKey, { ...credit, isCredited: false, claimedBy: txId }, undo)
        break
      }
      case 'create-collection':
        if (!this.collections.has(firstKey(call.key))) {
          const created = { supplyLimit: call.supplyLimit, count: 0, txId }
          this.set(this.collections, firstKey(call.key), created, undo)
        }
        break
      case 'mint':
        for (const token of call.tokens) {
          const collection = this.collections.get(call.collection)
          if (!collection || this.minted.has(token.mintKey)) continue
          this.set(this.minted, token.mintKey, { ...token, txId, collection: call.collection }, undo)
          this.set(this.collections, call.collection, { ...collection, count: collection.count + 1 }, undo)
        }
    }
    return undefined
  }

  /** Lets the accounts that rejected money claim it, as their owners do in the end. */
  claim(payOutKey: string): void {
    const credit = this.payOuts.get(payOutKey)
    if (!credit?.isCredited) return
    this.payOuts.set(payOutKey, { ...credit, isCredited: false, claimedBy: `claim-${payOutKey}` })
  }

  /** Returns the transaction by which a call has already been made, under its key or that of another attempt. */
  findDone(call: ServiceCall): string | undefined {
    switch (call.type) {
      case 'refund':
      case 'sweep':
        return this.payOuts.get(firstKey(call.key))?.txId
      case 'create-collection':
        return this.collections.get(firstKey(call.key))?.txId
      case 'mint': {
        const minted = call.tokens.map(({ mintKey }) => this.minted.get(mintKey)?.txId)
        return minted.includes(undefined) ? undefined : minted.at(-1)
      }
      default:
        return undefined
    }
  }
}
