import type { MaybeEncodedAccount } from '@solana/kit'
import type { Block } from './blockstore.js'
import type { Commitment } from './clusterParts.js'
import { type RpcWorld, withContext } from './method.js'
import { commitmentOf, type RpcConfig, readAddress, readConfig } from './readParams.js'
import { invalidParams, RpcError } from './rpcError.js'
import { createAccountFilter, showAccount } from './showAccount.js'

/** What a subscription sends after a block: results in order, and whether it is over. */
type Turn = { results: unknown[]; isOver?: boolean }

/** Looks at the cluster after each block. */
type Watch = (block: Block) => Turn

const watchSignature = (world: RpcWorld, signature: string, config: RpcConfig): Watch => {
  const commitment = commitmentOf(config)
  return () => {
    const found = world.cluster.findTransaction(signature, commitment)
    if (!found) return { results: [] }
    return { results: [withContext(world, commitment, { err: found.error ?? null })], isOver: true }
  }
}

/** Shows a changed account: in base64 where the wanted encoding cannot, because a block has no caller to refuse. */
const showChange = ({ cluster }: RpcWorld, account: MaybeEncodedAccount, config: RpcConfig): unknown => {
  try {
    return showAccount(cluster, account, config)
  } catch {
    return showAccount(cluster, account, { ...config, encoding: 'base64' })
  }
}

const watchAccount = (world: RpcWorld, text: string, config: RpcConfig): Watch => {
  const commitment = commitmentOf(config)
  const address = readAddress(text)
  const show = () => showChange(world, world.cluster.readAccount(address, commitment), config)
  const toText = (value: unknown) =>
    JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? `${each}` : each))
  let last = toText(show())
  return () => {
    const value = show()
    if (toText(value) === last) return { results: [] }
    last = toText(value)
    return { results: [withContext(world, commitment, value)] }
  }
}

/** Lists what reaches a commitment, each time since the last. */
const createProgress = ({ cluster }: RpcWorld, commitment: Commitment) => {
  let seen = cluster.slotAt(commitment)
  return () => {
    const since = seen
    seen = cluster.slotAt(commitment)
    return { since, seen, transactions: cluster.listSince(since, commitment) }
  }
}

const watchProgram = (world: RpcWorld, text: string, config: RpcConfig): Watch => {
  const commitment = commitmentOf(config)
  const program = readAddress(text)
  const advance = createProgress(world, commitment)
  const isWanted = createAccountFilter(config)
  return () => {
    const changed = new Set(advance().transactions.flatMap((each) => each.changed))
    const accounts = [...changed]
      .map((address) => world.cluster.readAccount(address, commitment))
      .flatMap((account) => (account.exists && account.programAddress === program ? [account] : []))
    const results = accounts.filter(isWanted).map((account) => {
      const value = { pubkey: account.address, account: showChange(world, account, config) }
      return withContext(world, commitment, value)
    })
    return { results }
  }
}

const watchRoot = (world: RpcWorld): Watch => {
  const advance = createProgress(world, 'finalized')
  return () => {
    const { since, seen } = advance()
    return { results: seen > since ? [world.cluster.blockAt('finalized').slot] : [] }
  }
}

const watchSlotsUpdates = (world: RpcWorld): Watch => {
  const confirm = createProgress(world, 'confirmed')
  const finalize = createProgress(world, 'finalized')
  return ({ slot }) => {
    const timestamp = Date.now()
    const updatesOf = (type: string, { since, seen }: { since: bigint; seen: bigint }) =>
      world.cluster.listBlocks(since + 1n, seen).map((block) => ({ type, slot: block.slot, timestamp }))
    return {
      results: [
        { type: 'completed', slot, timestamp },
        ...updatesOf('optimisticConfirmation', confirm()),
        ...updatesOf('root', finalize()),
      ],
    }
  }
}

const watchLogs = (world: RpcWorld, filter: unknown, config: RpcConfig): Watch => {
  const commitment = commitmentOf(config)
  const { mentions } = Object(filter) as { mentions?: unknown }
  if (filter !== 'all' && filter !== 'allWithVotes' && !Array.isArray(mentions)) {
    throw invalidParams('expected all or mentions')
  }
  const advance = createProgress(world, commitment)
  return () => {
    const results = advance()
      .transactions.filter(
        ({ accounts }) => !Array.isArray(mentions) || accounts.some((each) => mentions.includes(each)),
      )
      .map(({ signature, error, logs }) =>
        withContext(world, commitment, { signature, err: error ?? null, logs }),
      )
    return { results }
  }
}

const watchers: Readonly<Record<string, (world: RpcWorld, subject: unknown, config: RpcConfig) => Watch>> = {
  signatureSubscribe: (world, signature, config) => watchSignature(world, String(signature), config),
  accountSubscribe: (world, address, config) => watchAccount(world, String(address), config),
  logsSubscribe: watchLogs,
  programSubscribe: (world, program, config) => watchProgram(world, String(program), config),
  rootSubscribe: watchRoot,
  slotsUpdatesSubscribe: watchSlotsUpdates,
  slotSubscribe:
    ({ cluster }) =>
    ({ slot }) => ({
      results: [{ slot, parent: slot - 1n, root: cluster.slotAt('finalized') }],
    }),
}

/** Sends a message to the subscriber. */
type Send = (message: unknown) => void

/**
 * Creates the subscriptions of one connection. Like those of a node, they tell what changes after each block,
 * and a signature's ends once it has told.
 */
export const createSubscriptions = (world: RpcWorld, send: Send) => {
  const open = new Map<number, { method: string; watch: Watch }>()
  let lastId = 0
  const tell = (id: number, block: Block): void => {
    const known = open.get(id)
    if (!known) return
    const { results, isOver } = known.watch(block)
    const method = known.method.replace(/Subscribe$/, 'Notification')
    for (const result of results) send({ jsonrpc: '2.0', method, params: { result, subscription: id } })
    if (isOver) open.delete(id)
  }
  return {
    /** Answers a call that opens or closes a subscription, and tells at once what is already so. */
    answer: (method: string, params: readonly unknown[], reply: (result: unknown) => void): void => {
      if (method.endsWith('Unsubscribe')) {
        reply(open.delete(Number(params[0])))
        return
      }
      const create = Object.hasOwn(watchers, method) ? watchers[method] : undefined
      if (!create) throw new RpcError(-32601, `Method not found: ${method}`)
      const watch = create(world, params[0], readConfig(params[1]))
      const id = ++lastId
      open.set(id, { method, watch })
      reply(id)
      if (method === 'signatureSubscribe') tell(id, world.cluster.blockAt('processed'))
    },
    tellAll: (block: Block): void => {
      for (const id of open.keys()) tell(id, block)
    },
  }
}
