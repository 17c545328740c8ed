import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Address,
  type createPublicClient,
  createTestClient,
  createWalletClient,
  type Hex,
  http,
  parseTransaction,
  publicActions,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { baseSepolia } from 'viem/chains'
import { TestToken } from '../../src/chains/evm/artifacts/TestToken.js'
import { createEvmChain } from '../../src/chains/evm/evmChain.js'
import type { EvmChainOptions } from '../../src/chains/evm/evmChainOptions.js'
import { createLocalNode } from '../../src/chains/local/localNode.js'
import { openPglite } from '../../src/db/openPglite.js'

/** A real node and database of a test's own, with the adapter on top and accounts that have funds. */
export const createTestChain = async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'kassa-chain-'))
  const node = createLocalNode({ chain: 'base-sepolia', chainId: 84532, dataDir })
  const database = await openPglite(undefined)
  const operatorKey = generatePrivateKey()
  const open = (change: Partial<EvmChainOptions> = {}) =>
    createEvmChain({
      chain: 'base-sepolia',
      chainId: 84532,
      nativeCurrency: 'eth',
      confirmations: 1,
      rpcUrl: node.rpcUrl,
      operatorKey,
      tokens: 'test-tokens',
      db: database.db,
      log: { info: () => {}, warn: () => {}, error: () => {} },
      pollMs: 20,
      isLocal: true,
      close: node.stop,
      ...change,
    })
  const chain = open()
  await chain.ready()
  const transport = http(await node.rpcUrl())
  const client = createTestClient({ mode: 'anvil', chain: baseSepolia, transport }).extend(publicActions)

  const createPayer = async (nativeWei = 10n ** 18n) => {
    const account = privateKeyToAccount(generatePrivateKey())
    await client.setBalance({ address: account.address, value: nativeWei })
    const wallet = createWalletClient({ account, chain: baseSepolia, transport })
    return {
      address: account.address,
      /** Signs a call without sending it, so that one transaction can be put into a block more than once. */
      sign: async (call: {
        to: Address
        value?: bigint
        data?: Hex
        maxFeePerGas?: bigint
        maxPriorityFeePerGas?: bigint
      }): Promise<Hex> => {
        const request = await wallet.prepareTransactionRequest({ ...call, gas: 300_000n })
        return wallet.signTransaction(request)
      },
      /** Sends a prepared payment as a buyer's wallet does. */
      pay: async (
        serializedTransaction: string,
        change: { value?: bigint; data?: Hex } = {},
      ): Promise<Hex> => {
        const { to, value, data } = parseTransaction(serializedTransaction as `0x02${string}`)
        const hash = await wallet.sendTransaction({ to, value, data, gas: 300_000n, ...change })
        await client.waitForTransactionReceipt({ hash, pollingInterval: 20 })
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
        await client.waitForTransactionReceipt({ hash, pollingInterval: 20 })
        return address
      },
    }
  }

  return {
    chain,
    /** A second adapter on the same database and node, as another process would have. */
    open,
    node,
    client: client as ReturnType<typeof createPublicClient> & typeof client,
    db: database.db,
    database,
    operator: privateKeyToAccount(operatorKey).address,
    /** Somebody else holds the operator's key too, and sends with it. */
    operatorWallet: createWalletClient({
      account: privateKeyToAccount(operatorKey),
      chain: baseSepolia,
      transport,
    }),
    createPayer,
    close: async () => {
      await node.stop()
      await database.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
