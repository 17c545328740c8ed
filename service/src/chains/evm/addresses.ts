import { getCloneAddress, toOrderReference } from 'kassa/chain'
import { type Address, concatHex, encodeDeployData, getContractAddress, type Hex, padHex } from 'viem'
import { CollectionFactory } from './artifacts/CollectionFactory.js'
import { DepositFactory } from './artifacts/DepositFactory.js'
import { PaymentRouter } from './artifacts/PaymentRouter.js'
import { TestToken } from './artifacts/TestToken.js'

export { getCloneAddress }

/** The deployer that stands at the same address on every EVM chain and puts contracts at addresses of their content. */
export const create2Deployer: Address = '0x4e59b44847b379578588920cA78FbF26c0B4956C'

const salt = padHex('0x6b61737361', { size: 32 })

/** A contract of ours: the bytes that create it and where they put it. */
export type Deployment = { name: string; address: Address; data: Hex }

const deployment = (name: string, bytecode: Hex): Deployment => ({
  name,
  address: getContractAddress({ opcode: 'CREATE2', from: create2Deployer, salt, bytecode }),
  data: concatHex([salt, bytecode]),
})

const testToken = (symbol: string): Deployment =>
  deployment(
    symbol,
    encodeDeployData({ ...TestToken, args: [`Test ${symbol.toUpperCase()}`, symbol.toUpperCase()] }),
  )

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
  testTokens: hasTestTokens ? [testToken('usdc'), testToken('usdxm')] : [],
})

/** An order, a collection or a payout as its contracts know it: 32 bytes that tell nothing to whoever lacks the id. */
export const toReference = toOrderReference
