import { getCompiledTransactionMessageDecoder } from '@solana/kit'
import { type Method, type RpcWorld, withContext } from './method.js'
import { commitmentOf, type RpcConfig, readAddress, readBytes, readConfig, readList } from './readParams.js'
import { invalidParams, RpcError } from './rpcError.js'
import { filterAccounts, showAccount } from './showAccount.js'
import {
  readDecimals,
  readSupply,
  readTokenAccount,
  showTokenAmount,
  tokenPrograms,
} from './tokenAccounts.js'
import { transactionMethods } from './transactionMethods.js'

const lamportsPerSignature = 5_000n

const getTokenAccountsByOwner: Method = (world, [owner, filter, given]) => {
  const config = readConfig(given)
  const wanted = Object(filter) as { mint?: unknown; programId?: unknown }
  const mint = wanted.mint === undefined ? undefined : readAddress(wanted.mint)
  const programs = wanted.programId === undefined ? tokenPrograms : [readAddress(wanted.programId)]
  const holder = readAddress(owner)
  const value = programs
    .flatMap((program) => world.cluster.listAccounts(readAddress(program), commitmentOf(config)))
    .filter((account) => {
      const tokens = readTokenAccount(account)
      return tokens?.owner === holder && (mint === undefined || tokens.mint === mint)
    })
    .map((account) => ({ pubkey: account.address, account: showAccount(account, config) }))
  return withContext(world, commitmentOf(config), value)
}

const read =
  (
    method: (world: RpcWorld, address: ReturnType<typeof readAddress>, config: RpcConfig) => unknown,
  ): Method =>
  (world, [address, given]) => {
    const config = readConfig(given)
    return withContext(world, commitmentOf(config), method(world, readAddress(address), config))
  }

const methods: Readonly<Record<string, Method>> = {
  getHealth: () => 'ok',
  getVersion: () => ({ 'solana-core': '3.0.0', 'feature-set': 0 }),
  getGenesisHash: ({ genesisHash }) => genesisHash,
  getSlot: ({ cluster }, [given]) => cluster.blockAt(commitmentOf(readConfig(given))).slot,
  getBlockHeight: ({ cluster }, [given]) => cluster.blockAt(commitmentOf(readConfig(given))).height,
  getFirstAvailableBlock: ({ cluster }) => cluster.firstAvailableSlot(),
  getBlockTime: ({ cluster }, [slot]) => cluster.findBlock(BigInt(Number(slot)))?.time ?? null,
  getEpochInfo: ({ cluster }, [given]) => {
    const { slot, height } = cluster.blockAt(commitmentOf(readConfig(given)))
    const slotsInEpoch = 432_000n
    const epoch = slot / slotsInEpoch
    return { absoluteSlot: slot, blockHeight: height, epoch, slotIndex: slot % slotsInEpoch, slotsInEpoch }
  },
  getBlocks: ({ cluster }, [first, second, third]) => {
    // The last slot may be left out.
    const isLast = typeof second === 'number' || typeof second === 'bigint'
    const newest = cluster.blockAt(commitmentOf(readConfig(isLast ? third : second))).slot
    const last = isLast && BigInt(second) < newest ? BigInt(second) : newest
    return cluster.listBlocks(BigInt(Number(first)), last).map(({ slot }) => slot)
  },
  getBlock: ({ cluster }, [slot, given]) => {
    const config = readConfig(given)
    const block = cluster.findBlock(BigInt(Number(slot)))
    if (!block || block.slot > cluster.slotAt(commitmentOf(config))) {
      throw new RpcError(-32009, `Slot ${slot} was skipped, or missing in long-term storage`)
    }
    if (config.transactionDetails !== 'none' && config.transactionDetails !== 'signatures') {
      throw invalidParams('this node shows no whole blocks: ask for signatures or none')
    }
    const { blockhash, height: blockHeight, time: blockTime, signatures } = block
    const before = cluster.listBlocks(0n, block.slot - 1n).at(-1)
    return {
      ...{ blockhash, blockHeight, blockTime, parentSlot: before?.slot ?? 0n },
      previousBlockhash: before?.blockhash ?? blockhash,
      ...(config.transactionDetails === 'signatures' && { signatures }),
    }
  },
  getLatestBlockhash: (world, [given]) => {
    const commitment = commitmentOf(readConfig(given))
    const block = world.cluster.blockAt(commitment)
    const lastValidBlockHeight = world.cluster.lastValidHeightOf(block)
    return withContext(world, commitment, { blockhash: block.blockhash, lastValidBlockHeight })
  },
  isBlockhashValid: (world, [blockhash, given]) => {
    const commitment = commitmentOf(readConfig(given))
    return withContext(world, commitment, world.cluster.isBlockhashValid(String(blockhash), commitment))
  },
  getFeeForMessage: (world, [message, given]) => {
    const { header } = getCompiledTransactionMessageDecoder().decode(readBytes(message, 'base64'))
    const fee = lamportsPerSignature * BigInt(header.numSignerAccounts)
    return withContext(world, commitmentOf(readConfig(given)), fee)
  },
  getRecentPrioritizationFees: ({ cluster }) => [{ slot: cluster.slotAt('processed'), prioritizationFee: 0 }],
  getMinimumBalanceForRentExemption: ({ cluster }, [size]) => cluster.rentFor(BigInt(Number(size))),
  getBalance: read(({ cluster }, address, config) => {
    const account = cluster.readAccount(address, commitmentOf(config))
    return account.exists ? account.lamports : 0n
  }),
  getAccountInfo: read(({ cluster }, address, config) =>
    showAccount(cluster.readAccount(address, commitmentOf(config)), config),
  ),
  getMultipleAccounts: (world, [addresses, given]) => {
    const config = readConfig(given)
    const commitment = commitmentOf(config)
    const accounts = readList(addresses).map((each) =>
      world.cluster.readAccount(readAddress(each), commitment),
    )
    const value = accounts.map((account) => showAccount(account, config))
    return withContext(world, commitment, value)
  },
  getProgramAccounts: ({ cluster }, [program, given]) => {
    const config = readConfig(given)
    return filterAccounts(cluster.listAccounts(readAddress(program), commitmentOf(config)), config).map(
      (account) => ({ pubkey: account.address, account: showAccount(account, config) }),
    )
  },
  getTokenAccountsByOwner,
  getTokenAccountBalance: read(({ cluster }, address, config) => {
    const commitment = commitmentOf(config)
    const tokens = readTokenAccount(cluster.readAccount(address, commitment))
    if (!tokens) throw invalidParams('not a Token account')
    return showTokenAmount(tokens.amount, readDecimals(cluster.readAccount(tokens.mint, commitment)))
  }),
  getTokenSupply: read(({ cluster }, address, config) => {
    const mint = cluster.readAccount(address, commitmentOf(config))
    const supply = readSupply(mint)
    if (supply === undefined) throw invalidParams('not a Token mint')
    return showTokenAmount(supply, readDecimals(mint))
  }),
  getTokenLargestAccounts: read(({ cluster }, mint, config) => {
    const commitment = commitmentOf(config)
    const account = cluster.readAccount(mint, commitment)
    if (!account.exists || readSupply(account) === undefined) throw invalidParams('not a Token mint')
    return cluster
      .listAccounts(account.programAddress, commitment)
      .flatMap((each) => {
        const tokens = readTokenAccount(each)
        return tokens?.mint === mint ? [{ address: each.address, amount: tokens.amount }] : []
      })
      .sort((one, other) => Number(other.amount - one.amount))
      .slice(0, 20)
      .map(({ address, amount }) => ({ address, ...showTokenAmount(amount, readDecimals(account)) }))
  }),
  ...transactionMethods,
  requestAirdrop: ({ airdrop }, [recipient, amount]) =>
    airdrop(readAddress(recipient), BigInt(Number(amount))),
}

/**
 * Answers one method of Solana's JSON-RPC interface.
 *
 * @throws {RpcError} with the code of a node.
 */
export const answerRpc = async (world: RpcWorld, method: string, params: unknown): Promise<unknown> => {
  const answer = Object.hasOwn(methods, method) ? methods[method] : undefined
  if (!answer) throw new RpcError(-32601, `Method not found: ${method}`)
  return answer(world, Array.isArray(params) ? params : [])
}
