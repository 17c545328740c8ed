import { createHash } from 'node:crypto'
import type { ChainPort } from '../chains/port.js'
import type { ChainRegistry } from '../deps.js'
import { createTurn, type Turn, type TurnOptions } from './createTurn.js'

const defaultOptions: TurnOptions = { most: 16, mostWhenFailing: 2, slowMs: 5_000 }

/** Tells accounts apart by what they sign with, which is kept nowhere. */
const nameAccount = (privateKey: Uint8Array): string =>
  createHash('sha256').update(privateKey).digest('base64')

/** Goods, money, wallets and the way in have places of their own: a run on goods keeps no refund waiting. */
const takeTurns = (chain: ChainPort, createTurnOf: (share: number) => Turn): ChainPort => {
  const [goods, money, entry] = [createTurnOf(1), createTurnOf(0.5), createTurnOf(0.5)]
  const calls = createTurnOf(1)
  return {
    ...chain,
    wallets: {
      ...chain.wallets,
      sendOperations: (key, operations, ...rest) =>
        calls(() => chain.wallets.sendOperations(key, operations, ...rest), {
          isWrite: true,
          wallet: operations[0]?.sender,
        }),
      sendCall: (key, input, ...rest) =>
        calls(() => chain.wallets.sendCall(key, input, ...rest), {
          isWrite: true,
          wallet: nameAccount(input.privateKey),
        }),
    },
    ready: () => entry(() => chain.ready(), { isWrite: true }),
    // Mostly there already, and answered from what is written down: that tells nothing of the chain.
    createCollection: (key, input) => goods(() => chain.createCollection(key, input), { isWrite: false }),
    updateCollection: (key, input) => goods(() => chain.updateCollection(key, input), { isWrite: true }),
    mint: (key, input) => goods(() => chain.mint(key, input), { isWrite: true }),
    updateToken: (key, input) => goods(() => chain.updateToken(key, input), { isWrite: true }),
    refund: (key, input) => money(() => chain.refund(key, input), { isWrite: true }),
    sweep: (key, input) => money(() => chain.sweep(key, input), { isWrite: true }),
  }
}

/**
 * The chains as jobs are given them: however many wait for one that hangs, others have places left. Whoever finds no
 * place at a slow chain gives up the job's too, and comes again later.
 */
export const createChainTurns = (
  chains: ChainRegistry,
  now: () => number,
  options: Partial<TurnOptions> = {},
): ChainRegistry => {
  const turned = new Map<string, ChainPort>()
  return {
    enabled: chains.enabled,
    get: (name) => {
      const chain = turned.get(name) ?? chains.get(name)
      if (!chain || turned.has(name)) return chain
      const given = { ...defaultOptions, ...options }
      const wrapped = takeTurns(chain, (share) =>
        createTurn(name, now, { ...given, most: Math.ceil(given.most * share) }),
      )
      turned.set(name, wrapped)
      return wrapped
    },
  }
}
