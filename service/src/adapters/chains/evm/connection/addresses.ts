import { getCloneAddress as deriveCloneAddress, toOrderReference } from 'kassa/chain'
import type { TokenStandard } from 'kassa/schema'
import { type Address, concatHex, encodeDeployData, getContractAddress, type Hex, padHex } from 'viem'
import { CallSequence } from '../artifacts/CallSequence.js'
import { Collection721 } from '../artifacts/Collection721.js'
import { Collection1155 } from '../artifacts/Collection1155.js'
import { CollectionFactory } from '../artifacts/CollectionFactory.js'
import { DepositFactory } from '../artifacts/DepositFactory.js'
import { EntryPoint } from '../artifacts/EntryPoint.js'
import { PasskeyVerifier } from '../artifacts/PasskeyVerifier.js'
import { PaymentRouter } from '../artifacts/PaymentRouter.js'
import { Permit2 } from '../artifacts/Permit2.js'
import { PermitSpender } from '../artifacts/PermitSpender.js'
import { SmartWallet } from '../artifacts/SmartWallet.js'
import { Subscription721 } from '../artifacts/Subscription721.js'
import { TestPermitToken } from '../artifacts/TestPermitToken.js'
import { TestToken } from '../artifacts/TestToken.js'
import { TestUsdc } from '../artifacts/TestUsdc.js'
import { WalletFactory } from '../artifacts/WalletFactory.js'

/**
 * The deterministic deployment proxy. It has the same address on every EVM chain and derives a contract's
 * address from its code.
 */
export const create2Deployer: Address = '0x4e59b44847b379578588920cA78FbF26c0B4956C'

const deploymentSalt = padHex('0x6b61737361', { size: 32 })
/** The salt that puts the EntryPoint of ERC-4337 (v0.8) at its canonical address. */
const entryPointSalt: Hex = '0x0a59dbff790c23c976a548690c27297883cc66b4c67024f9117b0238995e35e9'

/** A contract of the service: its creation code and the address that the deployer gives it. */
export type Deployment = { name: string; address: Address; data: Hex }

const deployment = (name: string, bytecode: Hex, salt = deploymentSalt): Deployment => ({
  name,
  address: getContractAddress({ opcode: 'CREATE2', from: create2Deployer, salt, bytecode }),
  data: concatHex([salt, bytecode]),
})

/** One token that takes signed transfers and permits, one that takes permits, and one that takes neither. */
const testTokens: readonly Deployment[] = [
  deployment('usdc', TestUsdc.bytecode),
  deployment('usdxm', encodeDeployData({ ...TestPermitToken, args: ['Test USDXM', 'USDXM'] })),
  deployment('usdt', encodeDeployData({ ...TestToken, args: ['Test USDT', 'USDT'] })),
]

/** The implementations that collections clone, the same for every operator. */
const collectionCode: Record<TokenStandard, Deployment> = {
  'erc-721': deployment('collection721', Collection721.bytecode),
  'erc-1155': deployment('collection1155', Collection1155.bytecode),
  'erc-5643': deployment('subscription721', Subscription721.bytecode),
}

/**
 * Returns an operator's contracts. Their addresses follow from the code and the operator, so they are the
 * same on every chain.
 *
 * @param hasTestTokens - Whether the chain has the service's own test tokens.
 */
export const getDeployments = (operator: Address, hasTestTokens: boolean) => ({
  router: deployment('router', encodeDeployData({ ...PaymentRouter, args: [operator] })),
  depositFactory: deployment('depositFactory', encodeDeployData({ ...DepositFactory, args: [operator] })),
  collectionFactory: deployment(
    'collectionFactory',
    encodeDeployData({ ...CollectionFactory, args: [operator] }),
  ),
  collectionCode,
  testTokens: hasTestTokens ? testTokens : [],
})

const smartWallet = deployment('smartWallet', SmartWallet.bytecode)

/** The contracts that smart wallets need, the same for every operator and on every chain. */
export const walletDeployments = {
  entryPoint: deployment('entryPoint', EntryPoint.bytecode, entryPointSalt),
  smartWallet,
  walletFactory: deployment(
    'walletFactory',
    encodeDeployData({ ...WalletFactory, args: [smartWallet.address] }),
  ),
  passkeyVerifier: deployment('passkeyVerifier', PasskeyVerifier.bytecode),
}

/** The salt that puts Permit2 at its address on every chain. */
const permit2Salt: Hex = '0x0000000000000000000000000000000000000000d3af2663da51c10215000000'

/** The contracts that settle signed authorizations, the same for every operator and on every chain. */
export const authorizationDeployments = {
  permit2: deployment('permit2', Permit2.bytecode, permit2Salt),
  permitSpender: deployment('permitSpender', PermitSpender.bytecode),
  callSequence: deployment('callSequence', CallSequence.bytecode),
}

const maxRemembered = 10_000

/** Remembers what was derived from texts. Around a quote and a payment the same is asked for several times. */
const remember = <Input extends readonly string[], Derived>(derive: (...input: Input) => Derived) => {
  const known = new Map<string, Derived>()
  return (...input: Input): Derived => {
    const key = input.join(' ')
    const found = known.get(key)
    if (found !== undefined) return found
    if (known.size >= maxRemembered) known.clear()
    const derived = derive(...input)
    known.set(key, derived)
    return derived
  }
}

/**
 * Converts the id of an order, a collection or a payout to the 32-byte reference that contracts use. The
 * reference does not reveal the id.
 */
export const toReference: (id: string) => Hex = remember(toOrderReference)

/** Returns the address of the clone a factory creates for a reference, such as the deposit address of an order. */
export const getCloneAddress: (factory: Address, reference: Hex) => Address = remember(deriveCloneAddress)

/** Returns the code at a clone's address. */
export const getCloneCode = (implementation: Address): Hex =>
  concatHex(['0x363d3d373d3d3d363d73', implementation, '0x5af43d82803e903d91602b57fd5bf3'])

/**
 * Returns the address of the clone that a factory makes of a contract for a salt (ERC-1167, deployed by
 * CREATE2).
 */
export const getCollectionAddress = remember(
  (factory: Address, implementation: Address, salt: Hex): Address =>
    getContractAddress({
      opcode: 'CREATE2',
      from: factory,
      salt,
      bytecode: concatHex(['0x3d602d80600a3d3981f3', getCloneCode(implementation)]),
    }),
)
