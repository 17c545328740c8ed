import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type EvmChainName, evmChains, type TokenStandard } from 'kassa/schema'
import {
  type Address,
  type createPublicClient,
  createTestClient,
  createWalletClient,
  defineChain,
  getAddress,
  type Hex,
  http,
  parseTransaction,
  publicActions,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { Collection721 } from '#adapters/chains/evm/artifacts/Collection721.js'
import { TestToken } from '#adapters/chains/evm/artifacts/TestToken.js'
import { createEvmChain } from '#adapters/chains/evm/evmChain.js'
import type { EvmChainOptions } from '#adapters/chains/evm/evmChainOptions.js'
import { createLocalNode } from '#adapters/chains/evm/local/localNode.js'
import { raiseNonce } from '#adapters/chains/evm/restore/operatorNonce.js'
import type { OpenDatabase } from '#base/db/openedDatabase.js'
import type { CollectionTerms } from '#base/ports/collections.js'
import { listCollectionRefs } from '#goods/collections/findCollection.js'
import { explainEndedAuthorization } from '#sale/authorizations/settleAuthorization.js'
import { explainLostPayment } from '#sale/orders/refund.js'
import { createTestDatabase } from './createTestDatabase.js'

/**
 * Creates a real node and database for one test, with the adapter and funded accounts.
 *
 * @param beside - Another test chain, whose database and operator it shares.
 */
export const createTestChain = async (
  name: EvmChainName = 'base-sepolia',
  beside?: { database: OpenDatabase; operatorKey: Hex },
) => {
  const { chainId, nativeCurrency } = evmChains[name]
  const dataDir = await mkdtemp(join(tmpdir(), 'kassa-chain-'))
  const node = createLocalNode({ chain: name, chainId, dataDir })
  const database = beside?.database ?? (await createTestDatabase())
  const operatorKey = beside?.operatorKey ?? generatePrivateKey()
  const open = (change: Partial<EvmChainOptions> = {}) =>
    createEvmChain({
      chain: name,
      chainId,
      nativeCurrency,
      confirmations: 1,
      maxFeePerGas: undefined,
      rpcUrl: node.rpcUrl,
      operatorKey,
      tokens: 'test-tokens',
      db: database.db,
      log: { info: () => {}, warn: () => {}, error: () => {} },
      pollMs: 20,
      isLocal: true,
      explainUndue: async (key) =>
        (await explainLostPayment(database.db, key)) ??
        explainEndedAuthorization(database.db, key, Date.now()),
      listCollections: () => listCollectionRefs(database.db, name),
      close: node.stop,
      ...change,
    })
  const port = open()
  await port.ready()
  const rpcUrl = await node.rpcUrl()
  const definition = defineChain({
    id: chainId,
    name,
    nativeCurrency: { name: nativeCurrency, symbol: nativeCurrency, decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  })
  const transport = http(rpcUrl)
  const client = createTestClient({ mode: 'anvil', chain: definition, transport })
    .extend(publicActions)
    // viem's own waits for a block after the one it knows, which may never come on a chain that mines on demand.
    .extend(({ getTransactionReceipt }) => ({
      waitForTransactionReceipt: async ({ hash }: { hash: Hex }) => {
        for (;;) {
          const receipt = await getTransactionReceipt({ hash }).catch(() => undefined)
          if (receipt) return receipt
          await sleep(20)
        }
      },
    }))
  const chain = {
    ...port,
    /**
     * Tests refund a few base units, which would all be worth less than their fee. `evmChain.test.ts` tests
     * the fee.
     */
    estimateRefundFee: async () => 0n,
    /** Returns the holder of a token, or `undefined` while it does not exist. */
    ownerOf: ({ contractAddress, tokenId }: { contractAddress: string; tokenId: bigint }) =>
      client
        .readContract({
          address: getAddress(contractAddress),
          ...Collection721,
          functionName: 'ownerOf',
          args: [tokenId],
        })
        .catch(() => undefined),
  }

  /** Creates a collection on chain. */
  const createCollection = async (change: Partial<CollectionTerms> & { standard?: TokenStandard } = {}) => {
    const { standard = 'erc-721', ...changedTerms } = change
    const collection = { key: crypto.randomUUID(), standard }
    const terms = { name: 'Dunes', symbol: 'DUN', uri: '', supplyLimit: 0n, transferable: true }
    const input = { collection, terms: { ...terms, ...changedTerms } }
    const { status } = await port.createCollection(`collection:${collection.key}`, input)
    if (status !== 'succeeded') throw new Error('no collection was created')
    const contractAddress = getAddress(port.collectionAddress(collection))
    return { collection, terms: input.terms, contractAddress }
  }

  const createPayer = async (nativeWei = 10n ** 18n) => {
    const account = privateKeyToAccount(generatePrivateKey())
    await client.setBalance({ address: account.address, value: nativeWei })
    const wallet = createWalletClient({ account, chain: definition, transport })
    return {
      address: account.address,
      /** Signs a call without sending it, so that one transaction can be put into a block more than once. */
      sign: async (call: {
        /** Absent if `data` creates a contract. */
        to?: Address
        value?: bigint
        data?: Hex
        maxFeePerGas?: bigint
        maxPriorityFeePerGas?: bigint
      }): Promise<Hex> => {
        const request = await wallet.prepareTransactionRequest({
          ...call,
          gas: call.to ? 300_000n : 2_000_000n,
        })
        return wallet.signTransaction(request)
      },
      /** Sends a prepared payment as a buyer's wallet does. */
      pay: async (
        serializedTransaction: string,
        change: { value?: bigint; data?: Hex } = {},
      ): Promise<Hex> => {
        const { to, value, data } = parseTransaction(serializedTransaction as `0x02${string}`)
        const hash = await wallet.sendTransaction({ to, value, data, gas: 300_000n, ...change })
        await client.waitForTransactionReceipt({ hash })
        return hash
      },
      mintTokens: async (currency: string, units: bigint, to = account.address): Promise<Address> => {
        const address = chain.currencies.find((known) => known.currency === currency)?.address as Address
        const hash = await wallet.writeContract({
          address,
          ...TestToken,
          functionName: 'mint',
          args: [to, units],
        })
        await client.waitForTransactionReceipt({ hash })
        return address
      },
    }
  }

  const wallet = createWalletClient({
    account: privateKeyToAccount(operatorKey),
    chain: definition,
    transport,
  })
  /** The service serves no chain to whose contracts its operator writes by hand, as after a restored backup. */
  const known = async <Result>(sent: Promise<Result>): Promise<Result> => {
    const result = await sent
    const nonce = await client.getTransactionCount({ address: wallet.account.address, blockTag: 'pending' })
    await raiseNonce(database.db, { chain: name, operator: wallet.account.address }, nonce)
    return result
  }
  const operatorWallet = {
    ...wallet,
    sendTransaction: (request) => known(wallet.sendTransaction(request)),
    writeContract: (request) => known(wallet.writeContract(request as never)),
    deployContract: (request) => known(wallet.deployContract(request as never)),
  } as typeof wallet

  return {
    chain,
    /** Opens a second adapter on the same database and node, as another process would. */
    open,
    node,
    client: client as ReturnType<typeof createPublicClient> & typeof client,
    db: database.db,
    database,
    operatorKey,
    operator: privateKeyToAccount(operatorKey).address,
    /** Sends with the operator's key from outside the service. */
    operatorWallet,
    createPayer,
    createCollection,
    /** Reads an address's balance of a test token. */
    tokensOf: (owner: string, currency: string): Promise<bigint> =>
      client.readContract({
        address: chain.currencies.find((known) => known.currency === currency)?.address as Address,
        ...TestToken,
        functionName: 'balanceOf',
        args: [getAddress(owner)],
      }),
    close: async () => {
      await node.stop()
      if (!beside) await database.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
