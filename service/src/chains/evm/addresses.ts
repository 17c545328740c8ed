import { getCloneAddress, toOrderReference } from 'kassa/chain'
import type { TokenStandard } from 'kassa/schema'
import { type Address, concatHex, encodeDeployData, getContractAddress, type Hex, padHex } from 'viem'
import { Collection721 } from './artifacts/Collection721.js'
import { Collection1155 } from './artifacts/Collection1155.js'
import { CollectionFactory } from './artifacts/CollectionFactory.js'
import { DepositFactory } from './artifacts/DepositFactory.js'
import { PaymentRouter } from './artifacts/PaymentRouter.js'
import { Subscription721 } from './artifacts/Subscription721.js'
import { TestToken } from './artifacts/TestToken.js'

export { getCloneAddress }

/** The deployer that stands at the same address on every EVM chain and puts contracts at addresses of their content. */
export const create2Deployer: Address = '0x4e59b44847b379578588920cA78FbF26c0B4956C'

const deploymentSalt = padHex('0x6b61737361', { size: 32 })

/** A contract of ours: the bytes that create it and where they put it. */
export type Deployment = { name: string; address: Address; data: Hex }

const deployment = (name: string, bytecode: Hex): Deployment => ({
  name,
  address: getContractAddress({ opcode: 'CREATE2', from: create2Deployer, salt: deploymentSalt, bytecode }),
  data: concatHex([deploymentSalt, bytecode]),
})

const testToken = (symbol: string): Deployment =>
  deployment(
    symbol,
    encodeDeployData({ ...TestToken, args: [`Test ${symbol.toUpperCase()}`, symbol.toUpperCase()] }),
  )

/** What collections are clones of: the same for every operator. */
const collectionCode: Record<TokenStandard, Deployment> = {
  'erc-721': deployment('collection721', Collection721.bytecode),
  'erc-1155': deployment('collection1155', Collection1155.bytecode),
  'erc-5643': deployment('subscription721', Subscription721.bytecode),
}

/**
 * The contracts of one operator, the same on every chain: their addresses follow from their code and the operator.
 *
 * @param hasTestTokens - Whether `usdc` and `usdxm` are test tokens of our own.
 */
export const getDeployments = (operator: Address, hasTestTokens: boolean) => ({
  router: deployment('router', encodeDeployData({ ...PaymentRouter, args: [operator] })),
  depositFactory: deployment('depositFactory', encodeDeployData({ ...DepositFactory, args: [operator] })),
  collectionFactory: deployment(
    'collectionFactory',
    encodeDeployData({ ...CollectionFactory, args: [operator] }),
  ),
  collectionCode,
  testTokens: hasTestTokens ? [testToken('usdc'), testToken('usdxm')] : [],
})

/** An order, a collection or a payout as its contracts know it: 32 bytes that tell nothing to whoever lacks the id. */
export const toReference = toOrderReference

/** Address of the clone that a factory makes of a contract for a salt (ERC-1167, by CREATE2). */
export const getCollectionAddress = (factory: Address, implementation: Address, salt: Hex): Address =>
  getContractAddress({
    opcode: 'CREATE2',
    from: factory,
    salt,
    bytecode: concatHex([
      '0x3d602d80600a3d3981f3363d3d373d3d3d363d73',
      implementation,
      '0x5af43d82803e903d91602b57fd5bf3',
    ]),
  })
