import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Abi,
  type Address,
  BaseError,
  ContractFunctionRevertedError,
  createTestClient,
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  http,
  padHex,
  publicActions,
  toHex,
  walletActions,
  zeroHash,
} from 'viem'
import { foundry } from 'viem/chains'
import { vi } from 'vitest'
import { Collection721 } from '#adapters/chains/evm/artifacts/Collection721.js'
import { Collection1155 } from '#adapters/chains/evm/artifacts/Collection1155.js'
import { CollectionFactory } from '#adapters/chains/evm/artifacts/CollectionFactory.js'
import { DepositFactory } from '#adapters/chains/evm/artifacts/DepositFactory.js'
import { PaymentRouter } from '#adapters/chains/evm/artifacts/PaymentRouter.js'
import { PermitSpender } from '#adapters/chains/evm/artifacts/PermitSpender.js'
import { SmartWallet } from '#adapters/chains/evm/artifacts/SmartWallet.js'
import { Subscription721 } from '#adapters/chains/evm/artifacts/Subscription721.js'
import { TestPermitToken } from '#adapters/chains/evm/artifacts/TestPermitToken.js'
import { TestToken } from '#adapters/chains/evm/artifacts/TestToken.js'
import { WalletFactory } from '#adapters/chains/evm/artifacts/WalletFactory.js'
import { authorizationDeployments, create2Deployer } from '#adapters/chains/evm/connection/addresses.js'
import { createLocalNode } from '#adapters/chains/evm/local/localNode.js'
import { limits } from '../../../test/limits.js'

type Call = {
  to: Address
  abi: Abi
  functionName: string
  args?: readonly unknown[]
  value?: bigint
  gas?: bigint
}

const receiptWait = { interval: 5, timeout: limits.conditionMs }

const actor = (name: string): Address => padHex(toHex(name), { size: 20 })

/** The callers of a test's contracts. The node sends for each of them without a key. */
export const actors = {
  owner: actor('owner'),
  minter: actor('minter'),
  buyer: actor('buyer'),
  stranger: actor('stranger'),
} as const

/** Terms of a collection, with changes. */
export const termsOf = (
  change: { supplyLimit?: bigint; transferable?: boolean; owner?: Address; royaltyBasisPoints?: number } = {},
) => ({
  name: 'Dunes',
  symbol: 'DUN',
  uri: 'ipfs://dunes',
  supplyLimit: 0n,
  transferable: true,
  owner: actors.owner,
  royaltyBasisPoints: 0,
  ...change,
})

/** One token for {@link Collection721} and its relatives, with changes. */
export const mintOf = (
  tokenId: bigint,
  change: { to?: Address; mintId?: Hex; template?: Hex; templateLimit?: bigint; expiresAt?: bigint } = {},
) => ({
  to: actors.buyer,
  tokenId,
  uri: `ipfs://${tokenId}`,
  mintId: padHex(toHex(tokenId), { size: 32 }),
  template: zeroHash,
  templateLimit: 0n,
  expiresAt: 0n,
  ...change,
})

/** A node with the contracts, called directly, without an adapter or a database. */
export const createContracts = async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'kassa-contracts-'))
  const node = createLocalNode({ chain: 'contracts', chainId: foundry.id, dataDir })
  const transport = http(await node.rpcUrl())
  const client = createTestClient({ mode: 'anvil', chain: foundry, transport })
    .extend(publicActions)
    .extend(walletActions)
  await client.request({ method: 'anvil_autoImpersonateAccount', params: [true] } as never)
  for (const address of Object.values(actors)) await client.setBalance({ address, value: 10n ** 20n })

  const send = async (from: Address, call: { to?: Address; data?: Hex; value?: bigint; gas?: bigint }) => {
    const hash = await client.sendTransaction({ account: from, ...call })
    // viem waits for a block after the one it knows, which may never come here without another transaction.
    const receipt = await vi.waitFor(() => client.getTransactionReceipt({ hash }), receiptWait)
    if (receipt.status !== 'success') throw new Error(`reverted: ${hash}`)
    return receipt
  }
  const deploy = async (
    { abi, bytecode }: { abi: Abi; bytecode: Hex },
    args: readonly unknown[] = [],
  ): Promise<Address> => {
    const nonce = BigInt(await client.getTransactionCount({ address: actors.owner }))
    await send(actors.owner, { data: encodeDeployData({ abi, bytecode, args }) })
    return getContractAddress({ from: actors.owner, nonce })
  }
  /** Sends a call and waits until it is in a block. */
  const run = (from: Address, { to, value, gas, ...call }: Call) =>
    send(from, { to, data: encodeFunctionData(call), ...(value && { value }), ...(gas && { gas }) })
  /** Simulates a call and returns the name of its error, or `undefined` if it would succeed. */
  const refusal = async (from: Address, { to: address, ...call }: Call): Promise<string | undefined> => {
    try {
      await client.simulateContract({ account: from, address, ...call })
      return undefined
    } catch (error) {
      const reverted =
        error instanceof BaseError && error.walk((one) => one instanceof ContractFunctionRevertedError)
      if (reverted instanceof ContractFunctionRevertedError) return reverted.data?.errorName ?? 'reverted'
      throw error
    }
  }
  const read = <T>({ to: address, ...call }: Call): Promise<T> =>
    client.readContract({ address, ...call }) as Promise<T>

  const owned = [actors.owner]
  const factory = { to: await deploy(CollectionFactory, owned), abi: CollectionFactory.abi as Abi }
  const standards = { single: Collection721, copies: Collection1155, subscription: Subscription721 }
  let salt = 0n
  /** Creates a collection whose minter is {@link actors.minter}. */
  const createCollection = async (
    kind: keyof typeof standards,
    change?: Parameters<typeof termsOf>[0],
  ): Promise<{ to: Address; abi: Abi; implementation: Address }> => {
    const abi: Abi = standards[kind].abi
    const implementation = await deploy(standards[kind])
    const args = [padHex(toHex(++salt), { size: 32 }), implementation]
    const initialize: readonly unknown[] = [actors.minter, termsOf(change)]
    const initCall = encodeFunctionData({ abi, functionName: 'initialize', args: initialize })
    await run(actors.owner, { ...factory, functionName: 'create', args: [...args, initCall] })
    const to = await read<Address>({ ...factory, functionName: 'collectionAddress', args })
    return { to, abi, implementation }
  }

  const wallet = await deploy(SmartWallet)
  const { permit2, permitSpender } = authorizationDeployments
  /** Puts what takes payments by Permit2 at its addresses. */
  const deployPermitSpender = async (): Promise<{ to: Address; abi: Abi }> => {
    for (const { data } of [permit2, permitSpender]) await send(actors.owner, { to: create2Deployer, data })
    return { to: permitSpender.address, abi: PermitSpender.abi as Abi }
  }
  return {
    client,
    send,
    run,
    refusal,
    read,
    createCollection,
    factory,
    router: { to: await deploy(PaymentRouter, owned), abi: PaymentRouter.abi as Abi },
    deposits: { to: await deploy(DepositFactory, owned), abi: DepositFactory.abi as Abi },
    deployPermitSpender,
    permitToken: { to: await deploy(TestPermitToken, ['Test', 'TEST']), abi: TestPermitToken.abi as Abi },
    token: { to: await deploy(TestToken, ['Test', 'TEST']), abi: TestToken.abi as Abi },
    wallet: { to: wallet, abi: SmartWallet.abi as Abi },
    walletFactory: { to: await deploy(WalletFactory, [wallet]), abi: WalletFactory.abi as Abi },
    close: async () => {
      await node.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Contracts on the test's own node. */
export type Contracts = Awaited<ReturnType<typeof createContracts>>
